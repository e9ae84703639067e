// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars by solving again (fem/error/solved_again.hpp), or from residuals if that costs too much.

#include "fem/passes/planned_check.hpp"
#include "job/error_sink.hpp"

namespace curlew::fem {

template <class S>
class CheckSink : public job::ErrorSink<S> {
 public:
  /// @param order of the elements of the run @param way_out of results::ErrorReport
  template <class... Way>
  CheckSink(const results::AccuracyRequest& request, int order, std::size_t frequencies, run::Run& run,
            Way... way_out)
      : job::ErrorSink<S>(request, frequencies, run, way_out...), order_(order) {}

 protected:
  std::string how() const override {
    return by_residuals_ ? "from residuals in elements of the next order"
                         : describe_check(order_, check_.shape.has_value());
  }
  const ShapeVariant* shape() const { return check_.shape ? &*check_.shape : nullptr; }
  bool is_wanted() const override { return by_residuals_ || check_.is_wanted(); }

  int order_;
  PlannedCheck check_;         ///< decided by plan()
  bool by_residuals_ = false;  ///< decided by plan()
};

}  // namespace curlew::fem
