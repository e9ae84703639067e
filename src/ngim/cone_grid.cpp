// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/cone_grid.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/constants.hpp"

namespace curlew::ngim {
namespace {

/// exp(-jk(R - r)) r/R of a source in the box: what the grid interpolates.
Complex compensated(Vec3<double> point, Vec3<double> source, Complex kappa) {
  const double r = norm(point), distance = norm(point - source);
  return std::exp(Complex(0, -1) * kappa * (distance - r)) * (r / distance);
}

/// Relative rms error of interpolating along one coordinate (0: s, 1: u) of random segments.
double line_error(const ConeGrid& grid, Complex kappa, int coordinate) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  const int p = coordinate == 0 ? grid.radial_order : grid.angular_order;
  double error = 0, total = 0;
  for (int sample = 0; sample < 60; ++sample) {
    Vec3<double> source{uniform(random), uniform(random), uniform(random)};
    if (sample % 2) source[int(random() % 3)] = 0.5;  // half on the faces, where the phase varies most
    int segment = int(random() % std::uint64_t(grid.num_segments()));
    if (sample % 3 == 0)
      segment = segment / grid.radial_segments * grid.radial_segments + grid.radial_segments - 1;
    double c[3] = {uniform(random), uniform(random), uniform(random)};
    std::vector<Complex> f(p);
    for (int i = 0; i < p; ++i) {
      c[coordinate] = chebyshev_node<double>(i, p);
      f[i] = compensated(cone_position(grid, segment, c[0], c[1], c[2]), source, kappa);
    }
    for (int trial = 0; trial < 8; ++trial) {
      const double x = trial == 0 ? 0.5 : uniform(random);
      c[coordinate] = x;
      Complex value = 0;
      for (int m = 0; m < p; ++m) {
        Complex coefficient = 0;
        for (int i = 0; i < p; ++i) coefficient += f[i] * std::cos(m * (i + 0.5) * pi / p);
        value +=
            coefficient * ((m == 0 ? 1.0 : 2.0) / p) * std::cos(m * std::acos(std::clamp(2 * x, -1.0, 1.0)));
      }
      const Complex exact = compensated(cone_position(grid, segment, c[0], c[1], c[2]), source, kappa);
      error += std::norm(value - exact);
      total += std::norm(exact);
    }
  }
  return std::sqrt(error / total);
}

}  // namespace

ConeGrid choose_cone_grid(Complex kappa, double error, double r_max) {
  ConeGrid grid;
  const double digits = -std::log10(error);
  grid.angular_order = std::clamp(int(std::lround(1.25 * digits + 2.5)), 4, 16);
  grid.radial_order = std::clamp(grid.angular_order - 1, 3, 16);
  // Where the field has fallen by exp(-40) it is negligible; without this bound its compensation would
  // overflow.
  const double decay = -kappa.imag();
  if (decay > 0) r_max = std::min(r_max, 1.0 + 40.0 / decay);
  grid.s_max = 1 / 1.4999;
  grid.s_min = std::min(1 / (r_max * 1.0001), 0.999 * grid.s_max);
  const int most = 4 + int(std::abs(kappa));  // one segment per radian is always enough at these orders
  while (grid.angular_segments < most && line_error(grid, kappa, 1) > 0.5 * error) ++grid.angular_segments;
  while (grid.radial_segments < most && line_error(grid, kappa, 0) > 0.5 * error) ++grid.radial_segments;
  grid.error = std::hypot(line_error(grid, kappa, 0), std::sqrt(2.0) * line_error(grid, kappa, 1));
  return grid;
}

}  // namespace curlew::ngim
