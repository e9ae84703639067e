// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of mom2d: echo widths of the same problem with every cell cut in two, in passes or for the bars.

#include <map>

#include "fields/pattern_error.hpp"
#include "mom2d/solve.hpp"
#include "programs/error_sink.hpp"
#include "programs/mom2d/case.hpp"

namespace curlew::programs {

/// Of every wave: the far-field amplitude as one component, none as the other, and a 1 in the place of power.
/// Behind the directions of the config those back and forward.
fields::Quantities amplitudes_of(const Mom2dCase& c, const mom2d::Solution& s);

/// What the last two passes leave of the error of these, by frequency [Hz].
using ContourBars = std::map<double, fields::Changes>;

class Mom2dErrors : public ErrorSink<mom2d::Solution> {
 public:
  /// @param passes empty: there were none @note all arguments outlive this object
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
  bool halves_ = true;  // on halved cells; else by the CFIE on those of the last pass
};

}  // namespace curlew::programs
