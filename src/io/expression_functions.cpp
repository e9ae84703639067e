// SPDX-License-Identifier: BSD-3-Clause
#include "io/expression_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"

namespace curlew::io {
namespace {

constexpr Dimension radian{0, 0, 0, 0, 0, 1};

struct Constant {
  const char* name;
  double value;
  Dimension dimension;
};
constexpr Constant constants[] = {{"pi", pi, {}},
                                  {"c0", speed_of_light, {1, 0, -1}},
                                  {"eps0", vacuum_permittivity, {-3, -1, 4, 2}},
                                  {"mu0", vacuum_permeability, {1, 1, -2, -2}},
                                  {"eta0", vacuum_impedance, {2, 1, -3, -2}}};

using Real = double (*)(double);
struct Function {
  const char* name;
  Real apply;
  enum class Units { plain, of_angle, to_angle, kept } units;
};
using Units = Function::Units;
constexpr Function functions[] = {{"exp", [](double x) { return std::exp(x); }, Units::plain},
                                  {"log", [](double x) { return std::log(x); }, Units::plain},
                                  {"log10", [](double x) { return std::log10(x); }, Units::plain},
                                  {"sin", [](double x) { return std::sin(x); }, Units::of_angle},
                                  {"cos", [](double x) { return std::cos(x); }, Units::of_angle},
                                  {"tan", [](double x) { return std::tan(x); }, Units::of_angle},
                                  {"asin", [](double x) { return std::asin(x); }, Units::to_angle},
                                  {"acos", [](double x) { return std::acos(x); }, Units::to_angle},
                                  {"atan", [](double x) { return std::atan(x); }, Units::to_angle},
                                  {"sinh", [](double x) { return std::sinh(x); }, Units::plain},
                                  {"cosh", [](double x) { return std::cosh(x); }, Units::plain},
                                  {"tanh", [](double x) { return std::tanh(x); }, Units::plain},
                                  {"floor", [](double x) { return std::floor(x); }, Units::plain},
                                  {"ceil", [](double x) { return std::ceil(x); }, Units::plain},
                                  {"round", [](double x) { return std::round(x); }, Units::plain},
                                  {"abs", [](double x) { return std::abs(x); }, Units::kept}};

Quantity call_one(const Function& function, const Quantity& x) {
  const bool is_angle = same_dimension(x.dimension, radian);
  if (function.units != Units::kept && !is_plain(x.dimension) &&
      !(function.units == Units::of_angle && is_angle))
    throw ArgumentError(fmt::format("{}() takes {}, not {}", function.name,
                                    function.units == Units::of_angle ? "an angle" : "a plain number",
                                    unit_name(x.dimension)));
  const double value = function.apply(x.value);
  if (!std::isfinite(value))
    throw ArgumentError(fmt::format("{}({}) is not a finite number", function.name, x.value));
  if (function.units == Units::kept) return {value, x.dimension, x.has_unit};
  if (function.units == Units::to_angle) return {value, radian, true};
  return {value, {}, false};
}

void require_same(const std::string& name, const std::vector<Quantity>& arguments) {
  for (const auto& argument : arguments)
    if (!same_dimension(argument.dimension, arguments[0].dimension))
      throw ArgumentError(fmt::format("{}() of {} and of {}: the units differ", name,
                                      unit_name(arguments[0].dimension), unit_name(argument.dimension)));
}

Quantity call_many(const std::string& name, const std::vector<Quantity>& arguments) {
  require_same(name, arguments);
  const Quantity &a = arguments[0], &b = arguments[1];
  if (name == "hypot") return {std::hypot(a.value, b.value), a.dimension, a.has_unit || b.has_unit};
  if (name == "atan2") return {std::atan2(a.value, b.value), radian, true};
  const auto less = [](const Quantity& p, const Quantity& q) { return p.value < q.value; };
  return name == "min" ? *std::min_element(arguments.begin(), arguments.end(), less)
                       : *std::max_element(arguments.begin(), arguments.end(), less);
}

}  // namespace

std::optional<Quantity> find_constant(const std::string& name) {
  for (const auto& constant : constants)
    if (name == constant.name)
      return Quantity{constant.value, constant.dimension, !is_plain(constant.dimension)};
  return std::nullopt;
}

const std::vector<std::string>& constant_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    for (const auto& constant : constants) list.emplace_back(constant.name);
    return list;
  }();
  return all;
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list{"sqrt", "min", "max", "hypot", "atan2"};
    for (const auto& function : functions) list.emplace_back(function.name);
    return list;
  }();
  return all;
}

Quantity call_function(const std::string& name, const std::vector<Quantity>& arguments) {
  const bool any_count = name == "min" || name == "max";
  const std::size_t needed = any_count || name == "hypot" || name == "atan2" ? 2 : 1;
  if (any_count ? arguments.size() < needed : arguments.size() != needed)
    throw ArgumentError(fmt::format("{}() takes {}{} argument{}, {} {} given", name,
                                    any_count ? "at least " : "", needed, needed == 1 ? "" : "s",
                                    arguments.size(), arguments.size() == 1 ? "is" : "are"));
  if (needed == 2) return call_many(name, arguments);
  if (name == "sqrt") return power(arguments[0], {0.5, {}, false});
  for (const auto& function : functions)
    if (name == function.name) return call_one(function, arguments[0]);
  throw ArgumentError(fmt::format("there is no function {}", name));
}

Quantity power(const Quantity& base, const Quantity& exponent) {
  if (!is_plain(exponent.dimension))
    throw ArgumentError(
        fmt::format("the exponent is in {}, it must be a plain number", unit_name(exponent.dimension)));
  const double value = std::pow(base.value, exponent.value);
  if (!std::isfinite(value))
    throw ArgumentError(fmt::format("{}^{} is not a finite number", base.value, exponent.value));
  return {value, combined({}, base.dimension, exponent.value), base.has_unit || exponent.has_unit};
}

Quantity sum(const Quantity& a, const Quantity& b, double sign) {
  if (!same_dimension(a.dimension, b.dimension))
    throw ArgumentError(fmt::format("{} {} {}: the units differ", unit_name(a.dimension),
                                    sign > 0 ? "+" : "-", unit_name(b.dimension)));
  return {a.value + sign * b.value, a.dimension, a.has_unit || b.has_unit};
}

Quantity product(const Quantity& a, const Quantity& b) {
  return {a.value * b.value, combined(a.dimension, b.dimension, 1), a.has_unit || b.has_unit};
}

Quantity quotient(const Quantity& a, const Quantity& b) {
  if (b.value == 0) throw ArgumentError("division by zero");
  return {a.value / b.value, combined(a.dimension, b.dimension, -1), a.has_unit || b.has_unit};
}

}  // namespace curlew::io
