// SPDX-License-Identifier: BSD-3-Clause
#include "fields/far_field.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "fields/plane_wave_sum.hpp"

namespace curlew::fields {

namespace {

constexpr std::size_t columns_together = 16;  // right-hand sides that share the exponentials

/// J and M/eta times weights, [6 right-hand sides, points].
std::vector<Complex> current_moments(const SurfacePoints& points, const SurfaceCurrents& currents,
                                     std::size_t first, std::size_t count, double impedance) {
  const std::size_t n = points.position.size();
  std::vector<Complex> out(6 * count * n);
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t i = 0; i < n; ++i)
      for (int x = 0; x < 3; ++x) {
        const std::size_t at = (first + c) * n + i;
        out[(6 * c + std::size_t(x)) * n + i] = points.weight[i] * currents.electric[at][x];
        out[(6 * c + 3 + std::size_t(x)) * n + i] = points.weight[i] / impedance * currents.magnetic[at][x];
      }
  return out;
}

}  // namespace

FarField far_field(const SurfacePoints& points, const SurfaceCurrents& currents,
                   std::span<const Direction> directions, const Exterior& exterior, Device device) {
  const std::size_t n = points.position.size(), m = directions.size();
  const std::size_t count = std::size_t(currents.count);
  if (currents.electric.size() != count * n || currents.magnetic.size() != count * n)
    throw InputError("far field: currents and surface points do not match");
  FarField far{currents.count, std::vector<Complex>(count * m), std::vector<Complex>(count * m)};
  std::vector<Vec3<double>> units;
  for (const Direction& d : directions) units.push_back(d.radial());
  const PlaneWaveSum sum(points.position, exterior.k, device);
  const Complex front = Complex(0, -exterior.k) * exterior.impedance / (4 * pi);
  for (std::size_t first = 0; first < count; first += columns_together) {
    const std::size_t here = std::min(columns_together, count - first);
    const auto sums = sum.all(current_moments(points, currents, first, here, exterior.impedance), units);
    for (std::size_t i = 0; i < here * m && !sums.empty(); ++i) {
      const std::size_t c = i / m, d = i % m;
      const auto of = [&](std::size_t v) {
        const Complex* at = &sums[(6 * c + v) * m + d];
        return Vec3<Complex>{at[0], at[m], at[2 * m]};
      };
      const Vec3<Complex> e = radiation_vector(units[d], of(0), of(3));
      far.e_theta[(first + c) * m + d] = front * dot(directions[d].theta_unit(), e);
      far.e_phi[(first + c) * m + d] = front * dot(directions[d].phi_unit(), e);
    }
  }
  return far;
}

double radiation_intensity(Complex e_theta, Complex e_phi, double impedance) {
  return (std::norm(e_theta) + std::norm(e_phi)) / (2 * impedance);
}

double directivity(Complex e_theta, Complex e_phi, double power, double impedance) {
  return 4 * pi * radiation_intensity(e_theta, e_phi, impedance) / power;
}

double radar_cross_section(Complex e, double incident_amplitude) {
  return 4 * pi * std::norm(e) / (incident_amplitude * incident_amplitude);
}

double axial_ratio_db(Complex e_theta, Complex e_phi) {
  const double power = std::norm(e_theta) + std::norm(e_phi);
  const double difference = std::abs(e_theta * e_theta + e_phi * e_phi);
  const double minor = std::max(power - difference, 0.0);
  if (minor <= 1e-10 * power) return linear_axial_ratio_db;
  return std::min(10 * std::log10((power + difference) / minor), linear_axial_ratio_db);
}

CircularComponents circular_components(Complex e_theta, Complex e_phi) {
  const Complex j(0, 1);
  return {std::sqrt(0.5) * (e_theta + j * e_phi), std::sqrt(0.5) * (e_theta - j * e_phi)};
}

}  // namespace curlew::fields
