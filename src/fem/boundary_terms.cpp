// SPDX-License-Identifier: BSD-3-Clause
#include "fem/boundary_terms.hpp"

#include <algorithm>

#include "fem/cell_load.hpp"
#include "fem/geometry.hpp"
#include "fem/piola.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// +1 if du x dv points out of the cell through its local face, else -1. -grad l_f, f the opposite vertex,
/// does.
double outward_sign(const mesh::Mesh& mesh, Index cell, int local_face, double u, double v,
                    Vec3<double> normal) {
  constexpr Vec3<double> gradients[4] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto J = jacobian(cell_geometry(mesh, cell), face_point_in_cell(local_face, u, v));
  return dot(covariant(piola_map(J), gradients[local_face]), normal) < 0 ? 1 : -1;
}

/// Replaces values by their components along a direction.
void keep_along(const FaceDirection& along, TriangleTrace& trace) {
  const auto n = std::size_t(trace.num_functions);
  for (std::size_t q = 0; q < trace.points.size(); ++q) {
    const Vec3<double> d = along(trace.points[q]);
    for (std::size_t i = q * n; i < (q + 1) * n; ++i) trace.values[i] = dot(trace.values[i], d) * d;
  }
}

}  // namespace

Complex& entry(linalg::Csr<Complex>& a, Index row, Index column) {
  const auto begin = a.columns.begin() + a.row_offsets[std::size_t(row)];
  const auto end = a.columns.begin() + a.row_offsets[std::size_t(row) + 1];
  return a.values[std::size_t(std::lower_bound(begin, end, column) - a.columns.begin())];
}

void add_entry(linalg::Csr<Complex>& a, Index row, Index column, Complex value) {
  if (has_row(a, row)) entry(a, row, column) += value;
}

bool has_rows_of(const linalg::Csr<Complex>& a, const NedelecSpace& space, Index triangle) {
  std::array<Index, 15> dofs{};
  space.trace_dofs(space.topology->triangle_face[std::size_t(triangle)], dofs.data());
  return std::any_of(dofs.begin(), dofs.begin() + nedelec_face_dim(space.order),
                     [&](Index d) { return d >= 0 && has_row(a, d); });
}

TraceEvaluator::TraceEvaluator(const NedelecSpace& space, int degree) : space_(space) {
  const auto rule = quadrature::triangle_rule(degree);
  for (const auto& point : rule.points) u_.push_back(point.u), v_.push_back(point.v);
  weights_ = rule.weights;
}

void TraceEvaluator::evaluate(Index triangle, TriangleTrace& trace) const {
  const auto& topology = *space_.topology;
  const Index face = topology.triangle_face[std::size_t(triangle)];
  const int n = nedelec_face_dim(space_.order);
  trace.cell = topology.face_cells[std::size_t(face)][0];
  const auto& faces = topology.cell_faces[std::size_t(trace.cell)];
  trace.local_face = int(std::find(faces.begin(), faces.end(), face) - faces.begin());
  trace.num_functions = n;
  space_.trace_dofs(face, trace.dofs.data());
  const std::size_t count = weights_.size();
  trace.points.resize(count), trace.weights.resize(count), trace.normals.resize(count);
  trace.values.resize(count * std::size_t(n)), trace.normal_curls.resize(count * std::size_t(n));

  const TriangleGeometry geometry = triangle_geometry(*space_.mesh, triangle);
  double sign = 0;
  BasisValue<double> basis[max_face_dim];
  for (std::size_t q = 0; q < count; ++q) {
    Vec3<double> du, dv;
    tangents(geometry, u_[q], v_[q], du, dv);
    const Vec3<double> area = cross(du, dv);
    if (q == 0) sign = outward_sign(*space_.mesh, trace.cell, trace.local_face, u_[q], v_[q], area);
    const Vec3<double> gu = (1 / dot(area, area)) * cross(dv, area),
                       gv = (1 / dot(area, area)) * cross(area, du);
    const double l[3] = {1 - u_[q] - v_[q], u_[q], v_[q]};
    const Vec3<double> g[3] = {-(gu + gv), gu, gv};
    nedelec_face_basis(space_.order, l, g, basis);
    trace.points[q] = map_point(geometry, u_[q], v_[q]);
    trace.weights[q] = weights_[q] * norm(area);
    trace.normals[q] = (sign / norm(area)) * area;
    for (int a = 0; a < n; ++a) {
      trace.values[q * std::size_t(n) + std::size_t(a)] = basis[a].value;
      trace.normal_curls[q * std::size_t(n) + std::size_t(a)] = dot(trace.normals[q], basis[a].curl);
    }
  }
}

int surface_degree(const NedelecSpace& space) {
  return 2 * space.order + (space.mesh->geometry_order == 2 ? 2 : 0);
}

void add_tangential_mass(const NedelecSpace& space, std::span<const Index> triangles, Complex gamma,
                         linalg::Csr<Complex>& a, const FaceDirection& along) {
  const TraceEvaluator evaluator(space, surface_degree(space) + (along ? 2 : 0));  // d may vary
  TriangleTrace trace;
  for (const Index triangle : triangles) {
    if (!has_rows_of(a, space, triangle)) continue;
    evaluator.evaluate(triangle, trace);
    if (along) keep_along(along, trace);
    each_trace_pair(
        trace, [&](std::size_t i, std::size_t j) { return dot(trace.values[i], trace.values[j]); },
        [&](Index i, Index j, double sum) { add_entry(a, i, j, gamma * sum); });
  }
}

void add_transfer_mass(const NedelecSpace& space, std::span<const std::array<Index, 2>> pairs, Complex gamma,
                       linalg::Csr<Complex>& a) {
  const TraceEvaluator evaluator(space, surface_degree(space));
  TriangleTrace trace;
  for (const auto& [first, second] : pairs) {
    if (!has_rows_of(a, space, first) && !has_rows_of(a, space, second)) continue;
    evaluator.evaluate(first, trace);
    const auto n = std::size_t(trace.num_functions);
    const auto dofs = trace.dofs;
    std::array<Index, 15> others{};
    space.trace_dofs(space.topology->triangle_face[std::size_t(second)], others.data());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        if (dofs[i] < 0 || others[j] < 0) continue;
        double sum = 0;
        for (std::size_t q = 0; q < trace.weights.size(); ++q)
          sum += trace.weights[q] * dot(trace.values[q * n + i], trace.values[q * n + j]);
        add_entry(a, dofs[i], others[j], gamma * sum);
        add_entry(a, others[j], dofs[i], gamma * sum);
      }
  }
}

void add_surface_load(const NedelecSpace& space, std::span<const Index> triangles, const SurfaceField& f,
                      int degree, Complex* b) {
  const TraceEvaluator evaluator(space, degree);
  TriangleTrace trace;
  for (const Index triangle : triangles) {
    evaluator.evaluate(triangle, trace);
    const int n = trace.num_functions;
    for (int q = 0; q < evaluator.num_points(); ++q) {
      const auto value = f(trace.points[std::size_t(q)], trace.normals[std::size_t(q)]);
      for (int i = 0; i < n; ++i)
        if (trace.dofs[std::size_t(i)] >= 0)
          b[trace.dofs[std::size_t(i)]] +=
              trace.weights[std::size_t(q)] * dot(trace.values[std::size_t(q * n + i)], value);
    }
  }
}

void add_volume_load(const NedelecSpace& space, const VectorField& f, int degree, Complex* b) {
  const CellLoad load(space, degree);
  for (Index c = 0; c < space.mesh->num_cells(); ++c)
    load.add(
        c,
        [&](Vec3<double> x) {
          return CellLoad::Sources{f(x), {}};
        },
        b);
}

}  // namespace curlew::fem
