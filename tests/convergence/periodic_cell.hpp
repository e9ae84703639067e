// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Unit cells out of structured boxes: layers along z, deformed periodically, with shuffled node numbers.

#include <algorithm>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "fem/model/model.hpp"
#include "fem/space.hpp"
#include "mesh/box.hpp"
#include "mesh/ordering.hpp"

namespace curlew::test {

/// Moves the nodes, then matches opposite sides along the axes and numbers their nodes alike.
struct PeriodicCell {
  mesh::Mesh mesh;
  mesh::Topology topology;
  fem::Periodicity periodicity;

  /// @param axes "xy", "xyz", ... that are periodic
  /// @param move new position of a node; it must be periodic with the cell
  PeriodicCell(mesh::Mesh box, const std::string& axes,
               const std::function<Vec3<double>(Vec3<double>)>& move = {})
      : mesh(std::move(box)) {
    if (move)
      for (auto& x : mesh.nodes) x = move(x);
    std::vector<mesh::TranslatedFaces> faces;
    for (const char axis : axes) {
      const std::string first = std::string(1, axis) + "0", second = std::string(1, axis) + "1";
      periodicity.pairs.push_back({{first}, {second}, {}, {}});
      faces.push_back(mesh::match_translated(mesh, fem::surface_triangles(mesh, first),
                                             fem::surface_triangles(mesh, second), {first, second}));
    }
    mesh::number_alike(mesh, faces);
    for (std::size_t p = 0; p < faces.size(); ++p) periodicity.pairs[p].faces = faces[p];
    topology = mesh::build_topology(mesh);
  }
};

/// Cells whose centre satisfies a condition become a separate volume; the rest keeps its name.
inline void split_volume(mesh::Mesh& mesh, const std::string& name,
                         const std::function<bool(Vec3<double>)>& inside) {
  mesh::Region chosen{name, {}}, rest{mesh.volumes[0].name, {}};
  for (const Index c : mesh.volumes[0].entities) {
    Vec3<double> centre{};
    for (int v = 0; v < 4; ++v) centre += 0.25 * mesh.nodes[std::size_t(mesh.cell(c)[v])];
    (inside(centre) ? chosen : rest).entities.push_back(c);
  }
  mesh.volumes[0] = rest;
  mesh.volumes.push_back(chosen);
}

}  // namespace curlew::test
