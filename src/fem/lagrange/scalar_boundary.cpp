// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_boundary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fem/geometry.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// The basis on one triangle after another at the points of one rule.
class FaceBasis {
 public:
  explicit FaceBasis(const LagrangeSpace& space)
      : space_(space),
        dim_(lagrange_face_dim(space.order)),
        // Straight: exact. Curved: the surface element is the root of a polynomial of degree 4.
        rule_(quadrature::triangle_rule(2 * space.order + (space.mesh->geometry_order == 2 ? 4 : 0))) {
    for (const auto& p : rule_.points) {
      const double l[3] = {1 - p.u - p.v, p.u, p.v};
      values_.resize(values_.size() + std::size_t(dim_));
      lagrange_face_basis(space.order, l, &values_[values_.size() - std::size_t(dim_)]);
    }
    weights_.resize(rule_.weights.size());
  }

  void move_to(Index triangle) {
    space_.face_nodes(space_.topology->triangle_face[std::size_t(triangle)], nodes);
    const TriangleGeometry geometry = triangle_geometry(*space_.mesh, triangle);
    for (std::size_t q = 0; q < weights_.size(); ++q) {
      Vec3<double> du, dv;
      tangents(geometry, rule_.points[q].u, rule_.points[q].v, du, dv);
      weights_[q] = rule_.weights[q] * norm(cross(du, dv));
    }
  }

  int dim() const { return dim_; }
  int num_points() const { return rule_.size(); }
  double weight(int q) const { return weights_[std::size_t(q)]; }  // with the surface element
  const double* values(int q) const { return &values_[std::size_t(q) * std::size_t(dim_)]; }
  Index nodes[max_lagrange_face_dim];

 private:
  const LagrangeSpace& space_;
  int dim_;
  quadrature::TriangleRule rule_;
  std::vector<double> values_, weights_;
};

/// Place of a column in a row of the matrix, which holds it.
template <class T>
Offset place_of(const linalg::Csr<T>& a, Index row, Index column) {
  const auto begin = a.columns.begin() + a.row_offsets[std::size_t(row)];
  const auto end = a.columns.begin() + a.row_offsets[std::size_t(row) + 1];
  return std::lower_bound(begin, end, column) - a.columns.begin();
}

}  // namespace

template <class T>
void add_boundary_mass(const LagrangeSpace& space, std::span<const Index> triangles, std::span<const T> c,
                       linalg::Csr<T>& a) {
  FaceBasis face(space);
  const int n = face.dim();
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    face.move_to(triangles[t]);
    double mass[max_lagrange_face_dim * max_lagrange_face_dim] = {};
    for (int q = 0; q < face.num_points(); ++q)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) mass[i * n + j] += face.weight(q) * face.values(q)[i] * face.values(q)[j];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        a.values[std::size_t(place_of(a, face.nodes[i], face.nodes[j]))] += c[t] * mass[i * n + j];
  }
}
template void add_boundary_mass(const LagrangeSpace&, std::span<const Index>, std::span<const double>,
                                linalg::Csr<double>&);
template void add_boundary_mass(const LagrangeSpace&, std::span<const Index>, std::span<const Complex>,
                                linalg::Csr<Complex>&);

void add_boundary_load(const LagrangeSpace& space, std::span<const Index> triangles,
                       std::span<const Complex> c, Complex* b) {
  FaceBasis face(space);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    face.move_to(triangles[t]);
    for (int q = 0; q < face.num_points(); ++q)
      for (int i = 0; i < face.dim(); ++i) b[face.nodes[i]] += c[t] * (face.weight(q) * face.values(q)[i]);
  }
}

SurfaceIntegrals integrate_on_surface(const LagrangeSpace& space, std::span<const Index> triangles,
                                      std::span<const Complex> c, const Complex* x) {
  FaceBasis face(space);
  SurfaceIntegrals sum;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    face.move_to(triangles[t]);
    double square = 0;
    for (int q = 0; q < face.num_points(); ++q) {
      Complex u = 0;
      for (int i = 0; i < face.dim(); ++i) u += face.values(q)[i] * x[face.nodes[i]];
      sum.area += face.weight(q);
      sum.integral += face.weight(q) * u;
      square += face.weight(q) * std::norm(u);
    }
    sum.weighted_square += (c.empty() ? Complex(1) : c[t]) * square;
  }
  return sum;
}

}  // namespace curlew::fem
