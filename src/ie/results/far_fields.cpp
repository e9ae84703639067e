// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/far_fields.hpp"

#include <algorithm>

#include "fields/sphere_rule.hpp"
#include "ie/results/reaction_power.hpp"

namespace curlew::ie {
namespace {

using Point = Vec3<double>;

/// Directions times points above which the reaction is cheaper: minutes on a core, a tenth of a second on a
/// GPU.
constexpr double most_pairs = 2e10;

double squared(Vec3<Complex> a) {
  return std::norm(a.x) + std::norm(a.y) + std::norm(a.z);
}

std::vector<Point> units_of(std::span<const fields::Direction> directions) {
  std::vector<Point> out;
  out.reserve(directions.size());
  for (const auto& d : directions) out.push_back(d.radial());
  return out;
}

/// Radiation of one solution in one direction. @param sums [columns, stride] at solution and direction
Vec3<Complex> vector_of(const Complex* sums, std::size_t stride, bool magnetic, Point u) {
  const Vec3<Complex> j{sums[0], sums[stride], sums[2 * stride]};
  if (!magnetic) return fields::radiation_vector(u, j, {});
  return fields::radiation_vector(u, j, {sums[3 * stride], sums[4 * stride], sums[5 * stride]});
}

}  // namespace

FarFields::FarFields(RadiatingPoints sources, Device device)
    : sources_(std::move(sources)), device_(device), sum_(sources_.points, sources_.k, device) {}

/// Solutions whose moments take some 200 MB.
Index FarFields::batch() const {
  return Index(std::clamp<std::size_t>((std::size_t(1) << 22) / sources_.points.size(), 1, 64));
}

std::vector<Complex> FarFields::sum_all(const Complex* x, Index count, std::span<const Point> units) const {
  const auto m = sources_.moments(x, count);
  return sum_.all({m.data(), std::size_t(m.size())}, units);
}

fields::FarField FarFields::pattern(const Complex* x, Index count,
                                    std::span<const fields::Direction> directions) const {
  const auto units = units_of(directions);
  const std::size_t n = directions.size(), columns = std::size_t(sources_.columns());
  const Complex front(0, -sources_.k * vacuum_impedance / (4 * pi));
  fields::FarField far{count, std::vector<Complex>(std::size_t(count) * n), {}};
  far.e_phi = far.e_theta;
  for (Index first = 0; first < count; first += batch()) {
    const Index here = std::min(batch(), count - first);
    const auto sums = sum_all(x + Offset(first) * sources_.num_unknowns, here, units);
    for (std::size_t d = 0; d < n; ++d) {
      const Point theta = directions[d].theta_unit(), phi = directions[d].phi_unit();
      for (std::size_t c = 0; c < std::size_t(here); ++c) {
        const auto e = vector_of(&sums[columns * c * n + d], n, sources_.has_magnetic, units[d]);
        far.e_theta[(std::size_t(first) + c) * n + d] = front * dot(theta, e);
        far.e_phi[(std::size_t(first) + c) * n + d] = front * dot(phi, e);
      }
    }
  }
  return far;
}

fields::FarField FarFields::each(const Complex* x, std::span<const fields::Direction> directions) const {
  const auto units = units_of(directions);
  const std::size_t n = directions.size();
  const Complex front(0, -sources_.k * vacuum_impedance / (4 * pi));
  fields::FarField far{Index(n), {}, {}};
  for (std::size_t first = 0; first < n; first += std::size_t(batch())) {
    const std::size_t here = std::min(std::size_t(batch()), n - first);
    const auto m = sources_.moments(x + first * std::size_t(sources_.num_unknowns), Index(here));
    const auto sums =
        sum_.each({m.data(), std::size_t(m.size())}, std::span<const Point>(units).subspan(first, here));
    for (std::size_t d = 0; d < here; ++d) {
      const auto e = vector_of(&sums[d], here, sources_.has_magnetic, units[first + d]);
      far.e_theta.push_back(front * dot(directions[first + d].theta_unit(), e));
      far.e_phi.push_back(front * dot(directions[first + d].phi_unit(), e));
    }
  }
  return far;
}

std::vector<double> FarFields::powers(const Complex* x, Index count) const {
  const double pairs =
      double(fields::sphere_rule_size(sources_.k * sum_.radius())) * double(sum_.num_points());
  if (pairs > most_pairs && sources_.charges && !sources_.has_magnetic)
    return reaction_power(sources_, x, count, device_);
  return powers_on_sphere(x, count);
}

std::vector<double> FarFields::powers_on_sphere(const Complex* x, Index count) const {
  const auto sphere = fields::sphere_rule(sources_.k * sum_.radius());
  const std::size_t n = sphere.unit.size(), columns = std::size_t(sources_.columns());
  std::vector<double> power(std::size_t(count), 0.0);
  for (Index first = 0; first < count; first += batch()) {
    const Index here = std::min(batch(), count - first);
    const auto sums = sum_all(x + Offset(first) * sources_.num_unknowns, here, sphere.unit);
    for (std::size_t i = 0; i < std::size_t(here) * n; ++i) {
      const std::size_t c = i / n, d = i % n;
      power[std::size_t(first) + c] +=
          sphere.weight[d] *
          squared(vector_of(&sums[columns * c * n + d], n, sources_.has_magnetic, sphere.unit[d]));
    }
  }
  // |-jk eta/(4 pi)|^2/(2 eta)
  for (double& p : power) p *= vacuum_impedance * sources_.k * sources_.k / (32 * pi * pi);
  return power;
}

}  // namespace curlew::ie
