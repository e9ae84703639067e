// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Units of the numbers in a config: a number with its dimension, and the words that stand for units.
// No library of the suite's dependencies knows units in expressions (muparser, tinyexpr and exprtk compute
// with plain numbers).

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
  /// True if a unit took part in it, though it may have cancelled: (4 mm)/(2 mm) is no number that a key with
  /// a unit would take.
  bool has_unit = false;
};

/// True if no unit is left. Fractional exponents agree to rounding.
bool is_plain(const Dimension& dimension);
bool same_dimension(const Dimension& a, const Dimension& b);
/// a b^power
Dimension combined(const Dimension& a, const Dimension& b, double power);

/// One unit as a word: "mm", "GHz", "m2", "ohm". SI prefixes from f to P where they are usual.
std::optional<Quantity> find_unit(std::string_view word);
/// A unit as the tables of keys write it: "A m", "kg/m3", "rad/m", "sqrt W".
/// @return nothing if a word is not a unit
std::optional<Quantity> parse_unit(std::string_view text);
/// "m", "V/m", else a product of base units; "a plain number" for none.
std::string unit_name(const Dimension& dimension);
/// The unit that is nearest in spelling, for messages.
std::string nearest_unit(const std::string& word);

}  // namespace curlew::io
