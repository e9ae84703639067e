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

/// Edges become at most 4/3 as long: errors are sums over chosen results and frequencies, not over all.
constexpr double min_cut = 0.75;
/// The same power for elements whose error is below the threshold: smooth fields, order 2.
constexpr double smooth_rate = 4;

/// Divisor of edges, for the error of an element that keeps its size (the threshold). Below 1 in elements
/// that are smaller than their error requires: with unchanged sizes Gmsh makes 1.5 times as many elements as
/// prescribed, and each pass would do so again.
double cut(double error, double threshold, int dimension, double least) {
  const double share = error / threshold, power = share > 1 ? rate : smooth_rate;
  return std::clamp(std::pow(share, 1 / (power + dimension)), least, max_cut);
}

/// The threshold at which the mesh has the number of elements, or unknowns, that is asked for: they are fewer
/// the higher it is. By bisection of its logarithm.
template <class NumberAt>
double find_threshold(double largest, double wanted, NumberAt number_at) {
  double low = std::log(1e-30 * largest), high = std::log(largest);
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (number_at(std::exp(middle)) > wanted ? low : high) = middle;
  }
  return std::exp(high);
}

/// Unknowns of a cell among many: 1.2 edges, 2 faces and itself.
double unknowns_of_cell(int order) {
  return order == 1 ? 1.2 : (order == 2 ? 6.4 : 18.6);
}

/// Fraction of its error that is left in a smooth cell whose order rises: the hierarchical parts fall by
/// smooth_decay or more from order to order.
constexpr double left_by_order = smooth_decay / (1 - smooth_decay);

/// Raises the order of the smooth cells if that suffices for the target error. @returns whether it does
bool rise_alone(const std::vector<double>& errors, const std::vector<char>& is_smooth, double wanted,
                std::vector<std::int8_t>& orders) {
  double whole = 0, left = 0;
  for (std::size_t c = 0; c < errors.size(); ++c) {
    whole += errors[c];
    left += errors[c] * (is_smooth[c] ? left_by_order : 1);
  }
  if (left > wanted * whole) return false;
  for (std::size_t c = 0; c < errors.size(); ++c)
    if (is_smooth[c]) ++orders[c];
  return true;
}

}  // namespace

std::vector<double> refined_sizes(const Mesh& mesh, const std::vector<double>& errors, double growth,
                                  MeshUse use, Widening widening) {
  const int dimension = use == MeshUse::volumes ? 3 : 2;
  const double least = widening == Widening::yes ? min_cut : 1;
  const double largest = *std::max_element(errors.begin(), errors.end());
  const double threshold = find_threshold(largest, growth * double(errors.size()), [&](double at) {
    double number = 0;
    for (const double e : errors) number += std::pow(cut(e, at, dimension, least), dimension);
    return number;
  });
  std::vector<double> sizes(errors.size());
  for (std::size_t e = 0; e < sizes.size(); ++e)
    sizes[e] =
        element_size(mesh, use, Index(e)) / (largest > 0 ? cut(errors[e], threshold, dimension, least) : 1);
  return sizes;
}

SizesAndOrders refined_sizes_and_orders(const Mesh& mesh, const std::vector<double>& errors,
                                        const std::vector<std::int8_t>& orders,
                                        const std::vector<char>& is_smooth, double growth, double wanted) {
  SizesAndOrders next{std::vector<double>(errors.size()), orders};
  for (std::size_t c = 0; c < errors.size(); ++c)
    next.sizes[c] = element_size(mesh, MeshUse::volumes, Index(c));
  if (rise_alone(errors, is_smooth, wanted, next.orders)) return next;
  const double largest = *std::max_element(errors.begin(), errors.end());
  if (largest <= 0) return next;
  const auto rises = [&](std::size_t c, double threshold) { return is_smooth[c] && errors[c] > threshold; };
  double unknowns = 0;
  for (const auto order : orders) unknowns += unknowns_of_cell(order);
  const double threshold = find_threshold(largest, growth * unknowns, [&](double at) {
    double number = 0;
    for (std::size_t c = 0; c < errors.size(); ++c)
      number += rises(c, at) ? unknowns_of_cell(orders[c] + 1)
                             : unknowns_of_cell(orders[c]) * std::pow(cut(errors[c], at, 3, 1), 3);
    return number;
  });
  for (std::size_t c = 0; c < errors.size(); ++c) {
    if (rises(c, threshold))
      ++next.orders[c];
    else
      next.sizes[c] /= cut(errors[c], threshold, 3, 1);
  }
  return next;
}

bool keeps_mesh(const SizeField& field) {
  for (Index e = 0; e < num_elements(field.mesh, field.use); ++e)
    if (field.sizes[std::size_t(e)] < element_size(field.mesh, field.use, e) * (1 - 1e-9)) return false;
  return true;
}

}  // namespace curlew::mesh
