// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Units of the numbers in a config: a number with its dimension, and names of units. Common expression
// libraries (muparser, tinyexpr, exprtk) have no units.

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace curlew::io {

/// Exponents of m, kg, s, A, K, rad and byte.
using Dimension = std::array<double, 7>;

/// A value in SI units (angles in rad, memory in byte).
struct Quantity {
  double value = 0;
  Dimension dimension{};
  /// True if units were used, even if they cancel: a key with a unit does not accept (4 mm)/(2 mm).
  bool has_unit = false;
};

/// True if dimensionless; fractional exponents are compared to rounding.
bool is_plain(const Dimension& dimension);
bool same_dimension(const Dimension& a, const Dimension& b);
/// a b^power
Dimension combined(const Dimension& a, const Dimension& b, double power);

/// One unit as a word: "mm", "GHz", "m2", "ohm". SI prefixes from f to P where they are usual.
std::optional<Quantity> find_unit(std::string_view word);
/// A unit as in the tables of keys: "A m", "kg/m3", "rad/m", "sqrt W".
/// @return nothing if a word is not a unit
std::optional<Quantity> parse_unit(std::string_view text);
/// "m", "V/m", else a product of base units; "a plain number" for none.
std::string unit_name(const Dimension& dimension);
/// The unit that is nearest in spelling, for messages.
std::string nearest_unit(const std::string& word);

}  // namespace curlew::io
