// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/equivalent_currents.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "base/threads.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/fields.hpp"
#include "fem/nedelec.hpp"
#include "fem/open/vacuum_form.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Rows of the functions on one triangle or with a trace on the surface in one cell; -1: none.
struct Numbering {
  int order = 1;                  ///< the highest
  std::vector<Index> edge, face;  ///< first row of those of the surface, or -1
  std::vector<int> edge_order, face_order;
  Index num_rows = 0;
  Index edge_row(int level, Index e) const {
    return edge[e] < 0 || level > edge_order[e] ? -1 : edge[e] + level - 1;
  }
  Index face_row(int level, Index f, int i) const {
    return face[f] < 0 || level > face_order[f] ? -1 : face[f] + (level == 3 ? 2 : 0) + i;
  }
  /// Appends the rows of the functions of a face, in the order of nedelec_face_values.
  void append_face(const mesh::Topology& topology, Index f, std::vector<Index>& rows) const {
    for (int level = 1; level <= order; ++level) {
      for (const Index e : topology.face_edges[f]) rows.push_back(edge_row(level, e));
      for (int i = 0; i < face_dofs_added(level); ++i) rows.push_back(face_row(level, f, i));
    }
  }
  /// Appends the rows of the functions of a cell, in the order of the basis.
  void append_cell(const mesh::Topology& topology, Index c, std::vector<Index>& rows) const {
    for (int level = 1; level <= order; ++level) {
      for (const Index e : topology.cell_edges[c]) rows.push_back(edge_row(level, e));
      for (const Index f : topology.cell_faces[c])
        for (int i = 0; i < face_dofs_added(level); ++i) rows.push_back(face_row(level, f, i));
      rows.insert(rows.end(), std::size_t(cell_dofs_added(level)), -1);
    }
  }
};

/// Whether the wall in which the surface ends at an edge is electric: a plane of symmetry, else any wall on
/// which the edge has no unknown. The tangential J is zero there.
bool ends_on_electric(const NedelecSpace& space, Index edge, std::span<const fields::SymmetryPlane> planes) {
  const auto& [a, b] = space.topology->edges[std::size_t(edge)];
  const Vec3<double>&p = space.mesh->nodes[a], &q = space.mesh->nodes[b];
  for (const auto& plane : planes) {
    const double away =
        std::max(std::abs(p[plane.axis] - plane.position), std::abs(q[plane.axis] - plane.position));
    if (away < 1e-6 * norm(q - p)) return plane.electric;
  }
  return space.edge_number[std::size_t(edge)] < 0;
}

Numbering number(const NedelecSpace& space, std::span<const Index> triangles,
                 std::span<const fields::SymmetryPlane> planes) {
  const auto& topology = *space.topology;
  Numbering n;
  n.order = space.order;
  n.edge.assign(std::size_t(topology.num_edges()), -1), n.face.assign(std::size_t(topology.num_faces()), -1);
  n.edge_order.assign(n.edge.size(), 1), n.face_order.assign(n.face.size(), 1);
  // Entities on metal have a current but no unknown.
  const auto order_of = [&](Index place, const auto& of_place) {
    return space.is_uniform() ? space.order : (place < 0 ? 1 : of_place(place));
  };
  std::vector<char> uses(n.edge.size(), 0);
  for (const Index t : triangles)
    for (const Index e : topology.face_edges[topology.triangle_face[t]]) ++uses[e];
  for (const Index t : triangles) {
    const Index face = topology.triangle_face[t];
    n.face[face] = n.num_rows;
    const int face_order = n.face_order[face] =
        order_of(space.face_number[std::size_t(face)], [&](Index p) { return space.face_order(p); });
    n.num_rows += face_order * (face_order - 1);
    for (const Index e : topology.face_edges[face]) {
      if (n.edge[e] >= 0 || (uses[e] == 1 && ends_on_electric(space, e, planes))) continue;
      n.edge[e] = n.num_rows;
      n.num_rows += n.edge_order[e] =
          order_of(space.edge_number[std::size_t(e)], [&](Index p) { return space.edge_order(p); });
    }
  }
  return n;
}

/// Rows of the functions of each triangle.
std::vector<Index> triangle_rows(const NedelecSpace& space, std::span<const Index> triangles,
                                 const Numbering& numbering) {
  std::vector<Index> rows;
  for (const Index t : triangles)
    numbering.append_face(*space.topology, space.topology->triangle_face[t], rows);
  return rows;
}

/// int W_a . W_b dS.
Triplets surface_mass(const NedelecSpace& space, std::span<const Index> triangles,
                      const std::vector<Index>& rows) {
  const auto n = std::size_t(nedelec_face_dim(space.order));
  const TraceEvaluator evaluator(space, 2 * space.order + (space.mesh->geometry_order == 2 ? 2 : 0));
  TriangleTrace trace;
  Triplets mass;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    evaluator.evaluate(triangles[t], trace);
    const Index* row = &rows[t * n];
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        if (row[a] < 0 || row[b] < 0) continue;
        double sum = 0;
        for (std::size_t q = 0; q < trace.weights.size(); ++q)
          sum += trace.weights[q] * dot(trace.values[q * n + a], trace.values[q * n + b]);
        mass.emplace_back(row[a], row[b], sum);
      }
  }
  return mass;
}

}  // namespace

/// J = M^-1 (C - k^2 V) E, up to a factor.
struct EquivalentCurrents::Flux {
  using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  Flux(const NedelecSpace& space, const Numbering& numbering, std::span<const Index> cells,
       const Triplets& mass);
  /// @param x unknowns [num_dofs]
  Eigen::VectorXcd solve(const Complex* x, const fields::Exterior& medium) const;

  double sign = 1;
  Sparse curl_curl, volume_mass;  ///< [rows, num_dofs] over the cells
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors;
};

EquivalentCurrents::Flux::Flux(const NedelecSpace& space, const Numbering& numbering,
                               std::span<const Index> cells, const Triplets& mass) {
  const int dim = nedelec_dim(space.order);
  VacuumForm form(space);
  Triplets curl_entries, mass_entries;
  std::vector<Index> rows;
  for (const Index cell : cells) {
    rows.clear();
    numbering.append_cell(*space.topology, cell, rows);
    if (std::all_of(rows.begin(), rows.end(), [](Index r) { return r < 0; })) continue;
    Index dofs[max_cell_dim];
    space.cell_dofs(cell, dofs);
    form.compute(cell);
    for (int a = 0; a < dim; ++a)
      for (int b = 0; rows[std::size_t(a)] >= 0 && b < dim; ++b) {
        if (dofs[b] < 0) continue;
        curl_entries.emplace_back(rows[std::size_t(a)], dofs[b], form.curl_curl(a, b));
        mass_entries.emplace_back(rows[std::size_t(a)], dofs[b], form.mass(a, b));
      }
  }
  for (const auto& [matrix, triplets] :
       {std::pair{&curl_curl, &curl_entries}, std::pair{&volume_mass, &mass_entries}}) {
    matrix->resize(numbering.num_rows, space.num_dofs());
    matrix->setFromTriplets(triplets->begin(), triplets->end());
  }
  Eigen::SparseMatrix<double> matrix(numbering.num_rows, numbering.num_rows);
  matrix.setFromTriplets(mass.begin(), mass.end());
  factors.compute(matrix);
}

Eigen::VectorXcd EquivalentCurrents::Flux::solve(const Complex* x, const fields::Exterior& medium) const {
  const Eigen::Map<const Eigen::VectorXcd> all(x, curl_curl.cols());
  const auto of_part = [&](const Eigen::VectorXd& part) -> Eigen::VectorXd {
    const Eigen::VectorXd residual = curl_curl * part - (medium.k * medium.k) * (volume_mass * part);
    return factors.solve(residual);
  };
  Eigen::VectorXcd j(curl_curl.rows());
  j.real() = of_part(all.real());
  j.imag() = of_part(all.imag());
  return (sign / Complex(0, medium.k * medium.impedance)) * j;
}

/// curl E at the points of the triangles, on the side of some cells.
struct EquivalentCurrents::Curls {
  std::vector<FieldEvaluator> at_face;       ///< [4] the rule's points on the faces of a cell
  std::vector<std::pair<Index, int>> place;  ///< [triangles] cell, and which of its faces the triangle is

  Curls(const NedelecSpace& space, std::span<const Index> triangles, int degree,
        std::span<const Index> cells) {
    const auto rule = quadrature::triangle_rule(degree);
    for (int face = 0; face < 4; ++face) {
      std::vector<Vec3<double>> points;
      for (const auto& p : rule.points) points.push_back(face_point_in_cell(face, p.u, p.v));
      at_face.emplace_back(space, std::move(points));
    }
    std::vector<bool> is_beside(std::size_t(space.mesh->num_cells()), false);
    for (const Index cell : cells) is_beside[std::size_t(cell)] = true;
    for (const Index t : triangles) {
      const Index face = space.topology->triangle_face[std::size_t(t)];
      const auto [a, b] = space.topology->face_cells[std::size_t(face)];
      const Index cell = is_beside[std::size_t(a)] ? a : b;
      const auto& faces = space.topology->cell_faces[std::size_t(cell)];
      place.emplace_back(cell, int(std::find(faces.begin(), faces.end(), face) - faces.begin()));
    }
  }
  /// @param[out] curl at the triangle's points
  void evaluate(std::size_t triangle, const Complex* x, std::vector<Vec3<Complex>>& curl) const {
    const auto& [cell, face] = place[triangle];
    curl.resize(std::size_t(at_face.front().num_points()));
    at_face[std::size_t(face)].evaluate(cell, x, nullptr, curl.data());
  }
};

EquivalentCurrents::EquivalentCurrents(const NedelecSpace& space, std::span<const Index> triangles,
                                       std::span<const int> sides, int degree, std::span<const Index> cells,
                                       CellSide side, std::span<const fields::SymmetryPlane> planes,
                                       CurrentRule rule)
    : space_(space),
      triangles_(triangles.begin(), triangles.end()),
      degree_(degree),
      points_(fields::sample_triangles(*space.mesh, triangles, sides, degree)) {
  const Numbering numbering = number(space, triangles, planes);
  if (rule == CurrentRule::curl) curls_ = std::make_unique<const Curls>(space, triangles, degree, cells);
  rows_ = triangle_rows(space, triangles, numbering);
  if (curls_) return;
  auto flux = std::make_unique<Flux>(space, numbering, cells, surface_mass(space, triangles, rows_));
  flux->sign = side == CellSide::outside ? -1 : 1;
  flux_ = std::move(flux);
}

EquivalentCurrents::EquivalentCurrents(EquivalentCurrents&&) noexcept = default;
EquivalentCurrents::~EquivalentCurrents() = default;

fields::SurfaceCurrents EquivalentCurrents::currents(const Complex* x, Index count,
                                                     const fields::Exterior& medium) const {
  const auto n = std::size_t(nedelec_face_dim(space_.order)), num_dofs = std::size_t(space_.num_dofs());
  const auto total = std::size_t(points_.size());
  auto flux = std::vector<Eigen::VectorXcd>(std::size_t(count));
#pragma omp parallel for num_threads(num_threads()) schedule(dynamic)
  for (Index c = 0; c < (flux_ ? count : 0); ++c)
    flux[std::size_t(c)] = flux_->solve(x + std::size_t(c) * num_dofs, medium);

  const TraceEvaluator evaluator(space_, degree_);
  const Complex to_h(0, 1 / (medium.k * medium.impedance));  // H = j/(k eta) curl E
  fields::SurfaceCurrents result(count, points_.size());
#pragma omp parallel num_threads(num_threads())
  {
    TriangleTrace trace;
    std::vector<Vec3<Complex>> curl;
#pragma omp for schedule(static)
    for (std::ptrdiff_t t = 0; t < std::ptrdiff_t(triangles_.size()); ++t) {
      evaluator.evaluate(triangles_[std::size_t(t)], trace);
      const Index* rows = &rows_[std::size_t(t) * n];
      for (std::size_t c = 0; c < std::size_t(count); ++c) {
        if (curls_) curls_->evaluate(std::size_t(t), x + c * num_dofs, curl);
        for (std::size_t q = 0; q < trace.weights.size(); ++q) {
          const std::size_t point = std::size_t(t) * trace.weights.size() + q;
          Vec3<Complex> electric{}, e{};
          for (std::size_t a = 0; a < n; ++a) {
            const Vec3<double>& w = trace.values[q * n + a];
            if (flux_ && rows[a] >= 0) electric += flux[c][rows[a]] * w;
            if (trace.dofs[a] >= 0) e += x[c * num_dofs + std::size_t(trace.dofs[a])] * w;
          }
          if (curls_) electric = to_h * cross(points_.normal[point], curl[q]);
          result.electric[c * total + point] = electric;
          result.magnetic[c * total + point] = Complex(-1) * cross(points_.normal[point], e);
        }
      }
    }
  }
  return result;
}

}  // namespace curlew::fem
