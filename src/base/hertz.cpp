// SPDX-License-Identifier: BSD-3-Clause
#include "base/hertz.hpp"

#include <fmt/format.h>

#include <utility>

namespace curlew {

std::string hertz(double frequency, int digits) {
  for (const auto& [unit, factor] : {std::pair{"THz", 1e12}, {"GHz", 1e9}, {"MHz", 1e6}, {"kHz", 1e3}})
    if (frequency >= factor) return fmt::format("{:.{}g} {}", frequency / factor, digits, unit);
  return fmt::format("{:.{}g} Hz", frequency, digits);
}

}  // namespace curlew
