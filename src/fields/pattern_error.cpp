// SPDX-License-Identifier: BSD-3-Clause
#include "fields/pattern_error.hpp"

#include <algorithm>
#include <cmath>

namespace curlew::fields {
namespace {

/// The change of |E| may pass through zero where that of E does not: at least this part of the latter counts,
/// and this part of the root mean square over the directions.
constexpr double least_share = 0.3;

/// Largest ratio of successive changes that is used, and less safety where the rate is not assumed.
constexpr double slowest = 2.0 / 3, safety_with_rate = 1.5 / order_safety;

/// Changes of the far field in one direction: of |E|, or a share of the change of E.
double field_change(const Complex* e, const Complex* d, std::size_t directions, std::size_t i) {
  const Complex t = e[i], p = e[directions + i], dt = d[i], dp = d[directions + i];
  const double before = std::sqrt(std::norm(t) + std::norm(p)),
               after = std::sqrt(std::norm(t + dt) + std::norm(p + dp)),
               whole = std::sqrt(std::norm(dt) + std::norm(dp));
  return std::max(std::abs(after - before), least_share * whole);
}

double norm_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

std::vector<double> field_changes(const Quantities& q, const Quantities& change, std::size_t first,
                                  std::size_t directions) {
  std::vector<double> changes(directions, 0.0);
  if (change.empty()) return changes;
  for (std::size_t i = 0; i < directions; ++i)
    changes[i] = field_change(&q[first], &change[first], directions, i);
  const double least = least_share * norm_of(changes) / std::sqrt(double(directions));
  for (double& value : changes) value = std::max(value, least);
  return changes;
}

}  // namespace

Changes changes_of(const Quantities& before, const Quantities& finer, const Quantities& moved) {
  Changes changes;
  for (std::size_t i = 0; i < before.size(); ++i) changes.by_order.push_back(finer[i] - before[i]);
  for (std::size_t i = 0; i < moved.size(); ++i) changes.by_shape.push_back(moved[i] - before[i]);
  return changes;
}

double left_by_next_order(int order, double least) {
  if (least <= smooth_ratio) return 0;
  return std::pow(least, std::log(order / (order + 1.0)) / std::log(2.0 / 3));
}

double order_error(double d, int order, double ratio, double least) {
  if (order < 3) return order_safety * d / (1 - left_by_next_order(order, least));
  const double r = std::clamp(ratio, least, 0.7);  // a larger ratio is not trusted
  return order_safety * d * r / (1 - r);
}

double bar_of(const Changes& changes, std::size_t i, double ratio) {
  return order_error(std::abs(changes.by_order[i]), changes.order, ratio, changes.least_ratio) +
         (changes.by_shape.empty() ? 0 : shape_safety * std::abs(changes.by_shape[i]));
}

PatternError pattern_error(const Quantities& q, const Changes& changes, std::size_t first,
                           std::size_t directions, double* ratio_out) {
  const std::size_t m = directions, power = first + 2 * m;
  const auto by_order = field_changes(q, changes.by_order, first, m),
             before = field_changes(q, changes.before, first, m),
             by_shape = field_changes(q, changes.by_shape, first, m);
  const double ratio = norm_of(before) > 0 ? norm_of(by_order) / norm_of(before) : 0;
  PatternError error;
  for (std::size_t i = 0; i < m; ++i) {
    error.strength.push_back(std::sqrt(std::norm(q[first + i]) + std::norm(q[first + m + i])));
    error.field.push_back(order_error(by_order[i], changes.order, ratio, changes.least_ratio) +
                          shape_safety * by_shape[i]);
  }
  const double size = norm_of(error.strength);
  error.relative = norm_of(error.field) / size;
  error.order = order_error(norm_of(by_order), changes.order, ratio, changes.least_ratio) / size;
  error.shape = shape_safety * norm_of(by_shape) / size;
  error.power = bar_of(changes, power, ratio) / std::abs(q[power]);
  if (ratio_out) *ratio_out = ratio;
  return error;
}

PatternError uniform_error(const Quantities& q, std::size_t first, std::size_t directions, double elements,
                           double shape) {
  PatternError error;
  for (std::size_t i = first; i < first + directions; ++i)
    error.strength.push_back(std::sqrt(std::norm(q[i]) + std::norm(q[directions + i])));
  error.field.assign(directions, elements + shape);
  const double size = norm_of(error.strength) / std::sqrt(double(directions));
  error.relative = (elements + shape) / size, error.order = elements / size, error.shape = shape / size;
  return error;
}

PatternError raised(PatternError error, double by) {
  for (double& value : error.field) value += by;
  const double relative = by * std::sqrt(double(error.field.size())) / norm_of(error.strength);
  error.relative += relative, error.order += relative;
  return error;
}

PatternError narrower(PatternError bound, const PatternError& other) {
  constexpr double least = 0.25;
  const double whole = norm_of(bound.field);
  if (whole == 0) return bound;
  for (std::size_t i = 0; i < bound.field.size(); ++i)
    bound.field[i] = std::clamp(other.field[i], least * bound.field[i], bound.field[i]);
  const double part = norm_of(bound.field) / whole;
  for (double* value : {&bound.relative, &bound.order, &bound.shape}) *value *= part;
  return bound;
}

double greatest_of(const PatternError& error, std::size_t directions) {
  return *std::max_element(error.strength.begin(), error.strength.begin() + Offset(directions));
}

double bar_of_square(const PatternError& error, std::size_t directions, double greatest) {
  return 2 * *std::max_element(error.field.begin(), error.field.begin() + Offset(directions)) / greatest;
}

Changes left_after(const Quantities& now, const Quantities& before, double growth) {
  constexpr double least_growth = 1.1, most_growth = 2;  // limits of the rate
  const double left = 1 / (std::clamp(growth, least_growth, most_growth) - 1);
  Changes changes;
  for (std::size_t i = 0; i < now.size(); ++i) changes.by_order.push_back(left * (now[i] - before[i]));
  return changes;
}

Changes left_by_rate(const Quantities& now, const Quantities& before, const Quantities& earlier) {
  Changes changes;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Complex last = now[i] - before[i], first = before[i] - earlier[i];
    const bool goes_on = (last * std::conj(first)).real() > 0;
    const double ratio = goes_on ? std::min(std::abs(last / first), slowest) : 0;
    changes.by_order.push_back(safety_with_rate * ratio / (1 - ratio) * last);
  }
  return changes;
}

Changes left_at_slowest(const Quantities& now, const Quantities& before) {
  Changes changes;
  for (std::size_t i = 0; i < now.size(); ++i)
    changes.by_order.push_back(safety_with_rate * slowest / (1 - slowest) * (now[i] - before[i]));
  return changes;
}

Changes greater(Changes changes, const Changes& other) {
  for (std::size_t i = 0; i < other.by_order.size(); ++i)
    if (std::abs(other.by_order[i]) > std::abs(changes.by_order[i])) changes.by_order[i] = other.by_order[i];
  return changes;
}

}  // namespace curlew::fields
