// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/refined_sizes.hpp"

#include <algorithm>
#include <cmath>

namespace curlew::mesh {
namespace {

constexpr double max_cut = 3;
/// Power of h with which the error falls at edges: 2α with α = 2/3 (outer corner of metal) to 1/2 (thin
/// sheet).
constexpr double rate = 1.2;

/// How often edges are cut, for a threshold of the share that stays whole.
double cut(double error, double threshold, double exponent) {
  return std::clamp(std::pow(error / threshold, exponent), 1.0, max_cut);
}

}  // namespace

std::vector<double> refined_sizes(const Mesh& mesh, const std::vector<double>& errors, double growth,
                                  MeshUse use) {
  const int dimension = use == MeshUse::volumes ? 3 : 2;
  const double exponent = 1 / (rate + dimension), largest = *std::max_element(errors.begin(), errors.end());
  const auto number_at = [&](double threshold) {
    double number = 0;
    for (const double e : errors) number += std::pow(cut(e, threshold, exponent), dimension);
    return number;
  };
  // Bisection of the threshold's logarithm: fewer elements the higher it is.
  double low = std::log(1e-30 * largest), high = std::log(largest);
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (number_at(std::exp(middle)) > growth * double(errors.size()) ? low : high) = middle;
  }
  std::vector<double> sizes(errors.size());
  for (std::size_t e = 0; e < sizes.size(); ++e)
    sizes[e] =
        element_size(mesh, use, Index(e)) / (largest > 0 ? cut(errors[e], std::exp(high), exponent) : 1);
  return sizes;
}

}  // namespace curlew::mesh
