// SPDX-License-Identifier: BSD-3-Clause
#include "io/number_text.hpp"

#include <array>
#include <charconv>
#include <cstdlib>

namespace curlew::io {

void append_number(double value, std::string& text) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::general, 12).ptr;
  text.append(buffer.begin(), end);
}

std::optional<double> number_of(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return std::nullopt;
  text.remove_prefix(first);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  if (fault == std::errc::result_out_of_range) return std::strtod(std::string(text).c_str(), nullptr);
  return value;
}

}  // namespace curlew::io
