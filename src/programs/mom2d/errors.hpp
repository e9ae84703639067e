// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of mom2d: from echo widths of the same problem with every cell halved, in adaptive passes or for
// the estimate only.

#include <map>

#include "fields/pattern_error.hpp"
#include "mom2d/solve.hpp"
#include "programs/error_sink.hpp"
#include "programs/mom2d/case.hpp"

namespace curlew::programs {

/// For every wave the far-field amplitude as first component, 0 as second, and 1 instead of a power. Backward
/// and forward directions follow those of the config.
fields::Quantities amplitudes_of(const Mom2dCase& c, const mom2d::Solution& s);

/// Remaining errors of these after the last two passes, by frequency [Hz].
using ContourBars = std::map<double, fields::Changes>;

class Mom2dErrors : public ErrorSink<mom2d::Solution> {
 public:
  /// @param passes empty: there were no adaptive passes @note all arguments outlive this object
  Mom2dErrors(const Mom2dCase& config, const ContourBars& passes, run::Run& run);
  /// Decides whether there will be an estimate.
  void plan(const job::Plan& plan) override;
  /// Estimates, or takes the change between the last two passes.
  void add(std::size_t number, double frequency, const mom2d::Solution& solution) override;
  void close() override;

 private:
  void estimate(double frequency, const mom2d::Solution& solution) override;
  std::string how() const override;
  void add_bars(double frequency, const mom2d::Solution& solution, const fields::Quantities& amplitudes,
                const fields::Changes& changes);

  const Mom2dCase& config_;
  const ContourBars& passes_;
  bool halves_ = true;  // estimate on halved cells; else by the CFIE on those of the last pass
};

}  // namespace curlew::programs
