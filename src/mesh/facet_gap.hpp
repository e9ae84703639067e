// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Distance of the facets of a mesh from the curved surface that they approximate, from the mesh alone.
//
// Neighbouring facets that turn by less than smooth_turn belong to one smooth surface, whose normal at a
// vertex is the mean of theirs there. Over a facet with the edges x_b - x_a and the normals n_a at its
// vertices the surface is a quadratic that vanishes at the vertices, with the mean height
//   δ = Σ_edges (n_b - n_a)·(x_b - x_a) / 24,
// on a sphere of radius R Σ l²/24R, of equal edges l²/8R. Facets of second order through points of the
// surface lie a term of fourth order from it (curved_gap), on small equilateral facets of a sphere 11/30 κδ²,
// κ the curvature. Edges of second order at rims lie κδ²/15 from their arc, δ its height, and edges that
// em-mesh flattened lie below it by the height that they lost. Source of the vertex normals: Max (1999),
// Weights for computing vertex normals, J. Graphics Tools 4(2).

#include <vector>

#include "mesh/corner_normals.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {

/// A face of the topology on a surface that matters.
struct SurfaceFace {
  Index face;
  bool moves;  ///< false: only holds its vertices in its plane (planes of symmetry, ends of the mesh)
};

/// Displacement of every node [m] after which facets lie at the mean place of the surface: along the normals
/// of all smooth surfaces that meet in the node; zero off the surfaces and on flat ones.
std::vector<Vec3<double>> facet_gaps(const Mesh& mesh, const Topology& topology,
                                     const std::vector<SurfaceFace>& faces);
/// The same where all surface_facets of the mesh move, which may have no cells.
std::vector<Vec3<double>> facet_gaps(const Mesh& mesh);

}  // namespace curlew::mesh
