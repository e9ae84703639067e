// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of a run at every frequency, or at the middle one.

#include <string>

#include "job/problem.hpp"
#include "results/error_report.hpp"

namespace curlew::job {

template <class S>
class ErrorSink : public Sink<S> {
 public:
  /// @param frequencies their number @param way_out of results::ErrorReport
  template <class... Way>
  ErrorSink(const results::AccuracyRequest& request, std::size_t frequencies, run::Run& run, Way... way_out)
      : frequencies_(frequencies), run_(run), report_(request, run, way_out...) {}
  bool computes() const override { return true; }
  run::Carried* carried() override { return &report_; }
  void add(std::size_t number, double frequency, const S& s) override {
    if (is_wanted())
      report_.attempt_at(number, frequencies_, [&] { estimate(frequency, s); });
    else if (has_passes())
      take_passes(frequency, s);
  }
  void close() override {
    if (has_passes() && !is_wanted())
      report_.close("from the last two passes");
    else
      report_.close(how(), frequencies_);
  }

 protected:
  /// Adds the bars of a solution to the report.
  virtual void estimate(double frequency, const S& s) = 0;
  /// Description of the estimate for errors.csv.
  virtual std::string how() const = 0;
  virtual bool is_wanted() const { return is_wanted_; }
  /// Whether the error bars of passes replace an estimate that is not made.
  virtual bool has_passes() const { return false; }
  /// Adds the bars of passes.
  virtual void take_passes(double /*frequency*/, const S&) {}

  std::size_t frequencies_;
  run::Run& run_;
  results::ErrorReport report_;
  bool is_wanted_ = false;  ///< plan() decided that there is an estimate
};

}  // namespace curlew::job
