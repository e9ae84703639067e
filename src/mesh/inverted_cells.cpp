// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/inverted_cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "mesh/check.hpp"
#include "mesh/jacobian.hpp"
#include "mesh/straighten.hpp"

namespace curlew::mesh {
namespace {

/// Determinant of the cell with straight edges. A curved cell of the other sign is inverted everywhere.
double straight_determinant(const Mesh& mesh, Index c) {
  const auto corner = [&](int i) { return mesh.nodes[std::size_t(mesh.cell(c)[i])]; };
  return dot(cross(corner(1) - corner(0), corner(2) - corner(0)), corner(3) - corner(0));
}

/// The least determinant at corners and middles of edges, which quadrature of high order comes near, in the
/// sign of `greatest`.
double least_at_nodes(const Mesh& mesh, Index c, double greatest) {
  double least = std::abs(greatest);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i; j < 4; ++j) {
      Barycentric place{};
      place[i] += 0.5, place[j] += 0.5;
      least = std::min(least, std::copysign(1.0, greatest) * evaluate_cell(mesh, c, place).determinant());
    }
  return least;
}

}  // namespace

std::vector<Index> inverted_cells(const Mesh& mesh) {
  std::vector<char> is_bad(std::size_t(mesh.num_cells()));
#pragma omp parallel for
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const auto [least, greatest] = jacobian_range(mesh, c);
    is_bad[std::size_t(c)] = least / greatest < 0.05 || least_at_nodes(mesh, c, greatest) <= 0 ||
                             greatest * straight_determinant(mesh, c) < 0;
  }
  std::vector<Index> bad;
  for (Index c = 0; c < mesh.num_cells(); ++c)
    if (is_bad[std::size_t(c)]) bad.push_back(c);
  return bad;
}

Flattened flatten_inverted(Mesh mesh) {
  constexpr int steps = 8;
  Flattened out{std::move(mesh)};
  const std::vector<Vec3<double>> curved = out.mesh.nodes;
  std::map<Index, int> steps_of;  // of middle nodes
  std::set<Index> cells;
  for (auto bad = inverted_cells(out.mesh); !bad.empty(); bad = inverted_cells(out.mesh)) {
    std::map<Index, std::pair<Vec3<double>, double>> chords;  // their middles and lengths
    for (const Index c : bad)
      for (std::size_t e = 0; e < cell_edge_vertices.size(); ++e) {
        const auto [a, b] = cell_edge_vertices[e];
        const auto at = [&](int i) { return curved[std::size_t(out.mesh.cell(c)[i])]; };
        chords[out.mesh.cell(c)[4 + e]] = {0.5 * (at(a) + at(b)), norm(at(b) - at(a))};
      }
    bool moves = false;
    for (const auto& [node, chord] : chords) {
      int& step = steps_of[node];
      if (step == steps) continue;
      moves = true, ++step;
      const Vec3<double>& from = curved[std::size_t(node)];
      const Vec3<double> by = (double(step) / steps) * (chord.first - from);
      out.mesh.nodes[std::size_t(node)] = from + by;
      out.farthest = std::max(out.farthest, norm(by));
      out.farthest_share = std::max(out.farthest_share, norm(by) / chord.second);
    }
    if (!moves) break;  // only straight inverted cells are left
    cells.insert(bad.begin(), bad.end());
  }
  out.cells = Index(cells.size());
  return out;
}

Flattened flatten_few(Mesh mesh) {
  constexpr double few = 0.01;
  const double most = std::max(1.0, few * double(mesh.num_cells()));
  if (mesh.geometry_order == 1 || double(inverted_cells(mesh).size()) > most) return {std::move(mesh)};
  return flatten_inverted(std::move(mesh));
}

Mesh straight_where_folded(Mesh mesh) {
  if (mesh.geometry_order == 1) return mesh;
  try {
    check_mesh(mesh, mesh.cells.empty() ? MeshUse::surfaces : MeshUse::volumes);
  } catch (const InputError& e) {
    log::info("{}: straight cells, because curved ones would be folded: {}", mesh.name, e.what());
    return corners_only(mesh, mesh.nodes);
  }
  return mesh;
}

}  // namespace curlew::mesh
