// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/current_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/threads.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/nedelec.hpp"
#include "fem/open/vacuum_form.hpp"

namespace curlew::truncation {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Whether the plane in which an edge at the end of the surface lies is electric.
bool ends_on_electric(const mesh::Mesh& mesh, const std::array<Index, 2>& edge,
                      std::span<const fields::SymmetryPlane> planes) {
  double least = std::numeric_limits<double>::max();
  bool is_electric = false;
  for (const auto& plane : planes) {
    const double away = std::max(std::abs(mesh.nodes[edge[0]][plane.axis] - plane.position),
                                 std::abs(mesh.nodes[edge[1]][plane.axis] - plane.position));
    if (away < least) least = away, is_electric = plane.electric;
  }
  return is_electric;
}

}  // namespace

CurrentSampler::CurrentSampler(const fem::NedelecSpace& space, std::span<const Index> triangles,
                               std::span<const int> sides, int degree, std::span<const Index> cells,
                               CellSide side, std::span<const fields::SymmetryPlane> planes)
    : space_(space),
      sign_(side == CellSide::outside ? -1 : 1),
      points_(fields::sample_triangles(*space.mesh, triangles, sides, degree)),
      numbering_(number(space, triangles, planes)) {
  prepare_traces(triangles, degree);
  prepare_flux(cells);
}

CurrentSampler::Numbering CurrentSampler::number(const fem::NedelecSpace& space,
                                                 std::span<const Index> triangles,
                                                 std::span<const fields::SymmetryPlane> planes) {
  const auto& topology = *space.topology;
  Numbering n;
  n.order = space.order;
  n.edge.assign(std::size_t(topology.num_edges()), -1), n.face.assign(std::size_t(topology.num_faces()), -1);
  std::vector<char> uses(n.edge.size(), 0);
  for (const Index t : triangles)
    for (const Index e : topology.face_edges[topology.triangle_face[t]]) ++uses[e];
  for (const Index t : triangles) {
    const Index face = topology.triangle_face[t];
    n.face[face] = n.num_faces++;
    for (const Index e : topology.face_edges[face]) {
      if (n.edge[e] >= 0) continue;
      // On an electric plane the tangential J of a symmetric field is zero, and no function is there.
      if (uses[e] == 1 && ends_on_electric(*space.mesh, topology.edges[e], planes)) continue;
      n.edge[e] = n.num_edges++;
    }
  }
  return n;
}

void CurrentSampler::prepare_traces(std::span<const Index> triangles, int degree) {
  const auto& topology = *space_.topology;
  const auto n = std::size_t(fem::nedelec_face_dim(space_.order));
  const fem::TraceEvaluator at_points(space_, degree);
  const fem::TraceEvaluator for_mass(space_, 2 * space_.order + (space_.mesh->geometry_order == 2 ? 2 : 0));
  num_points_ = at_points.num_points();
  fem::TriangleTrace trace;
  Triplets mass;
  for (const Index t : triangles) {
    const Index face = topology.triangle_face[t];
    const std::size_t first = rows_.size();
    for (int level = 1; level <= space_.order; ++level) {
      for (const Index e : topology.face_edges[face]) rows_.push_back(numbering_.edge_row(level, e));
      for (int i = 0; i < fem::face_dofs_added(level); ++i)
        rows_.push_back(numbering_.face_row(level, face, i));
    }
    at_points.evaluate(t, trace);
    dofs_.insert(dofs_.end(), trace.dofs.begin(), trace.dofs.begin() + long(n));
    values_.insert(values_.end(), trace.values.begin(), trace.values.end());
    for_mass.evaluate(t, trace);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        if (rows_[first + a] < 0 || rows_[first + b] < 0) continue;
        double sum = 0;
        for (std::size_t q = 0; q < trace.weights.size(); ++q)
          sum += trace.weights[q] * dot(trace.values[q * n + a], trace.values[q * n + b]);
        mass.emplace_back(rows_[first + a], rows_[first + b], sum);
      }
  }
  Eigen::SparseMatrix<double> matrix(numbering_.size(), numbering_.size());
  matrix.setFromTriplets(mass.begin(), mass.end());
  surface_mass_.compute(matrix);
}

void CurrentSampler::prepare_flux(std::span<const Index> cells) {
  const auto& topology = *space_.topology;
  const int dim = fem::nedelec_dim(space_.order);
  fem::VacuumForm form(space_);
  Triplets curl_curl, mass;
  std::vector<Index> rows;
  for (const Index cell : cells) {
    rows.clear();
    for (int level = 1; level <= space_.order; ++level) {
      for (const Index e : topology.cell_edges[cell]) rows.push_back(numbering_.edge_row(level, e));
      for (const Index f : topology.cell_faces[cell])
        for (int i = 0; i < fem::face_dofs_added(level); ++i)
          rows.push_back(numbering_.face_row(level, f, i));
      rows.insert(rows.end(), std::size_t(fem::cell_dofs_added(level)), -1);
    }
    if (std::all_of(rows.begin(), rows.end(), [](Index r) { return r < 0; })) continue;
    Index dofs[fem::max_cell_dim];
    space_.cell_dofs(cell, dofs);
    form.compute(cell);
    for (int a = 0; a < dim; ++a)
      for (int b = 0; rows[std::size_t(a)] >= 0 && b < dim; ++b) {
        if (dofs[b] < 0) continue;
        curl_curl.emplace_back(rows[std::size_t(a)], dofs[b], form.curl_curl(a, b));
        mass.emplace_back(rows[std::size_t(a)], dofs[b], form.mass(a, b));
      }
  }
  for (const auto& [matrix, triplets] : {std::pair{&curl_curl_, &curl_curl}, std::pair{&mass_, &mass}}) {
    matrix->resize(numbering_.size(), space_.num_dofs());
    matrix->setFromTriplets(triplets->begin(), triplets->end());
  }
}

Eigen::VectorXcd CurrentSampler::flux(const Complex* x, const fields::Exterior& medium) const {
  const Eigen::Map<const Eigen::VectorXcd> all(x, space_.num_dofs());
  const auto of_part = [&](const Eigen::VectorXd& part) -> Eigen::VectorXd {
    const Eigen::VectorXd residual = curl_curl_ * part - (medium.k * medium.k) * (mass_ * part);
    return surface_mass_.solve(residual);
  };
  Eigen::VectorXcd j(numbering_.size());
  j.real() = of_part(all.real());
  j.imag() = of_part(all.imag());
  return (sign_ / Complex(0, medium.k * medium.impedance)) * j;
}

fields::SurfaceCurrents CurrentSampler::currents(const Complex* x, Index count,
                                                 const fields::Exterior& medium) const {
  const auto n = std::size_t(fem::nedelec_face_dim(space_.order));
  const std::size_t total = points_.position.size(), triangles = rows_.size() / n;
  fields::SurfaceCurrents result(count, Offset(total));
#pragma omp parallel for num_threads(num_threads()) schedule(dynamic)
  for (Index c = 0; c < count; ++c) {
    const Complex* unknowns = x + std::size_t(c) * std::size_t(space_.num_dofs());
    const Eigen::VectorXcd j = flux(unknowns, medium);
    for (std::size_t t = 0; t < triangles; ++t) {
      for (std::size_t q = 0; q < std::size_t(num_points_); ++q) {
        const std::size_t point = t * std::size_t(num_points_) + q;
        Vec3<Complex> electric{}, e{};
        for (std::size_t a = 0; a < n; ++a) {
          const Index row = rows_[t * n + a], dof = dofs_[t * n + a];
          if (row >= 0) electric += j[row] * values_[point * n + a];
          if (dof >= 0) e += unknowns[dof] * values_[point * n + a];
        }
        result.electric[std::size_t(c) * total + point] = electric;
        result.magnetic[std::size_t(c) * total + point] = Complex(-1) * cross(points_.normal[point], e);
      }
    }
  }
  return result;
}

}  // namespace curlew::truncation
