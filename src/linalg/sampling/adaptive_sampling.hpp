// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An expensive function at many points from few exact values: the next value is computed where the error
// indicator of a model is largest; it gives the model's true error there before it is added.

#include <cstddef>
#include <vector>

namespace curlew::linalg {

/// A model between exact values, at points numbered from 0.
class SampledModel {
 public:
  virtual ~SampledModel() = default;
  /// How many points are chosen at a time, >= 1: so many values can be computed side by side.
  virtual std::size_t at_a_time() const { return 1; }
  /// Names the points that are taken next.
  virtual void begin(const std::vector<std::size_t>&) {}
  /// Computes the exact value at a point and adds it to the model.
  /// @return the error of the last scan at this point; 0 before the first scan
  virtual double take(std::size_t point) = 0;
  /// Evaluates the model at all points. @return its greatest change since the last scan; 0 in the first
  virtual double scan() = 0;
  /// Error indicator at a point in the last scan, up to a factor that is the same at all points.
  virtual double indicator(std::size_t point) const = 0;
};

struct Sampling {
  std::vector<std::size_t> taken;  ///< points with exact values, in their order
  double error_estimate = 0;       ///< largest error seen at the last exact values, or change
  bool converged = false;
};

/// Takes the first and the last point, then the worst ones, until the error is below the tolerance twice,
/// since once may be by chance: at two points in succession or of one choice. @param points [count]
/// ascending, for the log @param most largest number of exact values
Sampling sample_adaptively(SampledModel& model, const std::vector<double>& points, double tolerance,
                           std::size_t most);
/// @throws NumericalError if the tolerance is not reached
void require_converged(const Sampling& sampling, double tolerance);

}  // namespace curlew::linalg
