// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Frequencies in messages.

#include <string>

namespace curlew {

/// "2.45 GHz", "71.5692 MHz", "0 Hz". @param frequency [Hz] @param digits that are significant
std::string hertz(double frequency, int digits = 6);

}  // namespace curlew
