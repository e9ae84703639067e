// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of mom2d: echo widths of the same problem with every cell cut in two.

#include "mom2d/solve.hpp"
#include "programs/error_sink.hpp"
#include "programs/mom2d/case.hpp"

namespace curlew::programs {

class Mom2dErrors : public ErrorSink<mom2d::Solution> {
 public:
  /// @param config outlives this object
  Mom2dErrors(const Mom2dCase& config, run::Run& run);
  void plan(const job::Plan& plan) override;

 private:
  void estimate(double frequency, const mom2d::Solution& solution) override;
  std::string how() const override;

  const Mom2dCase& config_;
};

}  // namespace curlew::programs
