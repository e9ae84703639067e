// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The arrays of a solution as they are saved on disk for --resume, or sent between processes.

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/types.hpp"

namespace curlew::job {

/// A named view of a part of a solution, from which it is saved and into which it is restored. A single value
/// is an array of one number; a list is resized to the saved length.
struct Array {
  std::string name;
  std::variant<std::span<double>, std::span<Complex>, std::vector<double>*> values;
};

using Arrays = std::vector<Array>;

}  // namespace curlew::job
