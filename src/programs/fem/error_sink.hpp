// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars by solving again (fem/error/solved_again.hpp), or from residuals where that is too dear, at
// every frequency or at the middle one.

#include <string>

#include "job/job.hpp"
#include "programs/fem/planned_check.hpp"

namespace curlew::programs {

template <class S>
class ErrorSink : public job::Sink<S> {
 public:
  /// @param order of the elements of the run
  ErrorSink(const results::AccuracyRequest& request, int order, std::size_t frequencies, run::Run& run)
      : order_(order), frequencies_(frequencies), run_(run), report_(request, run) {}
  bool computes() const override { return true; }
  run::Carried* carried() override { return &report_; }
  void add(std::size_t number, double, const S& s) override {
    if (by_residuals_ || check_.is_wanted()) report_.attempt_at(number, frequencies_, [&] { estimate(s); });
  }
  void close() override {
    report_.close(by_residuals_ ? "from residuals in elements of the next order"
                                : fem::describe_check(order_, check_.shape.has_value()),
                  frequencies_);
  }

 protected:
  /// Adds the bars of a solution to the report.
  virtual void estimate(const S& s) = 0;
  const fem::ShapeVariant* shape() const { return check_.shape ? &*check_.shape : nullptr; }

  int order_;
  std::size_t frequencies_;
  run::Run& run_;
  results::ErrorReport report_;
  PlannedCheck check_;         ///< what plan() has decided
  bool by_residuals_ = false;  ///< the same
};

}  // namespace curlew::programs
