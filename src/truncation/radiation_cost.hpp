// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the field of S' on S costs by all pairs and by NGIM, and which of the two is cheaper.

#include "base/device.hpp"
#include "base/types.hpp"

namespace curlew::truncation {

/// What is to be evaluated.
struct RadiationTask {
  double sources = 0, observers = 0;  ///< points
  double area = 0;                    ///< of S', in square wavelengths
  Index columns = 1;                  ///< right-hand sides of an evaluation
  int evaluations = 1;                ///< that share one set-up
  double tolerance = 1e-4;            ///< of NGIM
};

/// Seconds of one pair, one point, one square wavelength.
struct RadiationCosts {
  // All pairs: the matrix of a pair, which up to 16 right-hand sides share; then what each of them takes.
  double pair = 0, pair_column = 0, pair_point = 0;
  // NGIM, of each right-hand side, one after the other: what the smallest takes, and what is added.
  double column = 0, point = 0, area = 0;
  double setup = 0, setup_point = 0, setup_area = 0;  ///< the same, once
};

/// As measured (docs/measured/truncation.md).
RadiationCosts radiation_costs(Device device);

/// Seconds of all evaluations.
double direct_seconds(const RadiationCosts& costs, const RadiationTask& task);
double ngim_seconds(const RadiationCosts& costs, const RadiationTask& task);

}  // namespace curlew::truncation
