// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Data that a program gathers over the frequencies in addition to its solutions, such as error bars.

#include <string>

namespace curlew::run {

/// Frequencies may be solved in copies of the process (FrequencySweep): data added in a copy return as text.
class Carried {
 public:
  virtual ~Carried() = default;
  /// In a copy: returns the data added since the last call.
  virtual std::string take() = 0;
  /// Adds data returned by `take`, in the order of the frequencies.
  virtual void put(const std::string& taken) = 0;
};

}  // namespace curlew::run
