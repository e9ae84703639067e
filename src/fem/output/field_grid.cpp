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

/// Reference points: four vertices, and six middles of cell_edge_vertices for quadratic output.
std::vector<Vec3<double>> reference_nodes(bool quadratic) {
  std::vector<Vec3<double>> nodes{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (!quadratic) return nodes;
  for (const auto& [i, j] : mesh::cell_edge_vertices)
    nodes.push_back(0.5 * (nodes[std::size_t(i)] + nodes[std::size_t(j)]));
  return nodes;
}

/// Local node in the middle of two local vertices.
int middle_node(int a, int b) {
  for (int e = 0; e < 6; ++e) {
    const auto& [i, j] = mesh::cell_edge_vertices[std::size_t(e)];
    if ((i == a && j == b) || (i == b && j == a)) return 4 + e;
  }
  return -1;
}

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

FieldGrid::FieldGrid(const NedelecSpace& space, const CellMaterials& materials)
    : space_(space), evaluator_(space, reference_nodes(space.order > 1 || space.mesh->geometry_order > 1)) {
  join_slots(materials);
  add_cells();
}

// Nodes of two cells are one point if they lie on a face that both share, in one material, not on metal.
void FieldGrid::join_slots(const CellMaterials& materials) {
  const mesh::Mesh& mesh = *space_.mesh;
  const mesh::Topology& topology = *space_.topology;
  const int n = slots();
  UnionFind sets(std::size_t(mesh.num_cells()) * std::size_t(n));
  for (Index f = 0; f < topology.num_faces(); ++f) {
    const auto [a, b] = topology.face_cells[std::size_t(f)];
    if (b < 0 || space_.face_number[std::size_t(f)] < 0) continue;
    if (!materials.cell_material.empty() &&
        materials.cell_material[std::size_t(a)] != materials.cell_material[std::size_t(b)]) {
      continue;
    }
    std::array<std::array<int, 3>, 2> local{};  // the face's vertices within both cells, same order
    for (int side = 0; side < 2; ++side) {
      const Index cell = side == 0 ? a : b;
      const auto& faces = topology.cell_faces[std::size_t(cell)];
      const auto place = std::find(faces.begin(), faces.end(), f) - faces.begin();
      local[std::size_t(side)] = mesh::cell_face_vertices[std::size_t(place)];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      sets.join(Offset(a) * n + local[0][i], Offset(b) * n + local[1][i]);
      if (n == 4) continue;
      const std::size_t j = (i + 1) % 3;
      sets.join(Offset(a) * n + middle_node(local[0][i], local[0][j]),
                Offset(b) * n + middle_node(local[1][i], local[1][j]));
    }
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
    // VTK wants a right-handed cell; our vertices are sorted by number.
    std::array<int, 4> v{0, 1, 2, 3};
    if (determinant(jacobian(geometry, {0.25, 0.25, 0.25})) < 0) std::swap(v[0], v[1]);
    std::array<std::int64_t, 10> nodes{};
    for (std::size_t i = 0; i < 4; ++i) nodes[i] = points[v[i]];
    if (n == 4) {
      grid_.add_cell(io::VtkCell::tetrahedron, nodes.data(), 4);
      continue;
    }
    constexpr std::array<std::array<int, 2>, 6> vtk_edges{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
    for (std::size_t e = 0; e < 6; ++e) {
      const auto& [i, j] = vtk_edges[e];
      nodes[4 + e] = points[middle_node(v[std::size_t(i)], v[std::size_t(j)])];
    }
    grid_.add_cell(io::VtkCell::quadratic_tetrahedron, nodes.data(), 10);
  }
}

PointFields FieldGrid::evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                                const IncidentField& known) const {
  const int n = slots();
  const Index cells = space_.mesh->num_cells();
  std::vector<Vec3<Complex>> e(std::size_t(cells) * std::size_t(n)), curl(e.size());
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < cells; ++c) {
    const std::size_t first = std::size_t(c) * std::size_t(n);
    evaluator_.evaluate(c, x, &e[first], &curl[first]);
    if (!known || materials.of(c).stretching) continue;
    for (std::size_t s = first; s < first + std::size_t(n); ++s) {
      const KnownField field = known(grid_.points[std::size_t(slot_point_[s])]);
      e[s] += field.e;
      curl[s] += field.curl;
    }
  }
  std::vector<Coefficient> to_h;  // H = j/(ωμ0) μr⁻¹ curl E
  for (const Material& m : materials.materials) to_h.push_back(m.mu_r.inverse());
  const Complex scale = Complex(0, 1) / (omega * vacuum_permeability);

  PointFields fields;
  fields.e.resize(3 * share_.size());
  fields.h.resize(3 * share_.size());
  for (std::size_t s = 0; s < e.size(); ++s) {
    const auto point = std::size_t(slot_point_[s]);
    const auto cell = s / std::size_t(n);
    const std::size_t material =
        materials.cell_material.empty() ? 0 : std::size_t(materials.cell_material[cell]);
    const Vec3<Complex> h = to_h[material] * curl[s];
    for (int i = 0; i < 3; ++i) {
      fields.e[3 * point + std::size_t(i)] += share_[point] * e[s][i];
      fields.h[3 * point + std::size_t(i)] += share_[point] * scale * h[i];
    }
  }
  return fields;
}

std::vector<double> FieldGrid::cell_permittivity(const CellMaterials& materials) const {
  std::vector<double> values(std::size_t(space_.mesh->num_cells()));
  for (std::size_t c = 0; c < values.size(); ++c) {
    const Mat3<Complex> eps = materials.of(Index(c)).epsilon_r.as_tensor();
    values[c] = std::max({eps(0, 0).real(), eps(1, 1).real(), eps(2, 2).real()});
  }
  return values;
}

}  // namespace curlew::fem
