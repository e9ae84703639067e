// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbers as the tables on the screen show them: frequencies of electromagnetics in GHz, of sound in Hz;
// files have Hz throughout.

#include <fmt/format.h>

#include <string>

namespace curlew::results {

/// The title of a column of in_ghz.
inline constexpr const char* frequency_title = "frequency GHz";

/// @param frequency [Hz]
inline std::string in_ghz(double frequency) {
  return frequency < 1e6 ? fmt::format("{:.6g}", 1e-9 * frequency) : fmt::format("{:.6f}", 1e-9 * frequency);
}

}  // namespace curlew::results
