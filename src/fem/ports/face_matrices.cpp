// SPDX-License-Identifier: BSD-3-Clause
// Integrals over a port face.

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/geometry.hpp"
#include "fem/ports/face_space.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// Values of the scalars of a triangle: λ; λiλj; 5/2 λiλj(λi - λj); 5 λ0λ1λ2 (see nedelec.hpp).
void scalar_values(int order, const double* l, double* w) {
  constexpr int edges[3][2] = {{0, 1}, {0, 2}, {1, 2}};  // mesh::triangle_edge_vertices
  std::fill(w, w + FaceSpace::max_scalars, 0.0);
  for (int i = 0; i < 3; ++i) {
    const double a = l[edges[i][0]], b = l[edges[i][1]];
    w[i] = l[i];
    if (order > 1) w[3 + i] = a * b;
    if (order > 2) w[6 + i] = 2.5 * a * b * (a - b);
  }
  if (order > 2) w[9] = 5 * l[0] * l[1] * l[2];
}

/// A medium split into parts in the face and normal to it.
struct Split {
  Coefficient epsilon;     ///< acts on vectors in the plane
  Coefficient inverse_mu;  ///< acts on n × a
  Complex epsilon_normal, inverse_mu_normal;
};

Complex normal_part(const Coefficient& c, Vec3<double> n) {
  if (c.is_scalar) return c.scalar;
  const Vec3<Complex> cn = c * Vec3<Complex>{n.x, n.y, n.z};
  const Complex nn = dot(n, cn);
  const Vec3<Complex> rest = cn - nn * Vec3<Complex>{n.x, n.y, n.z};
  const double coupling = std::sqrt(std::norm(rest.x) + std::norm(rest.y) + std::norm(rest.z));
  if (coupling > 1e-9 * std::abs(nn))
    throw InputError(
        "the modes of a port need tensors that do not couple components along its normal with those in its "
        "plane");
  return nn;
}

Split split(const Material& material, Vec3<double> n) {
  const Coefficient inverse = material.mu_r.inverse();
  return {material.epsilon_r, inverse, normal_part(material.epsilon_r, n), normal_part(inverse, n)};
}

Vec3<Complex> times(const Coefficient& c, Vec3<double> v) {
  return c * Vec3<Complex>{v.x, v.y, v.z};
}

struct Sums {
  linalg::Coo<Complex> curl, mass_mu, mass_eps, scalar_eps;
};

/// Adds one triangle.
void add_triangle(const FaceSpace& face, std::size_t t, const TriangleTrace& trace,
                  const quadrature::TriangleRule& rule, const Split& medium, Sums& sums) {
  const auto n = std::size_t(trace.num_functions), points = trace.weights.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (trace.dofs[i] < 0) continue;
    for (std::size_t j = 0; j < n; ++j) {
      if (trace.dofs[j] < 0) continue;
      Complex curl = 0, mu = 0, eps = 0;
      for (std::size_t q = 0; q < points; ++q) {
        const auto a = trace.values[q * n + i], b = trace.values[q * n + j], normal = trace.normals[q];
        curl += trace.weights[q] * trace.normal_curls[q * n + i] * trace.normal_curls[q * n + j];
        mu += trace.weights[q] * dot(cross(normal, a), times(medium.inverse_mu, cross(normal, b)));
        eps += trace.weights[q] * dot(a, times(medium.epsilon, b));
      }
      const Index row = face.place(trace.dofs[i]), column = face.place(trace.dofs[j]);
      sums.curl.add(row, column, medium.inverse_mu_normal * curl);
      sums.mass_mu.add(row, column, mu);
      sums.mass_eps.add(row, column, eps);
    }
  }
  Index scalars[FaceSpace::max_scalars];
  face.triangle_scalars(t, scalars);
  double mass[FaceSpace::max_scalars][FaceSpace::max_scalars] = {};
  for (std::size_t q = 0; q < points; ++q) {
    const auto& p = rule.points[q];
    const double l[3] = {1 - p.u - p.v, p.u, p.v};
    double w[FaceSpace::max_scalars];
    scalar_values(face.space->order, l, w);
    for (int i = 0; i < FaceSpace::max_scalars; ++i)
      for (int j = 0; j < FaceSpace::max_scalars; ++j) mass[i][j] += trace.weights[q] * w[i] * w[j];
  }
  for (int i = 0; i < FaceSpace::max_scalars; ++i)
    for (int j = 0; j < FaceSpace::max_scalars; ++j)
      if (scalars[i] >= 0 && scalars[j] >= 0)
        sums.scalar_eps.add(scalars[i], scalars[j], medium.epsilon_normal * mass[i][j]);
}

}  // namespace

FaceMatrices face_matrices(const FaceSpace& face, const FaceMedium& medium) {
  const int degree = 2 * face.space->order + (face.space->mesh->geometry_order == 2 ? 2 : 0);
  const TraceEvaluator evaluator(*face.space, degree);
  const auto rule = quadrature::triangle_rule(degree);
  Sums sums;
  for (auto* sum : {&sums.curl, &sums.mass_mu, &sums.mass_eps})
    sum->num_rows = sum->num_cols = Index(face.dofs.size());
  sums.scalar_eps.num_rows = sums.scalar_eps.num_cols = face.num_scalars();
  TriangleTrace trace;
  for (std::size_t t = 0; t < face.triangles.size(); ++t) {
    evaluator.evaluate(face.triangles[t], trace);
    add_triangle(face, t, trace, rule, split(medium(t), trace.normals[0]), sums);
  }
  return {linalg::to_csr(sums.curl), linalg::to_csr(sums.mass_mu), linalg::to_csr(sums.mass_eps),
          linalg::to_csr(sums.scalar_eps)};
}

namespace {

/// Middles of the face's curved edges, by edge.
std::map<Index, Vec3<double>> edge_middles(const FaceSpace& face) {
  const mesh::Mesh& mesh = *face.space->mesh;
  std::map<Index, Vec3<double>> middles;
  if (mesh.geometry_order == 1) return middles;
  for (const Index t : face.triangles) {
    const auto f = std::size_t(face.space->topology->triangle_face[std::size_t(t)]);
    for (std::size_t i = 0; i < 3; ++i)
      middles[face.space->topology->face_edges[f][i]] = mesh.nodes[std::size_t(mesh.triangle(t)[3 + i])];
  }
  return middles;
}

/// |dx/ds| along an edge from a to b through its middle.
double stretch(Vec3<double> a, Vec3<double> b, Vec3<double> middle, double s) {
  return norm((4 * s - 3) * a + (4 * s - 1) * b + (4 - 8 * s) * middle);
}

}  // namespace

namespace {

/// Unknowns of an edge of the face along it and of E_z, its order and one more of them; -1 beyond.
struct EdgeUnknowns {
  std::array<Index, 3> dofs{-1, -1, -1};
  std::array<Index, 4> scalars;
};

EdgeUnknowns edge_unknowns(const FaceSpace& face, Index e) {
  const NedelecSpace& space = *face.space;
  EdgeUnknowns unknowns{.scalars = face.edge_scalar_numbers(e)};
  const Index number = space.edge_number[std::size_t(e)];
  for (int level = 1; level <= space.edge_order(number); ++level)
    unknowns.dofs[std::size_t(level - 1)] = face.place(space.edge_dof(level, number));
  return unknowns;
}

/// ∫ (W_i·τ)(W_j·τ) dl and ∫ w_i w_j dl of one edge.
struct EdgeMass {
  double tangential[3][3] = {}, scalar[4][4] = {};
};

EdgeMass edge_mass(const NedelecSpace& space, Index e, const std::map<Index, Vec3<double>>& middles) {
  const auto rule = quadrature::gauss_legendre(space.order + 2);
  const auto& nodes = space.topology->edges[std::size_t(e)];
  const Vec3<double> from = space.mesh->nodes[std::size_t(nodes[0])],
                     to = space.mesh->nodes[std::size_t(nodes[1])];
  const auto curved = middles.find(e);
  const Vec3<double> middle = curved == middles.end() ? 0.5 * (from + to) : curved->second;
  EdgeMass mass;
  for (std::size_t q = 0; q < rule.points.size(); ++q) {
    const double s = rule.points[q], a = 1 - s, weight = rule.weights[q];
    const double length = stretch(from, to, middle, s);
    // along the edge λ0 = 1 - s, λ1 = s: W·τ times dx/ds, and the scalars
    const double t[3] = {1, 1 - 2 * s, 2.5 * (1 - 6 * s + 6 * s * s)};
    const double w[4] = {a, s, a * s, 2.5 * a * s * (a - s)};
    for (int i = 0; i < space.order; ++i)
      for (int j = 0; j < space.order; ++j) mass.tangential[i][j] += weight / length * t[i] * t[j];
    for (int i = 0; i <= space.order; ++i)
      for (int j = 0; j <= space.order; ++j) mass.scalar[i][j] += weight * length * w[i] * w[j];
  }
  return mass;
}

/// Sums over the edges of walls.
class WallSums {
 public:
  WallSums(const FaceSpace& face, Index num_transverse, Index num_scalars) : face_(face) {
    vector_.num_rows = vector_.num_cols = num_transverse;
    scalar_.num_rows = scalar_.num_cols = num_scalars;
  }
  /// Rows of one edge and columns of another of the same shape.
  void add(Index row, Index column, Complex admittance, const EdgeMass& mass) {
    const EdgeUnknowns a = edge_unknowns(face_, row), b = edge_unknowns(face_, column);
    const auto order = std::size_t(face_.space->order);
    for (std::size_t i = 0; i < order; ++i)
      for (std::size_t j = 0; j < order; ++j)
        if (a.dofs[i] >= 0 && b.dofs[j] >= 0)
          vector_.add(a.dofs[i], b.dofs[j], admittance * mass.tangential[i][j]);
    for (std::size_t i = 0; i <= order; ++i)
      for (std::size_t j = 0; j <= order; ++j)
        if (a.scalars[i] >= 0 && b.scalars[j] >= 0)
          scalar_.add(a.scalars[i], b.scalars[j], admittance * mass.scalar[i][j]);
  }
  linalg::Csr<Complex> vector() const { return linalg::to_csr(vector_); }
  linalg::Csr<Complex> scalar() const { return linalg::to_csr(scalar_); }

 private:
  const FaceSpace& face_;
  linalg::Coo<Complex> vector_, scalar_;
};

}  // namespace

void add_wall(const FaceSpace& face, const FaceWall& wall, linalg::Csr<Complex>& transverse,
              linalg::Csr<Complex>& scalar) {
  const NedelecSpace& space = *face.space;
  const auto middles = edge_middles(face);
  const auto is_free = [&](Index e) { return space.edge_number[std::size_t(e)] >= 0; };
  WallSums sums(face, transverse.num_rows, scalar.num_rows);
  for (const Index e : wall.edges)
    if (is_free(e)) sums.add(e, e, wall.admittance, edge_mass(space, e, middles));
  for (const auto& [first, second] : wall.pairs) {
    if (!is_free(first) || !is_free(second)) continue;
    const EdgeMass mass = edge_mass(space, first, middles);
    sums.add(first, second, wall.transfer, mass);
    sums.add(second, first, wall.transfer, mass);
  }
  transverse = linalg::add<Complex>(1.0, transverse, 1.0, sums.vector());
  scalar = linalg::add<Complex>(1.0, scalar, 1.0, sums.scalar());
}

}  // namespace curlew::fem
