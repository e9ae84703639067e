// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Names of arrays of several excitations in one file: the same rule in all programs.

#include <cstddef>
#include <string>

namespace curlew::io {

/// Suffix of an array's name: empty with one excitation, else `_1`, `_2`, ... for waves and sources in their
/// order, `_PORT` for ports.
/// @param number from 0 @param count of excitations @param port its name, empty for waves and sources
inline std::string excitation_suffix(std::size_t number, std::size_t count, const std::string& port = "") {
  if (count == 1) return "";
  return "_" + (port.empty() ? std::to_string(number + 1) : port);
}

}  // namespace curlew::io
