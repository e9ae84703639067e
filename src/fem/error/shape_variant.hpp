// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The mesh with its facets moved to the mean position of the curved surfaces that they approximate. The
// change of a result is the part of its error due to the shape: facets of height δ below the surface change a
// smooth quantity by ∫ g δ dS, g its shape derivative, to first order the same as a body that is smaller by
// the mean δ. Source: Delfour and Zolésio (2011), Shapes and Geometries, chapter 9 (structure of shape
// derivatives).

#include <optional>

#include "fem/model/model.hpp"

namespace curlew::fem {

struct ShapeVariant {
  mesh::Mesh mesh;
  double share = 1;  ///< of the displacement that is possible without folding cells
};

/// Moves metal, impedance walls and interfaces between media; layers, absorbing surfaces and ends of the mesh
/// stay. The topology holds for the new mesh too. Empty if no facet moves, and for periodic models, whose
/// faces must stay equal.
std::optional<ShapeVariant> shape_variant(const mesh::Mesh& mesh, const mesh::Topology& topology,
                                          const Model& model);
/// The same with all surfaces of the mesh moved, for acoustics.
std::optional<ShapeVariant> shape_variant(const mesh::Mesh& mesh);
/// The same with PML, whose surfaces do not move.
std::optional<ShapeVariant> shape_variant(const mesh::Mesh& mesh, const mesh::Topology& topology,
                                          const std::vector<PmlModel>& layers);

}  // namespace curlew::fem
