// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a program gathers from frequency to frequency beside its solutions, such as error bars.

#include <string>

namespace curlew::run {

/// Frequencies may be solved in copies of the process (FrequencySweep): what one adds there comes back as
/// text.
class Carried {
 public:
  virtual ~Carried() = default;
  /// In a copy: what was added since the last call.
  virtual std::string take() = 0;
  /// Adds what `take` has given, in the order of the frequencies.
  virtual void put(const std::string& taken) = 0;
};

}  // namespace curlew::run
