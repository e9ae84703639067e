// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/rounding.hpp"

#include <cmath>
#include <limits>

#include "base/constants.hpp"

namespace curlew::mom2d {
namespace {

/// Relative error of matrix entries: that of the Hankel functions.
constexpr double entry_error = 1e-14;

/// Share of N that remains on a contour: 1 for one region, 0 where those of two regions cancel.
double hypersingular_share(const System& system, Offset first_node) {
  complex<double> sum{};
  double size = 0;
  for (const Block& block : system.blocks) {
    if (block.target != first_node || block.source != first_node) continue;
    for (int r = 0; r < block.num_kernels; ++r) {
      sum = sum + block.kernels[r].hypersingular;
      size += std::abs(Complex(block.kernels[r].hypersingular));
    }
  }
  return size > 0 ? std::abs(Complex(sum)) / size : 0;
}

}  // namespace

double rounding_error(const Solution& s, std::size_t wave) {
  const double k = s.problem.wavenumber, roundoff = std::numeric_limits<double>::epsilon();
  const auto n = std::size_t(s.nodes.size());
  const Complex *u = &s.u[wave * n], *v = &s.v[wave * n];
  double length = 0, square = 0, positions = 0;
  for (std::size_t c = 0; c + 1 < s.nodes.contour_offsets.size(); ++c) {
    const auto begin = std::size_t(s.nodes.contour_offsets[c]),
               end = std::size_t(s.nodes.contour_offsets[c + 1]);
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t next = i + 1 < end ? i + 1 : begin;
      const double apart = std::hypot(s.nodes.x[next] - s.nodes.x[i], s.nodes.y[next] - s.nodes.y[i]);
      length += s.nodes.weight[i];
      square += s.nodes.weight[i] * (std::norm(u[i]) + std::norm(v[i]));
      if (apart > 0) sum += std::norm(u[i]) * std::hypot(s.nodes.x[i], s.nodes.y[i]) / (pi * apart);
    }
    positions += sum * hypersingular_share(s.system, Offset(begin));
  }
  // R changes by two positions, each with two roundings of half an epsilon, and 1/(2 pi R^2) by twice as
  // much.
  const double kernels = 2 * roundoff * positions;
  const double residual = s.report.residual * std::sqrt(length);
  return k * std::sqrt(square) * (entry_error * std::sqrt(square) + residual) + kernels;
}

}  // namespace curlew::mom2d
