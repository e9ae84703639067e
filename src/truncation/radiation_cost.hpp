// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cost of the field of S' on S by all pairs and by NGIM, and choice of the cheaper one.

#include "base/device.hpp"
#include "base/types.hpp"

namespace curlew::truncation {

/// Sizes of the evaluation.
struct RadiationTask {
  double sources = 0, observers = 0;  ///< points
  double area = 0;                    ///< of S', in square wavelengths
  Index columns = 1;                  ///< right-hand sides of an evaluation
  int evaluations = 1;                ///< that share one set-up
  double tolerance = 1e-4;            ///< of NGIM
};

/// Seconds of one pair, one point, one square wavelength.
struct RadiationCosts {
  // All pairs: the matrix of a pair, shared by up to 16 right-hand sides; then the cost of each of them.
  double pair = 0, pair_column = 0, pair_point = 0;
  // NGIM, for each right-hand side: constant part, and parts per point and area.
  double column = 0, point = 0, area = 0;
  double setup = 0, setup_point = 0, setup_area = 0;  ///< the same for the set-up
};

/// Measured times (docs/measured/truncation.md).
RadiationCosts radiation_costs(Device device);

/// Seconds of all evaluations.
double direct_seconds(const RadiationCosts& costs, const RadiationTask& task);
double ngim_seconds(const RadiationCosts& costs, const RadiationTask& task);

}  // namespace curlew::truncation
