// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/linear_field_grid.hpp"

#include <algorithm>
#include <array>

#include "base/sets.hpp"
#include "fem/geometry.hpp"
#include "fem/output/cell_fields.hpp"

namespace curlew::fem {
namespace {

constexpr Index block_of_cells = 4096;  // evaluated in parallel, then summed

}  // namespace

LinearFieldGrid::LinearFieldGrid(const NedelecSpace& space, const CellMaterials& materials, int subdivision)
    : FieldGrid(space),
      cut_(subdivision > 0 ? subdivision : std::max(space.order, space.mesh->geometry_order)),
      evaluator_(space, cut_.positions()) {
  join_slots(materials);
  add_cells();
}

// Nodes of two cells are one point if they lie on a face that both share, in one material, not on metal.
void LinearFieldGrid::join_slots(const CellMaterials& materials) {
  const mesh::Mesh& mesh = *space_.mesh;
  const mesh::Topology& topology = *space_.topology;
  const int n = slots();
  std::array<std::vector<int>, 4> on_face;
  for (std::size_t f = 0; f < 4; ++f) on_face[f] = cut_.face_nodes(mesh::cell_face_vertices[f]);
  const auto nodes_of = [&](Index cell, Index f) -> const std::vector<int>& {
    const auto& faces = topology.cell_faces[std::size_t(cell)];
    return on_face[std::size_t(std::find(faces.begin(), faces.end(), f) - faces.begin())];
  };
  Sets<Offset> sets(std::size_t(mesh.num_cells()) * std::size_t(n));
  for (Index f = 0; f < topology.num_faces(); ++f) {
    const auto [a, b] = topology.face_cells[std::size_t(f)];
    if (b < 0 || space_.face_number[std::size_t(f)] < 0) continue;
    if (!materials.cell_material.empty() &&
        materials.cell_material[std::size_t(a)] != materials.cell_material[std::size_t(b)]) {
      continue;
    }
    // The face's vertices are sorted in both cells: equal places are one point.
    const auto &of_a = nodes_of(a, f), &of_b = nodes_of(b, f);
    for (std::size_t i = 0; i < of_a.size(); ++i) sets.join(Offset(a) * n + of_a[i], Offset(b) * n + of_b[i]);
  }
  slot_point_.assign(std::size_t(mesh.num_cells()) * std::size_t(n), -1);
  std::vector<Index> count;
  for (std::size_t s = 0; s < slot_point_.size(); ++s) {
    const auto root = std::size_t(sets.root(Offset(s)));
    if (slot_point_[root] < 0) {  // roots are the smallest of their set: met first
      slot_point_[root] = Index(count.size());
      count.push_back(0);
    }
    slot_point_[s] = slot_point_[root];
    ++count[std::size_t(slot_point_[s])];
  }
  for (const Index c : count) share_.push_back(1.0 / c);
}

void LinearFieldGrid::add_cells() {
  const mesh::Mesh& mesh = *space_.mesh;
  const int n = slots();
  grid_.points.resize(share_.size());
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const CellGeometry geometry = cell_geometry(mesh, c);
    const Index* points = &slot_point_[std::size_t(c) * std::size_t(n)];
    for (int i = 0; i < n; ++i) {
      grid_.points[std::size_t(points[i])] = map_point(geometry, evaluator_.points()[std::size_t(i)]);
    }
    // VTK needs right-handed cells; our vertices are sorted by number.
    const bool is_left = determinant(jacobian(geometry, {0.25, 0.25, 0.25})) < 0;
    for (const auto& cell : cut_.cells()) {
      std::array<std::int64_t, 4> nodes{};
      for (std::size_t i = 0; i < 4; ++i) nodes[i] = points[cell[i]];
      if (is_left) std::swap(nodes[0], nodes[1]);
      grid_.add_cell(io::VtkCell::tetrahedron, nodes.data(), 4);
    }
  }
}

PointFields LinearFieldGrid::evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                                      const IncidentField& known) const {
  const auto n = std::size_t(slots());
  const Index cells = space_.mesh->num_cells();
  const CellFields of_cells(materials, omega, known);
  PointFields fields;
  fields.e.resize(3 * share_.size());
  fields.h.resize(3 * share_.size());
  std::vector<Vec3<Complex>> e(std::size_t(std::min(cells, block_of_cells)) * n), h(e.size());
  for (Index start = 0; start < cells; start += block_of_cells) {
    const Index end = std::min(start + block_of_cells, cells);
#pragma omp parallel for schedule(static)
    for (Index c = start; c < end; ++c) {
      const std::size_t first = std::size_t(c - start) * n;
      of_cells.evaluate(evaluator_, c, x, &e[first], &h[first]);
    }
    for (std::size_t s = std::size_t(start) * n; s < std::size_t(end) * n; ++s) {
      const std::size_t own = s - std::size_t(start) * n;
      const auto point = std::size_t(slot_point_[s]);
      for (int i = 0; i < 3; ++i) {
        fields.e[3 * point + std::size_t(i)] += share_[point] * e[own][i];
        fields.h[3 * point + std::size_t(i)] += share_[point] * h[own][i];
      }
    }
  }
  return fields;
}

}  // namespace curlew::fem
