// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Definition of time_calls.

#include <algorithm>
#include <vector>

#include "base/timer.hpp"
#include "bench/report.hpp"

namespace curlew::bench {

template <class F>
Timing time_calls(int repeat, F&& call) {
  call();
  std::vector<double> seconds;
  for (int i = 0; i < std::max(repeat, 1); ++i) {
    Timer timer;
    call();
    seconds.push_back(timer.seconds());
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back()};
}

}  // namespace curlew::bench
