// SPDX-License-Identifier: BSD-3-Clause
#include "ie/volume/swg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"

namespace curlew::ie {
namespace {

double area(const std::array<Vec3<double>, 3>& t) {
  return 0.5 * norm(cross(t[1] - t[0], t[2] - t[0]));
}

void add_cell(const mesh::Mesh& mesh, Index c, SwgBasis& basis) {
  std::array<Vec3<double>, 4> v;
  for (int i = 0; i < 4; ++i) v[std::size_t(i)] = mesh.nodes[std::size_t(mesh.cell(c)[i])];
  const double volume = std::abs(dot(v[3] - v[0], cross(v[1] - v[0], v[2] - v[0]))) / 6;
  const double edge = norm(v[1] - v[0]);
  if (!(volume > 1e-12 * edge * edge * edge))
    throw InputError(fmt::format("{}: cell {} has no volume", mesh.name, c));
  basis.cells.push_back(c);
  basis.corners.push_back(v);
  basis.volume.push_back(volume);
}

}  // namespace

SwgBasis make_swg(const mesh::Mesh& mesh, const mesh::Topology& topology, const std::vector<bool>& in_body) {
  if (mesh.geometry_order != 1)
    throw InputError(
        fmt::format("{}: the volume equation needs straight cells: set order = 1 in [mesh]", mesh.name));
  SwgBasis basis;
  std::vector<Index> position(std::size_t(mesh.num_cells()), -1);
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    if (!in_body[std::size_t(c)]) continue;
    position[std::size_t(c)] = basis.num_cells();
    add_cell(mesh, c, basis);
  }
  if (basis.cells.empty())
    throw InputError(fmt::format("{}: no cell has a material: name a volume in [[material]]", mesh.name));

  basis.unknown.resize(basis.cells.size());
  basis.factor.resize(basis.cells.size());
  for (Index f = 0; f < topology.num_faces(); ++f) {
    auto [first, second] = topology.face_cells[std::size_t(f)];
    Index a = position[std::size_t(first)], b = second < 0 ? -1 : position[std::size_t(second)];
    if (a < 0) std::swap(a, b), std::swap(first, second);
    if (a < 0) continue;
    std::array<Vec3<double>, 3> corners;
    for (std::size_t i = 0; i < 3; ++i)
      corners[i] = mesh.nodes[std::size_t(topology.faces[std::size_t(f)][i])];
    const Index number = basis.num_functions();
    for (const auto& [cell, at, sign] : {std::tuple{first, a, 1.0}, std::tuple{second, b, -1.0}}) {
      if (at < 0) continue;
      const auto& faces = topology.cell_faces[std::size_t(cell)];
      for (std::size_t i = 0; i < 4; ++i) {
        if (faces[i] != f) continue;
        basis.unknown[std::size_t(at)][i] = number;
        basis.factor[std::size_t(at)][i] = sign * area(corners) / (3 * basis.volume[std::size_t(at)]);
      }
    }
    basis.face.push_back(corners);
    basis.face_cells.push_back({a, b});
  }
  return basis;
}

}  // namespace curlew::ie
