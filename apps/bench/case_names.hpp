// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What --case may name.

#include <string>
#include <vector>

#include "bench/cases.hpp"

namespace curlew::bench {

struct CaseName {
  std::string name;
  bool needs_gpu = false;
};
/// Of a benchmark, in the order in which it runs them; none: it has no cases.
std::vector<CaseName> case_names(const std::string& benchmark);

/// "near (GPU), low, ..."
std::string listed(const std::vector<CaseName>& cases);

/// @throws InputError for a case that the benchmark does not have, or not on this device
void check_case(const std::string& benchmark, const Options& options);

}  // namespace curlew::bench
