// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Whether and how an error is estimated by a second solution, decided before the run starts.

#include <optional>

#include "fem/error/shape_variant.hpp"
#include "fem/error/solved_again.hpp"
#include "job/error_sink.hpp"
#include "linalg/krylov/system_solver.hpp"
#include "results/error_report.hpp"
#include "run/optional_part.hpp"

namespace curlew::fem {

/// Memory of an error estimate, as dry runs report it: matrix and factors of its largest system, extrapolated
/// from the run's own system.
/// @param entries of the run's matrix @param is_beside the run's factors stay in memory meanwhile
run::OptionalPart check_memory(const CheckPrice& price, Offset entries, const linalg::SystemInfo& info,
                               bool is_beside = true);

struct PlannedCheck {
  std::optional<ShapeVariant> shape;
  CheckPrice price;  ///< without systems there is no estimate
  bool is_wanted() const { return !price.systems.empty(); }
};

/// The system that the run solves.
struct RunSystem {
  Offset entries;  ///< of its matrix
  linalg::SystemInfo info;
  double solutions;            ///< number of frequencies
  bool is_kept = true;         ///< its factors stay in memory during the estimate
  bool has_residuals = false;  ///< error bars come from residuals if a second solution costs too much
};

/// Decides, and reports the memory of the estimate. Call it after the run's own memory is planned.
/// @param mesh outlives what is returned
PlannedCheck plan_check(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
                        const RunSystem& system, results::ErrorReport& report);
/// The same for other kinds of elements and shape.
PlannedCheck plan_check(std::optional<ShapeVariant> shape, const CheckPrice& price, const RunSystem& system,
                        results::ErrorReport& report);

/// Error bars by solving again (fem/error/solved_again.hpp), and from residuals at the frequencies where that
/// costs too much.
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
    return check_.is_wanted() ? describe_check(order_, check_.shape.has_value()) : residuals;
  }
  virtual void estimate_by_residuals(double /*frequency*/, const S&) {}
  const ShapeVariant* shape() const { return check_.shape ? &*check_.shape : nullptr; }

  int order_;
  PlannedCheck check_;         ///< decided by plan()
  bool by_residuals_ = false;  ///< where it is not checked; decided by plan()

 private:
  inline static const std::string residuals = "from residuals in elements of the next order";
};

}  // namespace curlew::fem
