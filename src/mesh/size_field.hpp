// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sizes that the cells of the next mesh of a geometry should have, given on the cells of the last one or on
// the triangles of its surfaces: the input of em-mesh from an adaptive run. Members of the file: the group
// mesh (mesh_file.hpp), cell_size or triangle_size, and where passes change orders cell_order and next_order.

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/check.hpp"
#include "mesh/mesh.hpp"

namespace curlew::io {
class H5Group;
}

namespace curlew::mesh {

/// Number of cells, or of triangles for methods on surfaces.
inline Index num_elements(const Mesh& mesh, MeshUse use) {
  return use == MeshUse::volumes ? mesh.num_cells() : mesh.num_triangles();
}

struct SizeField {
  Mesh mesh;
  std::vector<double> sizes;  ///< [elements] length of edges [m]
  MeshUse use = MeshUse::volumes;
  std::vector<std::int8_t> orders{};  ///< [cells] of the next mesh's elements there; empty: as in [space]
};

void write_size_field(const SizeField& field, io::H5Group& file);
/// @throws InputError if the file is missing, truncated or no size field
SizeField read_size_field(const std::string& path);

/// Mean of the three shortest edges of a straight cell, of tall ones 1.1 times that of the two shortest [m]:
/// its size, which for cells of extruded layers is about their thickness.
double cell_size(const Mesh& mesh, Index cell);
/// The same of a straight triangle: mean of its edges, of tall ones 1.1 times that of the two shortest [m].
double triangle_size(const Mesh& mesh, Index triangle);
double element_size(const Mesh& mesh, MeshUse use, Index element);

/// A size field as a function of position, also outside of the mesh, where curved surfaces may lie: mean of
/// the logarithms at the four nearest vertices, weighted by 1/distance². Source: Shepard (1968), ACM National
/// Conference, 517-524; Bentley (1975), Communications of the ACM 18(9) (the tree).
class SizeAt {
 public:
  explicit SizeAt(const SizeField& field);
  double operator()(Vec3<double> point) const;  ///< [m]

 private:
  struct Vertex {
    Vec3<double> at;
    double log_size;
  };
  struct Nearest;
  void split(std::size_t begin, std::size_t end, int axis);
  void search(std::size_t begin, std::size_t end, int axis, Nearest& nearest) const;

  std::vector<Vertex> tree_;  // the middle of every range divides it along its axis
};

}  // namespace curlew::mesh
