// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbers of tables as text. Tables of far fields have millions of them: this takes a sixth of the time of
// the standard library's.

#include <string>

namespace curlew::io {

/// Appends a number as "%.12g" writes it. Where the digits behind the twelfth are a half to 1e-7, the twelfth
/// may be either neighbour.
void append_number(double value, std::string& text);

}  // namespace curlew::io
