// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A solution as it leaves its program: what is kept on disk for --resume, and what another process would
// send.

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/types.hpp"

namespace curlew::job {

/// A part of a solution by its name, where the solution holds it: read from there to be kept, and written
/// there when it is found again. A fact is an array of one number; a list gets the length of what was kept.
struct Array {
  std::string name;
  std::variant<std::span<double>, std::span<Complex>, std::vector<double>*> values;
};

using Arrays = std::vector<Array>;

}  // namespace curlew::job
