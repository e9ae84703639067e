// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Constants and functions of expressions.

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/units.hpp"

namespace curlew::io {

/// pi, c0, eps0, mu0, eta0.
std::optional<Quantity> find_constant(const std::string& name);
/// Names of constants and of functions.
const std::vector<std::string>& constant_names();
const std::vector<std::string>& function_names();

/// Wrong number, unit or range of arguments.
struct ArgumentError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// sqrt, abs, exp, log, log10, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, floor, ceil, round,
/// min, max, hypot. Angles come in rad or as plain numbers [rad], and leave asin to atan2 as angles.
/// @throws ArgumentError
Quantity call_function(const std::string& name, const std::vector<Quantity>& arguments);
/// base^exponent. @throws ArgumentError unless the exponent is a plain number
Quantity power(const Quantity& base, const Quantity& exponent);
/// @throws ArgumentError unless the units agree
Quantity sum(const Quantity& a, const Quantity& b, double sign);
Quantity product(const Quantity& a, const Quantity& b);
/// @throws ArgumentError for a divisor of zero
Quantity quotient(const Quantity& a, const Quantity& b);

}  // namespace curlew::io
