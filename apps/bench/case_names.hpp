// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The names that --case accepts.

#include <string>
#include <vector>

#include "bench/cases.hpp"

namespace curlew::bench {

struct CaseName {
  std::string name;
  bool needs_gpu = false;
};
/// Names of a benchmark's cases, in the order of the run; none: it has no cases.
std::vector<CaseName> case_names(const std::string& benchmark);

/// "near (GPU), low, ..."
std::string listed(const std::vector<CaseName>& cases);

/// @throws InputError for a case that the benchmark does not have, or not on this device
void check_case(const std::string& benchmark, const Options& options);

}  // namespace curlew::bench
