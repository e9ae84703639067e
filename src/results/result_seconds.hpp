// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Seconds of the parts of the results stage: results.result_seconds of summary.json.

#include <string>

#include "base/timer.hpp"
#include "run/run.hpp"

namespace curlew::results {

class ResultSeconds {
 public:
  /// Times until the end of its life.
  ScopedStage part(const std::string& name) { return {parts_, name}; }
  /// Reports the sums over all frequencies.
  void close(run::Run& run) const {
    for (const auto& [name, seconds] : parts_.all()) run.results()["result_seconds"][name] = seconds;
  }

 private:
  Stages parts_;
};

}  // namespace curlew::results
