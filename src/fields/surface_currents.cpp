// SPDX-License-Identifier: BSD-3-Clause
#include "fields/surface_currents.hpp"

#include <algorithm>

#include "mesh/jacobian.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fields {

namespace {

Vec3<Complex> conjugate(Vec3<Complex> a) {
  return {std::conj(a.x), std::conj(a.y), std::conj(a.z)};
}

template <class T>
Vec3<T> reflected(Vec3<T> a, int axis) {
  a[axis] = -a[axis];
  return a;
}

}  // namespace

SurfacePoints sample_triangles(const mesh::Mesh& mesh, std::span<const Index> triangles,
                               std::span<const int> sides, int degree) {
  const auto rule = quadrature::triangle_rule(degree);
  SurfacePoints points;
  const std::size_t n = triangles.size() * rule.points.size();
  points.position.reserve(n);
  points.normal.reserve(n);
  points.weight.reserve(n);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (int q = 0; q < rule.size(); ++q) {
      const auto at = mesh::evaluate_triangle(mesh, triangles[t], rule.points[q].u, rule.points[q].v);
      const Vec3<double> area = cross(at.by_u, at.by_v);
      points.position.push_back(at.position);
      points.normal.push_back((sides[t] / norm(area)) * area);
      points.weight.push_back(rule.weights[q] * norm(area));
    }
  }
  return points;
}

SurfacePoints with_images(const SurfacePoints& points, std::span<const SymmetryPlane> planes) {
  SurfacePoints all = points;
  for (const SymmetryPlane& plane : planes) {
    const std::size_t n = all.position.size();
    for (std::size_t i = 0; i < n; ++i) {
      Vec3<double> image = all.position[i];
      image[plane.axis] = 2 * plane.position - image[plane.axis];
      all.position.push_back(image);
      all.normal.push_back(reflected(all.normal[i], plane.axis));
      all.weight.push_back(all.weight[i]);
    }
  }
  return all;
}

SurfaceCurrents with_images(const SurfaceCurrents& currents, std::span<const SymmetryPlane> planes) {
  const std::size_t n = currents.count == 0 ? 0 : currents.electric.size() / std::size_t(currents.count);
  SurfaceCurrents all(currents.count, Offset(n << planes.size()));
  for (Index c = 0; c < currents.count; ++c) {
    const std::size_t from = std::size_t(c) * n, to = from << planes.size();
    std::copy_n(&currents.electric[from], n, &all.electric[to]);
    std::copy_n(&currents.magnetic[from], n, &all.magnetic[to]);
    std::size_t filled = n;
    for (const SymmetryPlane& plane : planes) {
      const double sign = plane.electric ? 1 : -1;
      for (std::size_t i = 0; i < filled; ++i) {
        all.electric[to + filled + i] = -sign * reflected(all.electric[to + i], plane.axis);
        all.magnetic[to + filled + i] = sign * reflected(all.magnetic[to + i], plane.axis);
      }
      filled *= 2;
    }
  }
  return all;
}

SurfaceCurrents with_conjugates(const SurfaceCurrents& currents) {
  SurfaceCurrents all = currents;
  all.count *= 2;
  for (const auto& j : currents.electric) all.electric.push_back(-conjugate(j));
  for (const auto& m : currents.magnetic) all.magnetic.push_back(conjugate(m));
  return all;
}

double solid_angle(const SurfacePoints& surface, Vec3<double> point) {
  double sum = 0;
  for (std::size_t i = 0; i < surface.position.size(); ++i) {
    const Vec3<double> d = surface.position[i] - point;
    const double distance = norm(d);
    if (distance > 0) sum += surface.weight[i] * dot(surface.normal[i], d) / (distance * distance * distance);
  }
  return sum;
}

std::vector<double> radiated_power(const SurfacePoints& points, const SurfaceCurrents& currents) {
  // E_t = n x M and H_t = J x n, so (E x H*) . n = -(n x M) . J*.
  std::vector<double> power(std::size_t(currents.count), 0.0);
  const std::size_t n = points.position.size();
  for (std::size_t c = 0; c < power.size(); ++c) {
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3<Complex> e = cross(points.normal[i], currents.magnetic[c * n + i]);
      const Vec3<Complex> j = currents.electric[c * n + i];
      const Complex flux = e.x * std::conj(j.x) + e.y * std::conj(j.y) + e.z * std::conj(j.z);
      power[c] -= 0.5 * points.weight[i] * flux.real();
    }
  }
  return power;
}

}  // namespace curlew::fields
