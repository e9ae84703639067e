// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/ngim_radiation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::truncation {

namespace {

constexpr std::size_t num_samples = 200;
constexpr double safety = 0.1;  // fields of J and M may cancel, samples may miss the largest error
constexpr int most_attempts = 4;

/// J = n x H of one plane wave, M = -n x E of another: each alone, since both of one wave radiate nothing.
fields::SurfaceCurrents wave_currents(const fields::SurfacePoints& points, const fields::Exterior& exterior) {
  const auto n = std::size_t(points.size());
  fields::SurfaceCurrents currents(2, points.size());
  const Vec3<double> along[2] = {{0.48, 0.6, 0.64}, {0.64, -0.48, -0.6}},
                     e[2] = {{0.8, 0, -0.6}, {0, 0.6, -0.48}};
  for (std::size_t c = 0; c < 2; ++c) {
    const Vec3<double> transverse = e[c] - dot(e[c], along[c]) * along[c], h = cross(along[c], transverse);
    for (std::size_t i = 0; i < n; ++i) {
      const Complex phase = std::polar(1.0, -exterior.k * dot(along[c], points.position[i]));
      if (c == 0)
        currents.electric[i] = (phase / exterior.impedance) * cross(points.normal[i], h);
      else
        currents.magnetic[n + i] = -phase * cross(points.normal[i], transverse);
    }
  }
  return currents;
}

/// Largest difference to all pairs at sampled observers over the largest field there, of E and of curl E.
double sampled_error(const NgimRadiation& radiation, const fields::SurfacePoints& sources,
                     std::span<const Vec3<double>> observers, const fields::Exterior& exterior) {
  const std::size_t m = observers.size(), count = std::min(m, num_samples);
  if (count == 0 || sources.size() == 0) return 0;
  std::vector<Vec3<double>> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(observers[i * m / count]);
  const auto currents = wave_currents(sources, exterior);
  const auto exact = fields::radiate(sources, currents, some, exterior), fast = radiation.apply(currents);
  const auto size = [](Vec3<Complex> v) {
    return std::sqrt(std::norm(v.x) + std::norm(v.y) + std::norm(v.z));
  };
  double error[2] = {}, largest[2] = {};
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t i = 0; i < count; ++i)
      for (int part = 0; part < 2; ++part) {
        const auto& want = (part == 0 ? exact.e : exact.curl)[c * count + i];
        const auto& got = (part == 0 ? fast.e : fast.curl)[c * m + i * m / count];
        error[part] = std::max(error[part], size(got - want));
        largest[part] = std::max(largest[part], size(want));
      }
  return std::max(error[0] / largest[0], error[1] / largest[1]);
}

/// Two derivatives of potentials that vary over a leaf: their errors grow with the square of wavelength over
/// leaf. A first guess from leaves of about 100 points.
double first_share(const fields::SurfacePoints& sources, double k) {
  double area = 0;
  for (const double w : sources.weight) area += w;
  const double leaf = 100 * area / double(std::max<Offset>(sources.size(), 1));
  return std::clamp(k * k * leaf / 20, 0.002, 0.3);
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
  options.tolerance = tolerance * first_share(sources, exterior.k);
  options.device = device, options.currents = true, options.leaf_size = leaf_size;
  for (int attempt = 0;; ++attempt) {
    plan_ = std::make_unique<ngim::Plan>(sources.position, observers, exterior.k, options);
    measured_error_ = sampled_error(*this, sources, observers, exterior);
    if (measured_error_ <= safety * tolerance) return;
    if (attempt + 1 == most_attempts)
      throw NumericalError(
          fmt::format("NGIM radiation: error {:.2e}, {:.2e} was asked", measured_error_, tolerance));
    options.tolerance *= std::clamp(0.7 * safety * tolerance / measured_error_, 0.02, 0.5);
  }
}

fields::NearFields NgimRadiation::apply(const fields::SurfaceCurrents& currents) const {
  const auto n = std::size_t(plan_->num_sources()), m = std::size_t(plan_->num_observers());
  if (currents.electric.size() != std::size_t(currents.count) * n ||
      currents.magnetic.size() != currents.electric.size())
    throw InputError("radiation: the currents do not belong to these surface points");
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
