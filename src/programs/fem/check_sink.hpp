// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars by solving again (fem/error/solved_again.hpp), and from residuals at the frequencies where that
// costs too much.

#include "job/error_sink.hpp"
#include "programs/fem/planned_check.hpp"

namespace curlew::programs {

template <class S>
class CheckSink : public job::ErrorSink<S> {
 public:
  /// @param order of the elements of the run @param way_out of results::ErrorReport
  template <class... Way>
  CheckSink(const results::AccuracyRequest& request, int order, std::size_t frequencies, run::Run& run,
            Way... way_out)
      : job::ErrorSink<S>(request, frequencies, run, way_out...), order_(order) {}
  void add(std::size_t number, double frequency, const S& s) override {
    auto& report = this->report_;
    if (check_.is_wanted() && report.is_checked(number, this->frequencies_))
      report.attempt_at(0, 1, [&] { this->estimate(frequency, s); });
    else if (by_residuals_)
      report.attempt_at(0, 1, [&] { estimate_by_residuals(frequency, s); });
  }
  void close() override {
    const bool is_one = check_.is_wanted() && this->report_.checks(this->frequencies_) < this->frequencies_;
    this->report_.close(how() + (is_one ? ", at the middle frequency" : "") +
                        (is_one && by_residuals_ ? ", at the others " + residuals : ""));
  }

 protected:
  std::string how() const override {
    return check_.is_wanted() ? fem::describe_check(order_, check_.shape.has_value()) : residuals;
  }
  virtual void estimate_by_residuals(double /*frequency*/, const S&) {}
  const fem::ShapeVariant* shape() const { return check_.shape ? &*check_.shape : nullptr; }

  int order_;
  PlannedCheck check_;         ///< decided by plan()
  bool by_residuals_ = false;  ///< where it is not checked; decided by plan()

 private:
  inline static const std::string residuals = "from residuals in elements of the next order";
};

}  // namespace curlew::programs
