// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The mesh with its facets moved to the mean place of the curved surfaces that they stand for. What a result
// changes by is the part of its error that the shape makes: facets of height δ below the surface change a
// smooth quantity by ∫ g δ dS, g its shape derivative, to first order the same as a body that is smaller by
// the mean δ. Source: Delfour and Zolésio (2011), Shapes and Geometries, chapter 9 (structure of shape
// derivatives).

#include <optional>

#include "fem/model/model.hpp"

namespace curlew::fem {

struct ShapeVariant {
  mesh::Mesh mesh;
  double share = 1;  ///< of the displacement that could be taken without folding cells
};

/// Moves metal, impedance walls and interfaces between media; layers, absorbing surfaces and ends of the mesh
/// stay. The topology holds for the new mesh too. Nothing where no facet moves, and for periodic models,
/// whose faces must stay equal.
std::optional<ShapeVariant> shape_variant(const mesh::Mesh& mesh, const mesh::Topology& topology,
                                          const Model& model);
/// The same where all surfaces of the mesh move, as those of sound do.
std::optional<ShapeVariant> shape_variant(const mesh::Mesh& mesh);
/// The same where there are layers, which stay with their faces.
std::optional<ShapeVariant> shape_variant(const mesh::Mesh& mesh, const mesh::Topology& topology,
                                          const std::vector<PmlModel>& layers);

}  // namespace curlew::fem
