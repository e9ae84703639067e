// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_boundary.hpp"

#include <algorithm>
#include <vector>

#include "fem/geometry.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// The basis on a triangle at the points of one rule.
class FaceBasis {
 public:
  // Straight: exact. Curved: the surface element is the root of a polynomial of degree 4.
  explicit FaceBasis(const LagrangeSpace& space)
      : FaceBasis(space, 2 * space.order + (space.mesh->geometry_order == 2 ? 4 : 0)) {}
  FaceBasis(const LagrangeSpace& space, int degree)
      : space_(space), dim_(lagrange_face_dim(space.order)), rule_(quadrature::triangle_rule(degree)) {
    for (const auto& p : rule_.points) {
      const double l[3] = {1 - p.u - p.v, p.u, p.v};
      values_.resize(values_.size() + std::size_t(dim_));
      lagrange_face_basis(space.order, l, &values_[values_.size() - std::size_t(dim_)]);
    }
    weights_.resize(rule_.weights.size());
  }

  void move_to(Index triangle) {
    space_.face_nodes(space_.topology->triangle_face[std::size_t(triangle)], nodes);
    geometry_ = triangle_geometry(*space_.mesh, triangle);
    for (std::size_t q = 0; q < weights_.size(); ++q) weights_[q] = rule_.weights[q] * norm(area(int(q)));
  }

  /// Normal by the order of the vertices, of the surface element's length.
  Vec3<double> area(int q) const {
    Vec3<double> du, dv;
    tangents(geometry_, rule_.points[std::size_t(q)].u, rule_.points[std::size_t(q)].v, du, dv);
    return cross(du, dv);
  }
  Vec3<double> point(int q) const {
    return map_point(geometry_, rule_.points[std::size_t(q)].u, rule_.points[std::size_t(q)].v);
  }
  Complex value(int q, const Complex* x) const {
    Complex u = 0;
    for (int i = 0; i < dim_; ++i) u += values(q)[i] * x[nodes[i]];
    return u;
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
  TriangleGeometry geometry_;
  std::vector<double> values_, weights_;
};

/// Index of a column in a row of the matrix, which must contain it.
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
  const auto masses = face_masses(space, triangles);
  const int n = lagrange_face_dim(space.order);
  Index nodes[max_lagrange_face_dim];
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    space.face_nodes(space.topology->triangle_face[std::size_t(triangles[t])], nodes);
    const double* mass = &masses[t * std::size_t(n * n)];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        a.values[std::size_t(place_of(a, nodes[i], nodes[j]))] += c[t] * mass[i * n + j];
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

void add_boundary_load(const LagrangeSpace& space, std::span<const Index> triangles,
                       std::span<const int> sides, const SurfaceDensity& density, Complex* b) {
  FaceBasis face(space, 2 * space.order + 4);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    face.move_to(triangles[t]);
    for (int q = 0; q < face.num_points(); ++q) {
      const Complex value = density(face.point(q), double(sides[t]) * normalized(face.area(q)));
      for (int i = 0; i < face.dim(); ++i) b[face.nodes[i]] += face.weight(q) * face.values(q)[i] * value;
    }
  }
}

std::vector<double> face_masses(const LagrangeSpace& space, std::span<const Index> triangles) {
  FaceBasis face(space);
  const auto n = std::size_t(face.dim());
  std::vector<double> masses(triangles.size() * n * n);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    face.move_to(triangles[t]);
    double* mass = &masses[t * n * n];
    for (int q = 0; q < face.num_points(); ++q)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          mass[i * n + j] += face.weight(q) * face.values(q)[i] * face.values(q)[j];
  }
  return masses;
}

std::vector<Complex> values_on(const LagrangeSpace& space, std::span<const Index> triangles, int degree,
                               const Complex* x) {
  FaceBasis face(space, degree);
  std::vector<Complex> values;
  for (const Index t : triangles) {
    face.move_to(t);
    for (int q = 0; q < face.num_points(); ++q) values.push_back(face.value(q, x));
  }
  return values;
}

SurfaceIntegrals integrate_on_surface(const LagrangeSpace& space, std::span<const Index> triangles,
                                      std::span<const Complex> c, const Complex* x) {
  FaceBasis face(space);
  SurfaceIntegrals sum;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    face.move_to(triangles[t]);
    double square = 0;
    for (int q = 0; q < face.num_points(); ++q) {
      const Complex u = face.value(q, x);
      sum.area += face.weight(q);
      sum.integral += face.weight(q) * u;
      square += face.weight(q) * std::norm(u);
    }
    sum.weighted_square += (c.empty() ? Complex(1) : c[t]) * square;
  }
  return sum;
}

}  // namespace curlew::fem
