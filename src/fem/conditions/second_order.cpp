// SPDX-License-Identifier: BSD-3-Clause
#include "fem/conditions/second_order.hpp"

#include <map>
#include <set>

#include "base/wavenumber.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/geometry.hpp"
#include "fem/model/face_parts.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// Data of a vertex of the surface: its share of the area, and -int W_a.grad q of its hat function q.
struct Vertex {
  double mass = 0;
  std::map<Index, double> divergence;
};

/// Vertices of the surface on perfect conductors that it ends at. There rho is odd in the image plane, so its
/// hat functions are left out; other rims are at magnetic walls, where rho is even.
std::set<Index> vertices_on_metal(const NedelecSpace& space, std::span<const Index> triangles) {
  const auto& topology = *space.topology;
  std::set<Index> vertices;
  for (const Index t : triangles)
    for (const Index e : topology.face_edges[std::size_t(topology.triangle_face[std::size_t(t)])])
      if (space.edge_number[std::size_t(e)] < 0)
        for (const Index v : topology.edges[std::size_t(e)]) vertices.insert(v);
  return vertices;
}

void add_triangle(const NedelecSpace& space, Index triangle, const quadrature::TriangleRule& rule,
                  const TriangleTrace& trace, std::map<Index, Vertex>& vertices) {
  const TriangleGeometry geometry = triangle_geometry(*space.mesh, triangle);
  const Index* nodes = space.mesh->triangle(triangle);
  const auto n = std::size_t(trace.num_functions);
  for (std::size_t q = 0; q < trace.weights.size(); ++q) {
    const auto [u, v] = rule.points[q];
    Vec3<double> du, dv;
    tangents(geometry, u, v, du, dv);
    const Vec3<double> area = cross(du, dv);
    const Vec3<double> gu = (1 / dot(area, area)) * cross(dv, area),
                       gv = (1 / dot(area, area)) * cross(area, du);
    const Vec3<double> gradients[3] = {-(gu + gv), gu, gv};
    const double hats[3] = {1 - u - v, u, v};
    for (int corner = 0; corner < 3; ++corner) {
      Vertex& vertex = vertices[nodes[corner]];
      vertex.mass += trace.weights[q] * hats[corner];
      for (std::size_t a = 0; a < n; ++a)
        if (trace.dofs[a] >= 0)
          vertex.divergence[trace.dofs[a]] -=
              trace.weights[q] * dot(trace.values[q * n + a], gradients[corner]);
    }
  }
}

}  // namespace

Complex absorbing_factor(Complex k, double radius) {
  return 1.0 / (2.0 * (Complex(0, 1) * k + (radius > 0 ? 1 / radius : 0.0)));
}

void add_surface_curl(const NedelecSpace& space, std::span<const Index> triangles, Complex factor,
                      linalg::Csr<Complex>& a) {
  const TraceEvaluator evaluator(space, 2 * space.order + (space.mesh->geometry_order == 2 ? 2 : 0));
  TriangleTrace trace;
  for (const Index triangle : triangles) {
    if (!has_rows_of(a, space, triangle)) continue;
    evaluator.evaluate(triangle, trace);
    each_trace_pair(
        trace, [&](std::size_t i, std::size_t j) { return trace.normal_curls[i] * trace.normal_curls[j]; },
        [&](Index i, Index j, double sum) { add_entry(a, i, j, factor * sum); });
  }
}

linalg::Csr<Complex> surface_divergence(const NedelecSpace& space, std::span<const Index> triangles) {
  const int degree = space.order + 1 + (space.mesh->geometry_order == 2 ? 2 : 0);
  const auto rule = quadrature::triangle_rule(degree);
  const TraceEvaluator evaluator(space, degree);
  TriangleTrace trace;
  std::map<Index, Vertex> vertices;
  for (const Index triangle : triangles) {
    evaluator.evaluate(triangle, trace);
    add_triangle(space, triangle, rule, trace, vertices);
  }
  for (const Index node : vertices_on_metal(space, triangles)) vertices.erase(node);
  linalg::Coo<Complex> products;
  products.num_rows = products.num_cols = space.num_dofs();
  for (const auto& [node, vertex] : vertices)
    for (const auto& [a, value_a] : vertex.divergence)
      for (const auto& [b, value_b] : vertex.divergence) products.add(a, b, value_a * value_b / vertex.mass);
  return linalg::to_csr(products);
}

DivergenceTerms::DivergenceTerms(const NedelecSpace& space, const Model& model) {
  for (const FacePart& part : face_parts(model, space))
    if (part.curl_factor) terms_.push_back({part.curl_factor, surface_divergence(space, part.triangles)});
}

void DivergenceTerms::keep_rows_of(const linalg::Csr<Complex>& a) {
  for (auto& term : terms_) {
    linalg::Coo<Complex> kept;
    kept.num_rows = term.matrix.num_rows, kept.num_cols = term.matrix.num_cols;
    for (Index i = 0; i < kept.num_rows; ++i)
      for (Offset k = term.matrix.row_offsets[std::size_t(i)];
           has_row(a, i) && k < term.matrix.row_offsets[std::size_t(i) + 1]; ++k)
        kept.add(i, term.matrix.columns[std::size_t(k)], term.matrix.values[std::size_t(k)]);
    term.matrix = linalg::to_csr(kept);
  }
}

void DivergenceTerms::widen(linalg::Csr<Complex>& a) const {
  for (const auto& term : terms_) a = linalg::add(Complex(1), a, Complex(0), term.matrix);
}

void DivergenceTerms::add(Complex k0, linalg::Csr<Complex>& a) const {
  for (const auto& term : terms_) a = linalg::add(Complex(1), a, -term.factor(frequency_of(k0)), term.matrix);
}

}  // namespace curlew::fem
