// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/far_fields.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "quadrature/rules.hpp"

namespace curlew::ie {
namespace {

using Point = Vec3<double>;

/// Directions and solid angles that integrate |E|^2 of everything within a sphere of a radius.
struct Sphere {
  std::vector<Point> unit;
  std::vector<double> weight;
};
Sphere sphere_for(double kr) {
  // Waves of higher order than this carry less than 1e-5 of the power; |E|^2 has twice the order.
  const int order = int(kr + 3 * std::cbrt(kr)) + 6;
  const auto rule = quadrature::gauss_legendre(order + 1);
  const int around = 2 * order + 2;
  Sphere out;
  for (int i = 0; i < rule.size(); ++i) {
    const double cosine = 1 - 2 * rule.points[std::size_t(i)];
    const double sine = std::sqrt(std::max(1 - cosine * cosine, 0.0));
    for (int m = 0; m < around; ++m) {
      const double phi = 2 * pi * m / around;
      out.unit.push_back({sine * std::cos(phi), sine * std::sin(phi), cosine});
      out.weight.push_back(rule.weights[std::size_t(i)] * 4 * pi / around);
    }
  }
  return out;
}

double squared(Vec3<Complex> a) {
  return std::norm(a.x) + std::norm(a.y) + std::norm(a.z);
}

std::vector<Point> units_of(std::span<const fields::Direction> directions) {
  std::vector<Point> out;
  out.reserve(directions.size());
  for (const auto& d : directions) out.push_back(d.radial());
  return out;
}

template <class Matrix>
Vec3<Complex> row_of(const Matrix& m, Eigen::Index row, Index solution) {
  return {m(row, 3 * solution), m(row, 3 * solution + 1), m(row, 3 * solution + 2)};
}

}  // namespace

FarFields::FarFields(const System& system) : system_(system), k_(system.scene().regions[0].k.real()) {
  const auto& mesh = system.mesh();
  std::map<std::pair<Index, Index>, Index> numbers;
  for (const Index t : system.scene().regions[0].triangles) {
    std::array<Index, 3> own{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Index a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
      const auto [at, is_new] = numbers.try_emplace({std::min(a, b), std::max(a, b)}, Index(points_.size()));
      if (is_new) points_.push_back(0.5 * (mesh.nodes[a] + mesh.nodes[b]));
      own[i] = at->second;
    }
    of_triangle_.push_back(own);
  }
  Point low = points_.front(), high = low;
  for (const auto& p : points_)
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], p[d]), high[d] = std::max(high[d], p[d]);
  centre_ = 0.5 * (low + high);
  for (const auto& p : points_) radius_ = std::max(radius_, norm(p - centre_));
}

/// Solutions whose moments take some 100 MB.
Index FarFields::batch() const {
  return Index(std::clamp<std::size_t>((std::size_t(1) << 21) / points_.size(), 1, 64));
}

FarFields::Matrix FarFields::moments_of(const Complex* x, Index count, bool magnetic) const {
  const auto& region = system_.scene().regions[0];
  Matrix out = Matrix::Zero(Eigen::Index(points_.size()), 3 * count);
  for (std::size_t n = 0; n < region.triangles.size(); ++n) {
    const Index t = region.triangles[n];
    for (Index a = system_.space().begin(t); a < system_.space().begin(t + 1); ++a) {
      const auto& f = system_.space().locals()[a];
      const Index unknown = magnetic ? system_.magnetic_unknown(f.function) : f.function;
      if (unknown < 0) continue;
      for (const Index point : of_triangle_[n]) {
        const Point g = (f.scale / 6) * (points_[std::size_t(point)] - system_.mesh().corner(t, f.vertex));
        for (Index c = 0; c < count; ++c) {
          const Complex value = x[Offset(c) * system_.num_unknowns() + unknown];
          for (int d = 0; d < 3; ++d) out(point, 3 * c + d) += value * g[d];
        }
      }
    }
  }
  return out;
}

FarFields::Moments FarFields::moments(const Complex* x, Index count) const {
  return {moments_of(x, count, false), system_.needs_magnetic(0) ? moments_of(x, count, true) : Matrix()};
}

FarFields::Matrix FarFields::phases(std::span<const Point> directions) const {
  Matrix out(Eigen::Index(directions.size()), Eigen::Index(points_.size()));
#pragma omp parallel for num_threads(num_threads())
  for (Eigen::Index p = 0; p < out.cols(); ++p) {
    const Point r = k_ * (points_[std::size_t(p)] - centre_);
    for (Eigen::Index d = 0; d < out.rows(); ++d) {
      const double angle = dot(directions[std::size_t(d)], r);
      out(d, p) = Complex(std::cos(angle), std::sin(angle));
    }
  }
  return out;
}

template <class Sink>
void FarFields::radiate(const Moments& m, Index count, std::span<const Point> directions, Sink&& sink) const {
  // Blocks of exponentials of 64 MB.
  const auto block = std::clamp<std::size_t>((std::size_t(1) << 22) / points_.size(), 1, 512);
  const bool magnetic = m.magnetic.size() > 0;
  for (std::size_t first = 0; first < directions.size(); first += block) {
    check_interrupt();
    const auto here = directions.subspan(first, std::min(block, directions.size() - first));
    const Matrix e = phases(here);
    const Matrix by_j = e * m.electric, by_m = magnetic ? Matrix(e * m.magnetic) : Matrix();
    for (std::size_t d = 0; d < here.size(); ++d) {
      for (Index c = 0; c < count; ++c) {
        Vec3<Complex> sum = row_of(by_j, Eigen::Index(d), c);
        sum -= dot(here[d], sum) * here[d];
        if (magnetic) sum += cross(row_of(by_m, Eigen::Index(d), c), here[d]);
        sink(first + d, c, sum);
      }
    }
  }
}

fields::FarField FarFields::pattern(const Complex* x, Index count,
                                    std::span<const fields::Direction> directions) const {
  const auto units = units_of(directions);
  const std::size_t n = directions.size();
  fields::FarField far{count, std::vector<Complex>(std::size_t(count) * n), {}};
  far.e_phi = far.e_theta;
  for (Index first = 0; first < count; first += batch()) {
    const Index here = std::min(batch(), count - first);
    const auto m = moments(x + Offset(first) * system_.num_unknowns(), here);
    radiate(m, here, units, [&](std::size_t d, Index c, Vec3<Complex> sum) {
      const Complex front =
          std::polar(k_ * vacuum_impedance / (4 * pi), k_ * dot(units[d], centre_)) * Complex(0, -1);
      const std::size_t at = std::size_t(first + c) * n + d;
      far.e_theta[at] = front * dot(directions[d].theta_unit(), sum);
      far.e_phi[at] = front * dot(directions[d].phi_unit(), sum);
    });
  }
  return far;
}

fields::FarField FarFields::each(const Complex* x, std::span<const fields::Direction> directions) const {
  fields::FarField far{Index(directions.size()), {}, {}};
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const auto one = pattern(x + i * std::size_t(system_.num_unknowns()), 1, directions.subspan(i, 1));
    far.e_theta.push_back(one.e_theta.front()), far.e_phi.push_back(one.e_phi.front());
  }
  return far;
}

std::vector<double> FarFields::powers(const Complex* x, Index count) const {
  const auto sphere = sphere_for(k_ * radius_);
  std::vector<double> power(std::size_t(count), 0.0);
  for (Index first = 0; first < count; first += batch()) {
    const Index here = std::min(batch(), count - first);
    const auto m = moments(x + Offset(first) * system_.num_unknowns(), here);
    radiate(m, here, sphere.unit, [&](std::size_t d, Index c, Vec3<Complex> sum) {
      power[std::size_t(first + c)] += sphere.weight[d] * squared(sum);
    });
  }
  // |-jk eta/(4 pi)|^2/(2 eta)
  for (double& p : power) p *= vacuum_impedance * k_ * k_ / (32 * pi * pi);
  return power;
}

}  // namespace curlew::ie
