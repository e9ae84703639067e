// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/field_grid.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/constants.hpp"
#include "fem/geometry.hpp"
#include "fem/mat3.hpp"

namespace curlew::fem {
namespace {

constexpr Index block_of_cells = 4096;  // evaluated side by side, then summed

class UnionFind {
 public:
  explicit UnionFind(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), Offset(0)); }
  Offset root(Offset i) {
    while (parent_[std::size_t(i)] != i)
      i = parent_[std::size_t(i)] = parent_[std::size_t(parent_[std::size_t(i)])];
    return i;
  }
  void join(Offset a, Offset b) {
    a = root(a);
    b = root(b);
    parent_[std::size_t(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<Offset> parent_;
};

}  // namespace

int read_field_subdivision(const io::Config& config) {
  const io::Config output = config.table("output");
  return output.has("field_subdivision") ? output.integer_in("field_subdivision", 1, 10) : 0;
}

FieldGrid::FieldGrid(const NedelecSpace& space, const CellMaterials& materials, int subdivision)
    : space_(space),
      cut_(subdivision > 0 ? subdivision : std::max(space.order, space.mesh->geometry_order)),
      evaluator_(space, cut_.positions()) {
  join_slots(materials);
  add_cells();
}

// Nodes of two cells are one point if they lie on a face that both share, in one material, not on metal.
void FieldGrid::join_slots(const CellMaterials& materials) {
  const mesh::Mesh& mesh = *space_.mesh;
  const mesh::Topology& topology = *space_.topology;
  const int n = slots();
  std::array<std::vector<int>, 4> on_face;
  for (std::size_t f = 0; f < 4; ++f) on_face[f] = cut_.face_nodes(mesh::cell_face_vertices[f]);
  const auto nodes_of = [&](Index cell, Index f) -> const std::vector<int>& {
    const auto& faces = topology.cell_faces[std::size_t(cell)];
    return on_face[std::size_t(std::find(faces.begin(), faces.end(), f) - faces.begin())];
  };
  UnionFind sets(std::size_t(mesh.num_cells()) * std::size_t(n));
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

void FieldGrid::add_cells() {
  const mesh::Mesh& mesh = *space_.mesh;
  const int n = slots();
  grid_.points.resize(share_.size());
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const CellGeometry geometry = cell_geometry(mesh, c);
    const Index* points = &slot_point_[std::size_t(c) * std::size_t(n)];
    for (int i = 0; i < n; ++i) {
      grid_.points[std::size_t(points[i])] = map_point(geometry, evaluator_.points()[std::size_t(i)]);
    }
    // VTK wants right-handed cells; our vertices are sorted by number.
    const bool is_left = determinant(jacobian(geometry, {0.25, 0.25, 0.25})) < 0;
    for (const auto& cell : cut_.cells()) {
      std::array<std::int64_t, 4> nodes{};
      for (std::size_t i = 0; i < 4; ++i) nodes[i] = points[cell[i]];
      if (is_left) std::swap(nodes[0], nodes[1]);
      grid_.add_cell(io::VtkCell::tetrahedron, nodes.data(), 4);
    }
  }
}

PointFields FieldGrid::evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                                const IncidentField& known) const {
  const auto n = std::size_t(slots());
  const Index cells = space_.mesh->num_cells();
  std::vector<Coefficient> to_h;  // H = j/(ωμ0) μr⁻¹ curl E
  for (const Material& m : materials.materials) to_h.push_back(m.mu_r.inverse());
  const Complex scale = Complex(0, 1) / (omega * vacuum_permeability);

  PointFields fields;
  fields.e.resize(3 * share_.size());
  fields.h.resize(3 * share_.size());
  std::vector<Vec3<Complex>> e(std::size_t(std::min(cells, block_of_cells)) * n), curl(e.size());
  for (Index start = 0; start < cells; start += block_of_cells) {
    const Index end = std::min(start + block_of_cells, cells);
#pragma omp parallel for schedule(static)
    for (Index c = start; c < end; ++c) {
      const std::size_t first = std::size_t(c - start) * n;
      evaluator_.evaluate(c, x, &e[first], &curl[first]);
      if (!known || materials.of(c).stretching) continue;
      for (std::size_t s = 0; s < n; ++s) {
        const KnownField field = known(grid_.points[std::size_t(slot_point_[std::size_t(c) * n + s])]);
        e[first + s] += field.e;
        curl[first + s] += field.curl;
      }
    }
    for (std::size_t s = std::size_t(start) * n; s < std::size_t(end) * n; ++s) {
      const std::size_t own = s - std::size_t(start) * n, cell = s / n;
      const auto point = std::size_t(slot_point_[s]);
      const std::size_t material =
          materials.cell_material.empty() ? 0 : std::size_t(materials.cell_material[cell]);
      const Vec3<Complex> h = to_h[material] * curl[own];
      for (int i = 0; i < 3; ++i) {
        fields.e[3 * point + std::size_t(i)] += share_[point] * e[own][i];
        fields.h[3 * point + std::size_t(i)] += share_[point] * scale * h[i];
      }
    }
  }
  return fields;
}

std::vector<double> FieldGrid::cell_permittivity(const CellMaterials& materials) const {
  std::vector<double> values;
  for (Index c = 0; c < space_.mesh->num_cells(); ++c) {
    const Mat3<Complex> eps = materials.of(c).epsilon_r.as_tensor();
    values.insert(values.end(), std::size_t(cut_.num_cells()),
                  std::max({eps(0, 0).real(), eps(1, 1).real(), eps(2, 2).real()}));
  }
  return values;
}

}  // namespace curlew::fem
