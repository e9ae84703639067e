// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/cell_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/size_field.hpp"

namespace curlew::fem {
namespace {

constexpr double max_cut = 3;
/// Of the share by which it falls with h, at edges: 2α with α = 2/3 (outer corner of metal) to 1/2 (thin
/// sheet).
constexpr double rate = 1.2;

/// How often edges are cut, for a threshold of the share that stays whole.
double cut(double error, double threshold, double exponent) {
  return std::clamp(std::pow(error / threshold, exponent), 1.0, max_cut);
}

}  // namespace

std::vector<double> refined_sizes(const mesh::Mesh& mesh, const std::vector<double>& errors, double growth) {
  const double exponent = 1 / (rate + 3), largest = *std::max_element(errors.begin(), errors.end());
  const auto cells_at = [&](double threshold) {
    double cells = 0;
    for (const double e : errors) cells += std::pow(cut(e, threshold, exponent), 3);
    return cells;
  };
  // Bisection of the threshold's logarithm: fewer cells the higher it is.
  double low = std::log(1e-30 * largest), high = std::log(largest);
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (cells_at(std::exp(middle)) > growth * double(errors.size()) ? low : high) = middle;
  }
  std::vector<double> sizes(errors.size());
  for (std::size_t c = 0; c < sizes.size(); ++c)
    sizes[c] = mesh::cell_size(mesh, Index(c)) / (largest > 0 ? cut(errors[c], std::exp(high), exponent) : 1);
  return sizes;
}

}  // namespace curlew::fem
