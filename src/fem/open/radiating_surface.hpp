// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A surface of a finite element model around all sources and bodies, on which equivalent currents are
// computed.

#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/materials.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"
#include "fields/surface_currents.hpp"

namespace curlew::fem {

struct RadiatingSurface {
  std::vector<Index> triangles;  ///< of the mesh
  std::vector<int>
      sides;  ///< +-1: orientation of the outward normal relative to the order of a triangle's vertices
  /// Cells that share at least an edge with the surface, on the side from which currents are computed.
  std::vector<Index> cells;
  bool outside = false;  ///< that side is the outer one
};

/// Adds the inner face of all layers without metal as named surface to mesh and topology: the default surface
/// of programs.
/// @return its name, "layer_face"
std::string add_layer_surface(const std::vector<PmlModel>& layers, std::span<const Index> metal,
                              mesh::Mesh& mesh, mesh::Topology& topology);

/// True if the normal by the order of a triangle's vertices points into a cell beside it.
bool points_into(const mesh::Mesh& mesh, Index triangle, Index cell);

/// The surface made of named regions, which must separate the layers or absorbing boundaries from the rest.
/// Currents are computed from cells outside, or inside if a layer begins there.
/// @throws InputError if the surface does not separate them, or if its side is not vacuum
RadiatingSurface make_radiating_surface(const NedelecSpace& space, const Model& model,
                                        const std::vector<std::string>& regions);

/// A far field needs a closed surface. One that ends on an outer plane of the mesh is closed by its image, so
/// that [[symmetry]] must declare the plane; if it ends on metal that passes through it, the opening is
/// small.
/// @param types that [[symmetry]] may have
/// @throws InputError that names the plane and [[symmetry]]
void require_images(const mesh::Mesh& mesh, const mesh::Topology& topology,
                    const std::vector<Index>& triangles, const std::vector<fields::SymmetryPlane>& declared,
                    const char* types = "\"pec\", \"pmc\" or \"ground\"");

}  // namespace curlew::fem
