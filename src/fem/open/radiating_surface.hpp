// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A surface around everything that radiates, out of a finite element model: where equivalent currents are
// taken.

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
      sides;  ///< +-1: the normal by the order of a triangle's vertices times this points outward
  /// Cells on the side where the currents are taken that touch the surface, by an edge at least.
  std::vector<Index> cells;
  bool outside = false;  ///< that side is the one away from the sources
};

/// Adds the inner face of all layers as named surface to mesh and topology, metal apart: the surface that
/// programs take when the user names none.
/// @return its name, "layer_face"
std::string add_layer_surface(const std::vector<PmlModel>& layers, std::span<const Index> metal,
                              mesh::Mesh& mesh, mesh::Topology& topology);

/// True if the normal by the order of a triangle's vertices points into a cell beside it.
bool points_into(const mesh::Mesh& mesh, Index triangle, Index cell);

/// The surface made of named regions, which must separate the layers or absorbing boundaries from the rest.
/// Currents are taken outside, or inside if a layer begins there.
/// @throws InputError if the surface does not separate them, or if its side is not vacuum
RadiatingSurface make_radiating_surface(const NedelecSpace& space, const Model& model,
                                        const std::vector<std::string>& regions);

/// A far field is that of a closed surface. One that ends on an outer plane of the mesh is closed by its
/// image there, so that the plane must be declared; where it ends elsewhere, on metal that passes through it,
/// the opening is small.
/// @param types that [[symmetry]] may have
/// @throws InputError that names the plane and [[symmetry]]
void require_images(const mesh::Mesh& mesh, const mesh::Topology& topology,
                    const std::vector<Index>& triangles, const std::vector<fields::SymmetryPlane>& declared,
                    const char* types = "\"pec\", \"pmc\" or \"ground\"");

}  // namespace curlew::fem
