// SPDX-License-Identifier: BSD-3-Clause
#include "fields/far_field.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace curlew::fields {

FarField far_field(const SurfacePoints& points, const SurfaceCurrents& currents,
                   std::span<const Direction> directions, const Exterior& exterior) {
  const std::size_t n = points.position.size(), m = directions.size();
  const std::size_t count = std::size_t(currents.count);
  if (currents.electric.size() != count * n || currents.magnetic.size() != count * n)
    throw InputError("far field: the currents do not belong to these surface points");
  FarField far{currents.count, std::vector<Complex>(count * m), std::vector<Complex>(count * m)};
  const Complex front = Complex(0, -exterior.k) / (4 * pi);
#pragma omp parallel num_threads(num_threads())
  {
    std::vector<Complex> phase(n);
#pragma omp for schedule(dynamic)
    for (std::size_t d = 0; d < m; ++d) {
      const Vec3<double> r = directions[d].radial(), t = directions[d].theta_unit(),
                         p = directions[d].phi_unit();
      for (std::size_t i = 0; i < n; ++i) {
        const double angle = exterior.k * dot(r, points.position[i]);
        phase[i] = points.weight[i] * Complex(std::cos(angle), std::sin(angle));
      }
      for (std::size_t c = 0; c < count; ++c) {
        Vec3<Complex> j{}, v{};
        for (std::size_t i = 0; i < n; ++i) {
          j += phase[i] * currents.electric[c * n + i];
          v += phase[i] * currents.magnetic[c * n + i];
        }
        // (M x r^).theta^ = M.phi^ and (M x r^).phi^ = -M.theta^
        far.e_theta[c * m + d] = front * (exterior.impedance * dot(j, t) + dot(v, p));
        far.e_phi[c * m + d] = front * (exterior.impedance * dot(j, p) - dot(v, t));
      }
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
  if (minor <= 1e-16 * power) return std::numeric_limits<double>::infinity();
  return 10 * std::log10((power + difference) / minor);
}

CircularComponents circular_components(Complex e_theta, Complex e_phi) {
  const Complex j(0, 1);
  return {std::sqrt(0.5) * (e_theta + j * e_phi), std::sqrt(0.5) * (e_theta - j * e_phi)};
}

}  // namespace curlew::fields
