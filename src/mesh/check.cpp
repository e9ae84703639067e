// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "mesh/jacobian.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {
namespace {

/// A determinant below this times the cube of the longest edge is zero to rounding of the coordinates.
constexpr double relative_zero = 1e-12;

template <class... Args>
[[noreturn]] void fail(const Mesh& mesh, fmt::format_string<Args...> text, Args&&... args) {
  throw InputError(fmt::format("{}: {}", mesh.name, fmt::format(text, std::forward<Args>(args)...)));
}

Vec3<double> centre(const Mesh& mesh, Index c) {
  return evaluate_cell(mesh, c, {0.25, 0.25, 0.25, 0.25}).position;
}

void check_sizes(const Mesh& mesh, MeshUse use) {
  if (mesh.geometry_order != 1 && mesh.geometry_order != 2)
    fail(mesh, "geometry order {} is not 1 or 2", mesh.geometry_order);
  if (mesh.cells.size() % mesh.nodes_per_cell() != 0 ||
      mesh.triangles.size() % mesh.nodes_per_triangle() != 0)
    fail(mesh, "cells or triangles do not have the number of nodes of geometry order {}",
         mesh.geometry_order);
  if (use == MeshUse::volumes && mesh.cells.empty())
    fail(mesh,
         "the mesh has no cells (tetrahedra): name a volume, also that of the air around metal (\"Physical "
         "Volume\" in a .geo), or take ie-solve, which needs surfaces alone");
  if (use == MeshUse::surfaces && mesh.surfaces.empty())
    fail(mesh,
         "the mesh has no named surfaces: nothing to solve on; {}name them (\"Physical Surface\" in a .geo)",
         mesh.volumes.empty()
             ? ""
             : fmt::format(
                   "formulation.equation = \"volume\" solves in dielectric volumes such as \"{}\"; or ",
                   mesh.volumes.front().name));
}

/// Far from the origin the coordinates have too few digits left for the cells.
void check_distance(const Mesh& mesh) {
  Vec3<double> low = mesh.nodes[0], high = low;
  double farthest = 0;
  for (const auto& x : mesh.nodes)
    for (int d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], x[d]);
      high[d] = std::max(high[d], x[d]);
      farthest = std::max(farthest, std::abs(x[d]));
    }
  const double size = norm(high - low);
  if (farthest > 1e8 * size && size > 0)
    fail(mesh,
         "the mesh is {:.3g} m large and lies {:.3g} m from the origin, where rounding errors are too large: "
         "move it nearer",
         size, farthest);
}

void check_nodes(const Mesh& mesh) {
  const auto num_nodes = Index(mesh.nodes.size());
  if (num_nodes == 0) fail(mesh, "the mesh has no nodes");
  for (const auto* list : {&mesh.cells, &mesh.triangles})
    for (const Index node : *list)
      if (node < 0 || node >= num_nodes) fail(mesh, "node number {} is outside 0..{}", node, num_nodes - 1);
  for (Index i = 0; i < num_nodes; ++i) {
    const auto& x = mesh.nodes[i];
    if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
      fail(mesh, "node {} has the coordinates ({}, {}, {}): not finite", i, x.x, x.y, x.z);
  }
  check_distance(mesh);
}

void check_ascending(const Mesh& mesh) {
  const auto ascending = [](const Index* n, int count) {
    return std::adjacent_find(n, n + count, std::greater_equal<>()) == n + count;
  };
  for (Index c = 0; c < mesh.num_cells(); ++c)
    if (!ascending(mesh.cell(c), 4))
      fail(mesh, "vertices of cell {} are not ascending, or one is there twice", c);
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    if (!ascending(mesh.triangle(t), 3))
      fail(mesh, "vertices of triangle {} are not ascending, or one is there twice", t);
}

void check_regions(const Mesh& mesh, const std::vector<Region>& regions, const char* kind, Index count) {
  std::set<std::string> names;
  for (const Region& region : regions) {
    if (region.name.empty()) fail(mesh, "a {} region has no name", kind);
    if (!names.insert(region.name).second) fail(mesh, "{} region \"{}\" is there twice", kind, region.name);
    if (region.entities.empty()) fail(mesh, "{} region \"{}\" is empty", kind, region.name);
    const auto& e = region.entities;
    if (std::adjacent_find(e.begin(), e.end(), std::greater_equal<>()) != e.end())
      fail(mesh, "entities of {} region \"{}\" are not ascending, or one is there twice", kind, region.name);
    if (e.front() < 0 || e.back() >= count)
      fail(mesh, "{} region \"{}\" contains number {} of {}, counted from 0", kind, region.name,
           e.front() < 0 ? e.front() : e.back(), count);
  }
}

void check_coverage(const Mesh& mesh) {
  std::vector<char> covered(mesh.num_cells(), 0);
  for (const Region& region : mesh.volumes)
    for (const Index c : region.entities) covered[c] = 1;
  const auto lost = std::count(covered.begin(), covered.end(), 0);
  if (lost == 0) return;
  const Index first = Index(std::find(covered.begin(), covered.end(), 0) - covered.begin());
  const auto x = centre(mesh, first);
  fail(mesh, "{} of {} cells are in no volume region, the first near ({:.4g}, {:.4g}, {:.4g}) m", lost,
       mesh.num_cells(), x.x, x.y, x.z);
}

double longest_edge(const Mesh& mesh, Index c) {
  const Index* n = mesh.cell(c);
  double longest = 0;
  for (const auto& [a, b] : cell_edge_vertices)
    longest = std::max(longest, norm(mesh.nodes[n[a]] - mesh.nodes[n[b]]));
  return longest;
}

enum class CellState : char { sound, flat, inverted };

CellState cell_state(const Mesh& mesh, Index c) {
  const auto [least, greatest] = jacobian_range(mesh, c);
  const double L = longest_edge(mesh, c), zero = relative_zero * L * L * L;
  if (!(std::abs(greatest) > zero)) return CellState::flat;
  if (least * greatest < 0) return CellState::inverted;
  return std::abs(least) > zero ? CellState::sound : CellState::flat;
}

void check_volumes(const Mesh& mesh) {
  const Index num_cells = mesh.num_cells();
  std::vector<CellState> states(num_cells);
#pragma omp parallel for
  for (Index c = 0; c < num_cells; ++c) states[c] = cell_state(mesh, c);
  for (const auto& [bad, what] : {std::pair{CellState::flat, "have no volume"},
                                  std::pair{CellState::inverted,
                                            "are inverted (Jacobian changes sign): use smaller "
                                            "cells at the curved surface, or mesh.order = 1"}}) {
    const auto count = std::count(states.begin(), states.end(), bad);
    if (count == 0) continue;
    const Index first = Index(std::find(states.begin(), states.end(), bad) - states.begin());
    const auto x = centre(mesh, first);
    fail(mesh, "{} of {} cells {}; the first is cell {} near ({:.4g}, {:.4g}, {:.4g}) m", count, num_cells,
         what, first, x.x, x.y, x.z);
  }
}

/// The side of a face on which a cell lies: moving the opposite vertex, local number f, behind the face's
/// sorted vertices takes 3 - f exchanges.
bool is_above(const Mesh& mesh, const Topology& topology, Index face, Index c) {
  const auto& faces = topology.cell_faces[c];
  const auto f = std::find(faces.begin(), faces.end(), face) - faces.begin();
  return (evaluate_cell(mesh, c, {0.25, 0.25, 0.25, 0.25}).determinant() > 0) == (f % 2 == 1);
}

void check_overlap(const Mesh& mesh) {
  const auto known = topology_for_checks(mesh);
  const Topology& topology = *known;
  const Index num_faces = topology.num_faces();
  Index folded = 0, first = num_faces;
#pragma omp parallel for reduction(+ : folded) reduction(min : first)
  for (Index f = 0; f < num_faces; ++f) {
    const auto [c, d] = topology.face_cells[f];
    if (d < 0 || is_above(mesh, topology, f, c) != is_above(mesh, topology, f, d)) continue;
    ++folded;
    first = std::min(first, f);
  }
  if (folded == 0) return;
  const auto [c, d] = topology.face_cells[first];
  const auto x = centre(mesh, c);
  fail(mesh,
       "{} pairs of neighbouring cells overlap; the first is cells {} and {} near ({:.4g}, {:.4g}, {:.4g}) m",
       folded, c, d, x.x, x.y, x.z);
}

/// 56 points: a lattice of order 5, moved inwards from the surface of the cell.
std::vector<Barycentric> sample_points() {
  std::vector<Barycentric> points;
  for (int i = 0; i <= 5; ++i)
    for (int j = 0; i + j <= 5; ++j)
      for (int k = 0; i + j + k <= 5; ++k) {
        const double s = 1.0 / 6;
        points.push_back({(5 - i - j - k + 0.25) * s, (i + 0.25) * s, (j + 0.25) * s, (k + 0.25) * s});
      }
  return points;
}

/// Whether nodes at the middle of edges are there to rounding, as in most cells of a mesh of second order:
/// the determinant then differs from point to point by less than relative_zero of the cube of the longest
/// edge.
bool is_straight(const Mesh& mesh, Index cell) {
  constexpr double rounding = 3e-14;
  if (mesh.geometry_order == 1) return true;
  const Index* n = mesh.cell(cell);
  const auto node = [&](int i) { return mesh.nodes[std::size_t(n[i])]; };
  double away = 0, longest = 0;
  for (std::size_t e = 0; e < cell_edge_vertices.size(); ++e) {
    const auto [a, b] = cell_edge_vertices[e];
    const Vec3<double> off = node(4 + int(e)) - 0.5 * (node(a) + node(b)), edge = node(b) - node(a);
    away = std::max(away, dot(off, off)), longest = std::max(longest, dot(edge, edge));
  }
  return away <= rounding * rounding * longest;
}

}  // namespace

JacobianRange jacobian_range(const Mesh& mesh, Index cell) {
  const double middle = evaluate_cell(mesh, cell, {0.25, 0.25, 0.25, 0.25}).determinant();
  if (is_straight(mesh, cell)) return {middle, middle};
  static const std::vector<Barycentric> points = sample_points();
  // In units of the sign at the middle, so that "least" is where the cell is nearest to being inverted.
  const double sign = middle < 0 ? -1 : 1;
  double least = sign * middle, greatest = least;
  for (const Barycentric& point : points) {
    const double value = sign * evaluate_cell(mesh, cell, point).determinant();
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  return {sign * least, sign * greatest};
}

void check_mesh(const Mesh& mesh, MeshUse use) {
  check_sizes(mesh, use);
  check_nodes(mesh);
  check_ascending(mesh);
  check_regions(mesh, mesh.volumes, "volume", mesh.num_cells());
  check_regions(mesh, mesh.surfaces, "surface", mesh.num_triangles());
  if (mesh.cells.empty()) return;
  check_coverage(mesh);
  if (use == MeshUse::surfaces) return static_cast<void>(build_topology(mesh));
  check_volumes(mesh);
  check_overlap(mesh);
}

std::size_t count_coincident_nodes(const Mesh& mesh) {
  std::vector<char> is_corner(mesh.nodes.size(), 0);
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (int v = 0; v < 4; ++v) is_corner[mesh.cell(c)[v]] = 1;
  std::vector<Vec3<double>> corners;
  for (std::size_t i = 0; i < is_corner.size(); ++i)
    if (is_corner[i]) corners.push_back(mesh.nodes[i]);
  double size = 0;
  for (const auto& x : corners) size = std::max({size, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  const double tolerance = 1e-9 * size;

  // Equal points are next to each other when sorted by rounded coordinates. Two points on both sides of a
  // rounding limit are missed, which is acceptable in a warning: duplicate nodes are mostly many.
  const auto rounded = [&](double v) { return std::llround(v / (4 * tolerance)); };
  std::sort(corners.begin(), corners.end(), [&](const auto& a, const auto& b) {
    return std::tuple(rounded(a.x), rounded(a.y), rounded(a.z)) <
           std::tuple(rounded(b.x), rounded(b.y), rounded(b.z));
  });
  std::size_t count = 0;
  for (std::size_t i = 1; i < corners.size(); ++i) count += norm(corners[i] - corners[i - 1]) <= tolerance;
  return count;
}

}  // namespace curlew::mesh
