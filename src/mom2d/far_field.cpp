// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/far_field.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "green/helmholtz2d.hpp"

namespace curlew::mom2d {
namespace {

/// The nodes of contours that border on the vacuum outside.
template <class F>
void for_outer_nodes(const Solution& s, F&& call) {
  for (std::size_t c = 0; c < s.scene.outer.size(); ++c) {
    if (s.scene.outer[c] != 0) continue;
    for (Offset i = s.nodes.contour_offsets[c]; i < s.nodes.contour_offsets[c + 1]; ++i)
      call(std::size_t(i), c);
  }
}

}  // namespace

std::vector<Complex> far_amplitude(const Solution& s, std::size_t wave, const std::vector<double>& phi) {
  const double k = s.problem.wavenumber;
  const Complex *u = &s.u[wave * std::size_t(s.nodes.size())], *v = &s.v[wave * std::size_t(s.nodes.size())];
  std::vector<Complex> f(phi.size());
#pragma omp parallel for schedule(static)
  for (std::size_t a = 0; a < phi.size(); ++a) {
    const double c = std::cos(phi[a]), d = std::sin(phi[a]);
    Complex sum = 0;
    for_outer_nodes(s, [&](std::size_t i, std::size_t) {
      const Complex source = Complex(0, c * s.nodes.nx[i] + d * s.nodes.ny[i]) * u[i] - v[i];
      sum +=
          k * s.nodes.weight[i] * source * Complex(green::plane_wave2d(k, s.nodes.x[i], s.nodes.y[i], c, d));
    });
    f[a] = sum;
  }
  return f;
}

std::vector<double> echo_width(const Solution& s, std::size_t wave, const std::vector<double>& phi) {
  std::vector<double> width;
  for (const Complex f : far_amplitude(s, wave, phi))
    width.push_back(std::norm(f) / (4 * s.problem.wavenumber));
  return width;
}

CrossSections cross_sections(const Solution& s, std::size_t wave) {
  const double k = s.problem.wavenumber;
  double radius = 0, in = 0;
  const Complex *u = &s.u[wave * std::size_t(s.nodes.size())], *v = &s.v[wave * std::size_t(s.nodes.size())];
  Point2 low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
  for_outer_nodes(s, [&](std::size_t i, std::size_t c) {
    low = {std::min(low.x, s.nodes.x[i]), std::min(low.y, s.nodes.y[i])};
    high = {std::max(high.x, s.nodes.x[i]), std::max(high.y, s.nodes.y[i])};
    // u on an open sheet is a jump: nothing flows into it.
    if (s.problem.bodies[c].contour.closed) in += s.nodes.weight[i] * (std::conj(u[i]) * v[i]).imag();
  });
  radius = 0.5 * std::hypot(high.x - low.x, high.y - low.y);
  // F is band-limited: the trapezoidal rule is exact to rounding from there on.
  const int n = 64 + 4 * int(std::ceil(k * radius));
  std::vector<double> phi;
  for (int i = 0; i < n; ++i) phi.push_back(2 * pi * i / n);
  CrossSections widths{};
  for (const double w : echo_width(s, wave, phi)) widths.scattering += w / n;
  widths.extinction = -far_amplitude(s, wave, {s.phi[wave] + pi}).front().imag() / k;
  widths.absorption = in;
  widths.imbalance =
      std::abs(widths.extinction - widths.scattering - widths.absorption) / std::abs(widths.extinction);
  return widths;
}

}  // namespace curlew::mom2d
