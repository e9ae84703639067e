// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Arithmetic with units: "w/2 + 0.1 mm", "sqrt(2)*lambda/4", "2.45 GHz". A recursive descent:
//   sum     = product { (+|-) product }
//   product = sign { (*|/) sign }
//   sign    = [+|-] sign | power
//   power   = primary [ (^|**) sign ]
//   primary = (number | "(" sum ")") [units]  |  function "(" sum { "," sum } ")"  |  name
//   units   = unit [^n] { (*|/|blank) unit [^n] }
// A unit follows a number or a closing parenthesis and has the highest precedence. Names in place of numbers
// are constants and variables.

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/units.hpp"

namespace curlew::io {

/// Error in an expression, with its column, counted from 1.
struct ExpressionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Names {
  /// The value of a variable, empty if the name is unknown. May throw.
  std::function<std::optional<Quantity>(const std::string&)> find;
  /// All of them, for the nearest name in a message.
  std::vector<std::string> known;
};

/// pi, c0, eps0, mu0, eta0: names reserved for constants, like those of functions.
bool is_reserved(const std::string& name);
/// Letters, digits and _, not starting with a digit.
bool is_name(const std::string& text);
/// @throws ExpressionError if the text is no expression, or its value is not finite
Quantity evaluate(const std::string& text, const Names& names);

}  // namespace curlew::io
