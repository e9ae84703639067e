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

double least_cut(Widening widening) {
  return widening == Widening::yes ? min_cut : 1;
}

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

/// Fraction of its error that is left in a smooth cell whose order rises: the hierarchical parts fall by
/// smooth_decay or more from order to order.
constexpr double left_by_order = smooth_decay / (1 - smooth_decay);

/// Unknowns of a cell among many: 1.2 edges, 2 faces and itself.
double unknowns_of_cell(int order) {
  return order == 1 ? 1.2 : (order == 2 ? 6.4 : 18.6);
}

double unknowns_of(const std::vector<std::int8_t>& orders) {
  double unknowns = 0;
  for (const auto order : orders) unknowns += unknowns_of_cell(order);
  return unknowns;
}

/// Raises the order of all cells that may rise if that suffices for the target error. @returns whether it
/// does, with at most `most` times the unknowns
bool rise_alone(const std::vector<double>& errors, const std::vector<char>& is_free, double most,
                double wanted, std::vector<std::int8_t>& orders) {
  double whole = 0, left = 0;
  auto risen = orders;
  for (std::size_t c = 0; c < errors.size(); ++c) {
    const bool rises = is_free[c] && orders[c] == 2;
    whole += errors[c];
    left += errors[c] * (rises ? left_by_order : 1);
    if (rises) ++risen[c];
  }
  if (left > wanted * whole || unknowns_of(risen) > most * unknowns_of(orders)) return false;
  orders = std::move(risen);
  return true;
}

}  // namespace

double elements_of_order_two(const Mesh& mesh, MeshUse use) {
  return mesh.element_orders.empty() ? double(num_elements(mesh, use))
                                     : unknowns_of(mesh.element_orders) / unknowns_of_cell(2);
}

std::vector<double> refined_sizes(const Mesh& mesh, const std::vector<double>& errors, double growth,
                                  MeshUse use, Widening widening) {
  const int dimension = use == MeshUse::volumes ? 3 : 2;
  const double least = least_cut(widening);
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
                                        const std::vector<char>& is_free, double growth, double most,
                                        double wanted, Widening widening) {
  SizesAndOrders next{std::vector<double>(errors.size()), orders};
  for (std::size_t c = 0; c < errors.size(); ++c)
    next.sizes[c] = element_size(mesh, MeshUse::volumes, Index(c));
  if (rise_alone(errors, is_free, most, wanted, next.orders)) return next;
  const double largest = *std::max_element(errors.begin(), errors.end());
  if (largest <= 0) return next;
  const double least = least_cut(widening);
  const auto next_order = [&](std::size_t c, double threshold) {
    if (!is_free[c]) return int(orders[c]);
    if (orders[c] == 2) return errors[c] > threshold ? 3 : 2;
    return errors[c] < left_by_order * threshold ? 2 : 3;
  };
  const double threshold = find_threshold(largest, growth * unknowns_of(orders), [&](double at) {
    double number = 0;
    for (std::size_t c = 0; c < errors.size(); ++c) {
      const int order = next_order(c, at);
      number +=
          unknowns_of_cell(order) * (order == orders[c] ? std::pow(cut(errors[c], at, 3, least), 3) : 1);
    }
    return number;
  });
  for (std::size_t c = 0; c < errors.size(); ++c) {
    next.orders[c] = std::int8_t(next_order(c, threshold));
    if (next.orders[c] == orders[c]) next.sizes[c] /= cut(errors[c], threshold, 3, least);
  }
  return next;
}

bool keeps_mesh(const SizeField& field) {
  for (Index e = 0; e < num_elements(field.mesh, field.use); ++e)
    if (field.sizes[std::size_t(e)] < element_size(field.mesh, field.use, e) * (1 - 1e-9)) return false;
  return true;
}

}  // namespace curlew::mesh
