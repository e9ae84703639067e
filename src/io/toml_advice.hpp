// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the reader of TOML does not say: how a line that it refuses should look.

#include <string>

namespace curlew::io {

/// The cure of a line that is no TOML, judged by its text: ": text must be in quotes"; empty if none is
/// known.
/// @param number of the line, from 1 @param reason the message of the TOML library
std::string toml_advice(const std::string& text, unsigned number, const std::string& reason);

}  // namespace curlew::io
