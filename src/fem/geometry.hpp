// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The map from the unit tetrahedron (triangle) to a straight or second-order curved cell (triangle).

#include <span>
#include <vector>

#include "base/vec3.hpp"
#include "fem/mat3.hpp"
#include "mesh/mesh.hpp"

namespace curlew::fem {

/// A cell's nodes, 4 or 10, gathered from the mesh; midpoints follow mesh::cell_edge_vertices.
struct CellGeometry {
  int num_nodes = 4;
  Vec3<double> nodes[10];
};
CellGeometry cell_geometry(const mesh::Mesh& mesh, Index cell);

/// Point x(xi) [m] of the unit tetrahedron's point xi.
Vec3<double> map_point(const CellGeometry& geometry, Vec3<double> xi);
/// J_ij = d x_i / d xi_j [m]; its determinant is negative for every other ordering of the vertices.
Mat3<double> jacobian(const CellGeometry& geometry, Vec3<double> xi);
/// True if J is constant to 1e-10 of the cell's size: four nodes, or all midpoints in the middle.
bool is_straight(const CellGeometry& geometry);
/// @param points of the unit tetrahedron where the Jacobian of a curved cell must keep its sign; none for a
/// straight cell @throws InputError if the cell has no volume or is folded
void check_cell(const mesh::Mesh& mesh, Index cell, const CellGeometry& geometry,
                std::span<const Vec3<double>> points);
/// Distances [m] of the edges' midpoints from the middles of their chords; empty for straight geometry.
std::vector<double> edge_bulges(const CellGeometry& geometry);

/// A triangle's nodes, 3 or 6, as in mesh::Mesh::triangles.
struct TriangleGeometry {
  int num_nodes = 3;
  Vec3<double> nodes[6];
};
TriangleGeometry triangle_geometry(const mesh::Mesh& mesh, Index triangle);
Vec3<double> map_point(const TriangleGeometry& geometry, double u, double v);
/// dx/du and dx/dv [m]. Their cross product is normal to the triangle, of either sign.
void tangents(const TriangleGeometry& geometry, double u, double v, Vec3<double>& du, Vec3<double>& dv);

/// Reference point in a cell of the point (u, v) of its local face f (opposite vertex f): because vertices
/// are sorted, the face's vertices are the cell's without f, in the same order.
Vec3<double> face_point_in_cell(int local_face, double u, double v);

}  // namespace curlew::fem
