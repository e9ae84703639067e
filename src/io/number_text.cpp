// SPDX-License-Identifier: BSD-3-Clause
#include "io/number_text.hpp"

#include <array>
#include <charconv>

namespace curlew::io {

void append_number(double value, std::string& text) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::general, 12).ptr;
  text.append(buffer.begin(), end);
}

}  // namespace curlew::io
