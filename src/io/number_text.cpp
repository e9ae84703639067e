// SPDX-License-Identifier: BSD-3-Clause
#include "io/number_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace curlew::io {
namespace {

constexpr int digits = 12, greatest_power = 27;  // 10^27 is the last that 64 bits of mantissa hold exactly
constexpr std::int64_t limit = 1'000'000'000'000;

long double power_of_ten(int n) {
  static const auto table = [] {
    std::array<long double, greatest_power + 1> t{};
    t[0] = 1;
    for (std::size_t i = 1; i < t.size(); ++i) t[i] = 10 * t[i - 1];
    return t;
  }();
  return table[std::size_t(n)];
}

/// |x| = mantissa 10^(exponent - 11), mantissa of twelve digits; false where the powers do not reach.
bool split(double x, std::int64_t& mantissa, int& exponent) {
  exponent = int(std::floor(std::log10(x)));
  for (int correction = 0; correction < 2; ++correction) {
    const int shift = digits - 1 - exponent;
    if (std::abs(shift) > greatest_power) return false;
    const long double scaled = shift >= 0 ? x * power_of_ten(shift) : x / power_of_ten(-shift);
    mantissa = std::llrint(scaled);
    if (mantissa >= limit)
      ++exponent;
    else if (mantissa < limit / 10)
      --exponent;
    else
      return true;
  }
  return false;
}

}  // namespace

void append_number(double value, std::string& text) {
  std::int64_t mantissa = 0;
  int exponent = 0;
  const double x = std::abs(value);
  if (!(x > 1e-15 && x < 1e35) || !split(x, mantissa, exponent)) {
    fmt::format_to(std::back_inserter(text), "{:.12g}", value);
    return;
  }
  std::array<char, digits> digit{};
  for (int i = digits - 1; i >= 0; --i, mantissa /= 10) digit[std::size_t(i)] = char('0' + mantissa % 10);
  int last = digits - 1;
  while (last > 0 && digit[std::size_t(last)] == '0') --last;
  if (value < 0) text += '-';
  const bool is_fixed = exponent >= -4 && exponent < digits;
  const int point = is_fixed ? exponent : 0;  // the digit before it
  if (point < 0) text.append("0.").append(std::size_t(-point - 1), '0');
  for (int i = 0; i <= std::max(last, point); ++i) {
    if (i == point + 1 && i > 0) text += '.';
    text += digit[std::size_t(i)];
  }
  if (is_fixed) return;
  text += exponent < 0 ? "e-" : "e+";
  if (std::abs(exponent) < 10) text += '0';
  text += std::to_string(std::abs(exponent));
}

}  // namespace curlew::io
