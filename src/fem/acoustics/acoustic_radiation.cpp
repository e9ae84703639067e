// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_radiation.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fem/lagrange/scalar_boundary.hpp"
#include "fem/open/radiating_surface.hpp"
#include "fields/optical_theorem.hpp"
#include "fields/sphere_rule.hpp"

namespace curlew::fem {
namespace {

constexpr double most_pairs = 1e8;  // of points and directions, for the power of the far field

int degree_of(const LagrangeSpace& space) {
  return 2 * space.order + 4;
}

/// Values at points and, over planes of symmetry, at their images: with_images(SurfacePoints).
std::vector<Complex> with_signs(std::vector<Complex> values, std::span<const fields::SymmetryPlane> planes) {
  for (const auto& plane : planes) {
    const std::size_t n = values.size();
    for (std::size_t i = 0; i < n; ++i) values.push_back((plane.electric ? -1.0 : 1.0) * values[i]);
  }
  return values;
}

/// The far field of pressures and fluxes at points.
class FarSum {
 public:
  FarSum(const fields::SurfacePoints& points, const std::vector<Complex>& pressure,
         const std::vector<Complex>& flux, double k, double density)
      : sum_(points.position, k), k_(k), density_(density) {
    const std::size_t n = points.position.size();
    moments_.resize(4 * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t d = 0; d < 3; ++d)
        moments_[d * n + i] = points.weight[i] * points.normal[i][int(d)] * pressure[i];
      moments_[3 * n + i] = points.weight[i] * flux[i];
    }
  }
  std::vector<Complex> towards(const std::vector<Vec3<double>>& units) const {
    const std::size_t n = units.size();
    const auto sums = sum_.all(moments_, units);
    std::vector<Complex> far;
    for (std::size_t d = 0; d < n; ++d) {
      const Complex along = units[d].x * sums[d] + units[d].y * sums[n + d] + units[d].z * sums[2 * n + d];
      far.push_back((Complex(0, k_) * along - density_ * sums[3 * n + d]) / (4 * pi));
    }
    return far;
  }
  double radius() const { return sum_.radius(); }
  Offset num_points() const { return sum_.num_points(); }

 private:
  fields::PlaneWaveSum sum_;
  double k_, density_;
  std::vector<Complex> moments_;
};

double intensity(Complex pressure, double impedance) {
  return std::norm(pressure) / (2 * impedance);
}

}  // namespace

double SoundSections::imbalance() const {
  return std::abs(extinction - scattering - absorption) / std::max(std::abs(extinction), 1e-300);
}

double SoundPattern::directivity(std::size_t direction, double impedance) const {
  return 4 * pi * intensity(pressure[direction], impedance) / std::max(power, 1e-300);
}

std::size_t SoundPattern::strongest() const {
  return std::size_t(std::ranges::max_element(pressure, {}, [](Complex p) { return std::norm(p); }) -
                     pressure.begin());
}

SoundRadiation::SoundRadiation(const LagrangeSpace& space, const AcousticModel& model)
    : space_(space),
      model_(model),
      exterior_(space, model),
      points_(
          fields::sample_triangles(*space.mesh, exterior_.triangles(), exterior_.sides(), degree_of(space))) {
  require_images(*space.mesh, *space.topology, exterior_.triangles(), model.symmetry.planes,
                 "\"rigid\", \"soft\" or \"ground\"");
}

std::vector<Complex> SoundRadiation::scattered(const AcousticSolution& solution) const {
  std::vector<Complex> u = solution.pressure;
  if (!model_.wave) return u;
  const SoundWave wave = exterior_.wave(solution.frequency);
  const auto trace = exterior_.trace(wave);
  const auto at = node_positions(space_);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] -= trace[i] != 0.0 ? trace[i] : wave.pressure(at[i]);
  return u;
}

/// The sum over images of the structure is one over images of the direction.
std::vector<Complex> SoundRadiation::far_load(const fields::Direction& direction, double frequency) const {
  const auto& planes = model_.symmetry.planes;
  const double k = exterior_.wavenumber(frequency);
  std::vector<Complex> sum(std::size_t(space_.num_nodes));
  for (unsigned images = 0; images < 1U << planes.size(); ++images) {
    Vec3<double> travel = -direction.radial();
    Complex factor = 1;
    for (std::size_t p = 0; p < planes.size(); ++p) {
      if ((images >> p & 1U) == 0) continue;
      const int axis = planes[p].axis;
      factor *=
          (planes[p].electric ? -1.0 : 1.0) * std::polar(1.0, -2 * k * planes[p].position * travel[axis]);
      travel[axis] *= -1;
    }
    const auto load = exterior_.far_load({travel, k});
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * load[i];
  }
  return sum;
}

std::vector<Complex> SoundRadiation::power_load(const AcousticSolution& solution) const {
  auto load = exterior_.power_load(scattered(solution), solution.frequency);
  const Complex factor(0, model_.symmetry.copies() / (4 * pi * solution.frequency));
  for (Complex& value : load) value *= factor;
  return load;
}

SoundPattern SoundRadiation::pattern(const AcousticSolution& solution,
                                     std::span<const fields::Direction> directions,
                                     bool with_far_power) const {
  const double f = solution.frequency, k = exterior_.wavenumber(f), density = exterior_.density();
  const double impedance = density * exterior_.speed(), copies = model_.symmetry.copies();
  const auto u = scattered(solution), load = exterior_.flux_load(u, f);
  const auto& planes = model_.symmetry.planes;
  const auto values = [&](const std::vector<Complex>& x) {
    return with_signs(values_on(space_, exterior_.triangles(), degree_of(space_), x.data()), planes);
  };
  const FarSum far(fields::with_images(points_, planes), values(u), values(exterior_.flux(load)), k, density);
  SoundPattern pattern;
  std::vector<Vec3<double>> units;
  for (const auto& d : directions) units.push_back(d.radial());
  pattern.pressure = far.towards(units);
  if (model_.symmetry.ground) {
    const auto& ground = *model_.symmetry.ground;
    const double side = side_of(*space_.mesh, ground);
    for (std::size_t i = 0; i < units.size(); ++i)
      if (side * units[i][ground.axis] < -1e-9) pattern.pressure[i] = 0;
  }
  Complex work = 0;  // u* flux, and flux = -jw rho v_n / rho
  for (std::size_t i = 0; i < u.size(); ++i) work += std::conj(u[i]) * load[i];
  pattern.power = -copies * work.imag() / (4 * pi * f);
  const double kr = k * far.radius();
  if (with_far_power && double(fields::sphere_rule_size(kr)) * double(far.num_points()) <= most_pairs) {
    const auto rule = fields::sphere_rule(kr);
    const auto all = far.towards(rule.unit);
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) sum += rule.weight[i] * intensity(all[i], impedance);
    pattern.far_power = sum / (model_.symmetry.ground ? 2 : 1);
  }
  if (model_.wave) {
    const SoundWave wave = exterior_.wave(f);
    const Complex forward = far.towards({wave.direction}).front() / wave.amplitude;
    const double incident = intensity(wave.amplitude, impedance);
    pattern.sections = {pattern.power / incident, -copies * solution.power.radiated / incident,
                        -4 * pi / k * forward.imag()};
  }
  return pattern;
}

}  // namespace curlew::fem
