// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/ngim_radiation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "linalg/krylov/random_vector.hpp"

namespace curlew::truncation {

namespace {

constexpr std::size_t num_samples = 200;
// Of n Gaussian errors the largest is about sqrt(2 ln n) standard deviations: among a million observers 1.6
// times what 200 show, while the largest field, which varies less from place to place, is 1.2 times theirs.
constexpr double random_safety = 0.75;
// The incident wave's part of the currents radiates nothing, but its error is as large as the other part's.
constexpr double smooth_safety = 0.5;
constexpr int most_attempts = 4;
// Errors of E over those of the potentials whose two derivatives it is: 4 to 15 where the surfaces are not
// farther apart than a leaf is wide, and more where they are.
constexpr double first_share = 1.0 / 30, next_share = 0.6;
// Single precision is tried from these tolerances on, of the fields and of the potentials ...
constexpr double least_single = 1e-5, least_single_potential = 1e-6;
constexpr double leaf_points = 500;  // ... where leaves of about so many points are a radian wide

/// Two derivatives of grids of order q amplify rounding by q^4, and the resulting fields are smaller by (k
/// leaf)^2.
bool single_may_serve(const fields::SurfacePoints& sources, double k, double tolerance) {
  double area = 0;
  for (const double w : sources.weight) area += w;
  const double leaf = leaf_points * area / double(std::max<Offset>(sources.size(), 1));
  return tolerance >= least_single && k * k * leaf >= 1;
}

/// Reference for the error of an attempt: fields of trial currents at some of the observers, by all pairs.
struct Trial {
  std::vector<std::size_t> which;
  fields::SurfaceCurrents currents;  ///< smooth, random
  fields::NearFields exact;
};

/// J = n x H of one plane wave with M = -n x E of another (both of one wave radiate nothing), and currents
/// that are random from point to point: the fields of the first cancel most, those of the second least.
fields::SurfaceCurrents trial_currents(const fields::SurfacePoints& points,
                                       const fields::Exterior& exterior) {
  const auto n = std::size_t(points.size());
  fields::SurfaceCurrents currents(2, points.size());
  const Vec3<double> along[2] = {{0.48, 0.6, 0.64}, {0.64, -0.48, -0.6}},
                     e[2] = {{0.8, 0, -0.6}, {0, 0.6, -0.48}};
  Offset drawn = 0;
  const auto random = [&] {
    const auto z = linalg::random_entry<double>(drawn++);
    return Complex(z.re, z.im);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const auto wave = [&](int c) { return std::polar(1.0, -exterior.k * dot(along[c], points.position[i])); };
    const auto transverse = [&](int c) { return e[c] - dot(e[c], along[c]) * along[c]; };
    currents.electric[i] =
        (wave(0) / exterior.impedance) * cross(points.normal[i], cross(along[0], transverse(0)));
    currents.magnetic[i] = -wave(1) * cross(points.normal[i], transverse(1));
    for (int x = 0; x < 3; ++x) {
      currents.electric[n + i][x] = random() / exterior.impedance;
      currents.magnetic[n + i][x] = random();
    }
  }
  return currents;
}

Trial make_trial(const fields::SurfacePoints& sources, std::span<const Vec3<double>> observers,
                 const fields::Exterior& exterior) {
  Trial trial;
  const std::size_t m = observers.size(), count = std::min(m, num_samples);
  if (count == 0 || sources.size() == 0) return trial;
  std::vector<Vec3<double>> some;
  for (std::size_t i = 0; i < count; ++i) {
    trial.which.push_back(i * m / count);
    some.push_back(observers[trial.which.back()]);
  }
  trial.currents = trial_currents(sources, exterior);
  trial.exact = fields::radiate(sources, trial.currents, some, exterior);
  return trial;
}

/// Largest difference to all pairs over the largest field there, of E and of curl E, smooth and random: the
/// largest of the four over its part of the tolerance.
double judged_error(const Trial& trial, const fields::NearFields& fast) {
  const std::size_t count = trial.which.size();
  const std::size_t m = count == 0 ? 0 : fast.e.size() / 2;
  const auto size = [](Vec3<Complex> v) {
    return std::sqrt(std::norm(v.x) + std::norm(v.y) + std::norm(v.z));
  };
  double worst = 0;
  for (std::size_t c = 0; c < 2; ++c)
    for (int part = 0; part < 2; ++part) {
      const auto& want = part == 0 ? trial.exact.e : trial.exact.curl;
      const auto& got = part == 0 ? fast.e : fast.curl;
      double error = 0, largest = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const double difference = size(got[c * m + trial.which[i]] - want[c * count + i]);
        if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
        error = std::max(error, difference);
        largest = std::max(largest, size(want[c * count + i]));
      }
      if (error > 0) worst = std::max(worst, error / largest / (c == 0 ? smooth_safety : random_safety));
    }
  return worst;
}

}  // namespace

NgimRadiation::NgimRadiation(const fields::SurfacePoints& sources, std::span<const Vec3<double>> observers,
                             const fields::Exterior& exterior, double tolerance, Device device,
                             Offset leaf_size)
    : exterior_(exterior) {
  if (!(exterior.k > 0 && std::isfinite(exterior.k)) || !(exterior.impedance > 0))
    throw InputError("radiation: wavenumber and impedance of the exterior must be positive");
  for (const double w : sources.weight) weights_.push_back(w / (4 * pi));
  ngim::Options options;
  options.tolerance = tolerance * first_share;
  options.device = device, options.currents = true, options.leaf_size = leaf_size;
  if (single_may_serve(sources, exterior.k, tolerance)) options.precision = ngim::Precision::single_precision;
  const Trial trial = make_trial(sources, observers, exterior);
  for (int attempt = 0;; ++attempt) {
    plan_ = std::make_unique<ngim::Plan>(sources.position, observers, exterior.k, options);
    measured_error_ = trial.which.empty() ? 0 : judged_error(trial, apply(trial.currents));
    if (measured_error_ <= tolerance) return;
    if (attempt + 1 == most_attempts)
      throw NumericalError(
          fmt::format("NGIM radiation: error {:.2e}, {:.2e} is required", measured_error_, tolerance));
    options.tolerance *= std::clamp(next_share * tolerance / measured_error_, 0.01, 0.5);
    // An error that the second attempt has not reduced is rounding.
    if (attempt == 1 || options.tolerance < least_single_potential)
      options.precision = ngim::Precision::double_precision;
  }
}

fields::NearFields NgimRadiation::apply(const fields::SurfaceCurrents& currents) const {
  const auto n = std::size_t(plan_->num_sources()), m = std::size_t(plan_->num_observers());
  if (currents.electric.size() != std::size_t(currents.count) * n ||
      currents.magnetic.size() != currents.electric.size())
    throw InputError("radiation: currents and surface points do not match");
  fields::NearFields fields;
  fields.count = currents.count;
  fields.e.resize(std::size_t(currents.count) * m);
  fields.curl.resize(fields.e.size());
  std::vector<Complex> source(6 * n), field(6 * m);
  const double k = exterior_.k;
  for (std::size_t c = 0; c < std::size_t(currents.count); ++c) {
#pragma omp parallel for
    for (std::size_t i = 0; i < n; ++i) {
      for (int x = 0; x < 3; ++x) {
        const Complex u = Complex(0, -exterior_.impedance * weights_[i]) * currents.electric[c * n + i][x];
        const Complex v = weights_[i] * currents.magnetic[c * n + i][x];
        source[std::size_t(x) * n + i] = u + v, source[std::size_t(3 + x) * n + i] = u - v;
      }
    }
    plan_->apply(source.data(), 6, field.data());
#pragma omp parallel for
    for (std::size_t i = 0; i < m; ++i) {
      for (int x = 0; x < 3; ++x) {
        const Complex plus = field[std::size_t(x) * m + i], minus = field[std::size_t(3 + x) * m + i];
        fields.e[c * m + i][x] = (plus + minus) / (2 * k);
        fields.curl[c * m + i][x] = 0.5 * (minus - plus);
      }
    }
  }
  return fields;
}

}  // namespace curlew::truncation
