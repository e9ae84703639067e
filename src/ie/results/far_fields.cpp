// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/far_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "quadrature/rules.hpp"

namespace curlew::ie {
namespace {

using Point = Vec3<double>;
using Matrix = RadiatingPoints::Matrix;

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

RadiatingPoints radiating_points(const System& system) {
  const auto& mesh = system.mesh();
  const auto& triangles = system.scene().regions[0].triangles;
  RadiatingPoints out{system.scene().regions[0].k.real(), system.num_unknowns(), {}, {}, {}};
  std::map<std::pair<Index, Index>, Index> numbers;
  std::vector<std::array<Index, 3>> of_triangle;
  for (const Index t : triangles) {
    std::array<Index, 3> own{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Index a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
      const auto [at, is_new] =
          numbers.try_emplace({std::min(a, b), std::max(a, b)}, Index(out.points.size()));
      if (is_new) out.points.push_back(0.5 * (mesh.nodes[a] + mesh.nodes[b]));
      own[i] = at->second;
    }
    of_triangle.push_back(own);
  }
  const auto moments = [&system, &triangles, of_triangle, points = out.points](const Complex* x, Index count,
                                                                               bool magnetic) {
    Matrix m = Matrix::Zero(Eigen::Index(points.size()), 3 * count);
    for (std::size_t n = 0; n < triangles.size(); ++n) {
      const Index t = triangles[n];
      for (Index a = system.space().begin(t); a < system.space().begin(t + 1); ++a) {
        const auto& f = system.space().locals()[a];
        const Index unknown = magnetic ? system.magnetic_unknown(f.function) : f.function;
        if (unknown < 0) continue;
        for (const Index point : of_triangle[n]) {
          const Point g = (f.scale / 6) * (points[std::size_t(point)] - system.mesh().corner(t, f.vertex));
          for (Index c = 0; c < count; ++c) {
            const Complex value = x[Offset(c) * system.num_unknowns() + unknown];
            for (int d = 0; d < 3; ++d) m(point, 3 * c + d) += value * g[d];
          }
        }
      }
    }
    return m;
  };
  out.electric = [moments](const Complex* x, Index count) { return moments(x, count, false); };
  if (system.needs_magnetic(0))
    out.magnetic = [moments](const Complex* x, Index count) { return moments(x, count, true); };
  return out;
}

RadiatingPoints radiating_points(const MixedPotentialSystem& system, int degree) {
  const ElementPoints all = make_points(system.elements, ElementRules(degree));
  RadiatingPoints out{system.k, system.num_unknowns(), {}, {}, {}};
  struct Source {
    std::size_t element, point;
  };
  std::vector<Source> sources;
  for (std::size_t e = 0; e < system.elements.size(); ++e) {
    if (system.elements[e].slope == 0) continue;  // a sheet of charge has no current
    for (auto p = std::size_t(all.offsets[e]); p < std::size_t(all.offsets[e + 1]); ++p)
      out.points.push_back(all.points[p]), sources.push_back({e, p});
  }
  // The equation's currents in A: its vector potential has the factor jk eta0/(4 pi) for those.
  const Complex to_amperes = system.vector_factor / Complex(0, system.k * vacuum_impedance / (4 * pi));
  out.electric = [&system, all, sources, to_amperes](const Complex* x, Index count) {
    Matrix m(Eigen::Index(sources.size()), 3 * count);
    std::vector<Complex> u(4 * system.elements.size());
    for (Index c = 0; c < count; ++c) {
      linalg::multiply(system.sources, x + Offset(c) * system.num_unknowns(), u.data());
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto [e, p] = sources[i];
        for (int d = 0; d < 3; ++d)
          m(Eigen::Index(i), 3 * c + d) = to_amperes * all.weights[p] *
                                          (u[4 * e + std::size_t(d)] + all.from_centre[p][d] * u[4 * e + 3]);
      }
    }
    return m;
  };
  return out;
}

FarFields::FarFields(RadiatingPoints sources) : sources_(std::move(sources)) {
  const auto& points = sources_.points;
  Point low = points.front(), high = low;
  for (const auto& p : points)
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], p[d]), high[d] = std::max(high[d], p[d]);
  centre_ = 0.5 * (low + high);
  for (const auto& p : points) radius_ = std::max(radius_, norm(p - centre_));
}

/// Solutions whose moments take some 100 MB.
Index FarFields::batch() const {
  return Index(std::clamp<std::size_t>((std::size_t(1) << 21) / sources_.points.size(), 1, 64));
}

FarFields::Moments FarFields::moments(const Complex* x, Index count) const {
  return {sources_.electric(x, count), sources_.magnetic ? sources_.magnetic(x, count) : Matrix()};
}

FarFields::Matrix FarFields::phases(std::span<const Point> directions) const {
  Matrix out(Eigen::Index(directions.size()), Eigen::Index(sources_.points.size()));
#pragma omp parallel for num_threads(num_threads())
  for (Eigen::Index p = 0; p < out.cols(); ++p) {
    const Point r = sources_.k * (sources_.points[std::size_t(p)] - centre_);
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
  const auto block = std::clamp<std::size_t>((std::size_t(1) << 22) / sources_.points.size(), 1, 512);
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
    const auto m = moments(x + Offset(first) * sources_.num_unknowns, here);
    radiate(m, here, units, [&](std::size_t d, Index c, Vec3<Complex> sum) {
      const Complex front =
          std::polar(sources_.k * vacuum_impedance / (4 * pi), sources_.k * dot(units[d], centre_)) *
          Complex(0, -1);
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
    const auto one = pattern(x + i * std::size_t(sources_.num_unknowns), 1, directions.subspan(i, 1));
    far.e_theta.push_back(one.e_theta.front()), far.e_phi.push_back(one.e_phi.front());
  }
  return far;
}

std::vector<double> FarFields::powers(const Complex* x, Index count) const {
  const auto sphere = sphere_for(sources_.k * radius_);
  std::vector<double> power(std::size_t(count), 0.0);
  for (Index first = 0; first < count; first += batch()) {
    const Index here = std::min(batch(), count - first);
    const auto m = moments(x + Offset(first) * sources_.num_unknowns, here);
    radiate(m, here, sphere.unit, [&](std::size_t d, Index c, Vec3<Complex> sum) {
      power[std::size_t(first + c)] += sphere.weight[d] * squared(sum);
    });
  }
  // |-jk eta/(4 pi)|^2/(2 eta)
  for (double& p : power) p *= vacuum_impedance * sources_.k * sources_.k / (32 * pi * pi);
  return power;
}

}  // namespace curlew::ie
