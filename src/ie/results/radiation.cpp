// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/radiation.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "quadrature/rules.hpp"

namespace curlew::ie {

RadiatingPoints radiating_points(const MixedPotentialSystem& system, const Complex* x, int degree) {
  std::vector<Complex> u(4 * system.elements.size());
  linalg::multiply(system.sources, x, u.data());
  const ElementPoints p = make_points(system.elements, ElementRules(degree));
  RadiatingPoints r;
  for (std::size_t e = 0; e < system.elements.size(); ++e) {
    if (system.elements[e].slope == 0) continue;  // a sheet carries charge only
    const Vec3<Complex> j{u[4 * e], u[4 * e + 1], u[4 * e + 2]};
    for (auto i = std::size_t(p.offsets[e]); i < std::size_t(p.offsets[e + 1]); ++i) {
      const Vec3<double> y = p.from_centre[i];
      const Complex q = u[4 * e + 3];
      r.points.push_back(p.points[i]);
      r.current.push_back(p.weights[i] * (j + Vec3<Complex>{q * y.x, q * y.y, q * y.z}));
    }
  }
  return r;
}

Vec3<Complex> far_field(const RadiatingPoints& currents, double k, Complex c, Vec3<double> u) {
  Complex x = 0, y = 0, z = 0;
  for (std::size_t i = 0; i < currents.points.size(); ++i) {
    const Complex phase = std::polar(1.0, k * dot(u, currents.points[i]));
    x += phase * currents.current[i].x, y += phase * currents.current[i].y,
        z += phase * currents.current[i].z;
  }
  const Vec3<Complex> n{c * x, c * y, c * z};
  const Complex along = dot(u, n);
  return n - Vec3<Complex>{along * u.x, along * u.y, along * u.z};
}

std::vector<Vec3<Complex>> far_fields(const RadiatingPoints& currents, double k, Complex c,
                                      const std::vector<Vec3<double>>& directions) {
  std::vector<Vec3<Complex>> out(directions.size());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < directions.size(); ++i) out[i] = far_field(currents, k, c, directions[i]);
  return out;
}

double ScatteringSections::imbalance() const {
  return std::abs(extinction - scattering - absorption) / std::abs(extinction);
}

ScatteringSections scattering_sections(const RadiatingPoints& currents, double k, Complex c,
                                       Vec3<double> direction, Vec3<Complex> amplitude, double absorbed) {
  Vec3<double> lo = currents.points.front(), hi = lo;
  for (const auto& p : currents.points) {
    for (int d = 0; d < 3; ++d) lo[d] = std::min(lo[d], p[d]), hi[d] = std::max(hi[d], p[d]);
  }
  // The far field has harmonics up to about k times the radius, its square twice as many.
  const int degree = int(std::ceil(0.5 * k * norm(hi - lo))) + 8;
  const auto rule = quadrature::gauss_legendre(degree);
  const double incident = std::norm(amplitude.x) + std::norm(amplitude.y) + std::norm(amplitude.z);
  std::vector<Vec3<double>> directions;
  for (int i = 0; i < degree; ++i) {
    const double cosine = 2 * rule.points[std::size_t(i)] - 1, sine = std::sqrt(1 - cosine * cosine);
    for (int j = 0; j < 2 * degree; ++j) {
      const double phi = pi * j / degree;
      directions.push_back({sine * std::cos(phi), sine * std::sin(phi), cosine});
    }
  }
  const auto fields = far_fields(currents, k, c, directions);
  double scattered = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto& f = fields[i];
    scattered += 2 * rule.weights[i / std::size_t(2 * degree)] * (pi / degree) *
                 (std::norm(f.x) + std::norm(f.y) + std::norm(f.z));
  }
  const auto forward = far_field(currents, k, c, direction);
  const Complex overlap = std::conj(amplitude.x) * forward.x + std::conj(amplitude.y) * forward.y +
                          std::conj(amplitude.z) * forward.z;
  return {scattered / incident, absorbed / incident, -4 * pi / k * overlap.imag() / incident};
}

}  // namespace curlew::ie
