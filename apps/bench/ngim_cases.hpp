// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cases of em-bench ngim in separate files, and the runs that they share.

#include <string>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "bench/cases.hpp"
#include "ngim/plan.hpp"

namespace curlew::bench {

/// The error matrix. @throws NumericalError if a tolerance was missed
void ngim_errors(const Options& options, Report& report);
/// On 1, 2, 4, ... devices of the machine. For builds with CUDA.
void ngim_gpus(const Options& options, Report& report);
/// Pairs a second of the near field. Needs a GPU.
void ngim_near(const Options& options, Report& report);
/// Tables 19.1 to 19.3, 19.5, 19.7: near field and stages 1 to 4, on the GPU and the CPU.
void ngim_stages(const Options& options, Report& report);
/// Tables 19.4 and 19.6: stages 2 and 3 of waves. Needs a GPU.
void ngim_high_stages(const Options& options, Report& report);

/// n points in a unit "cube", on a "sphere" of diameter 1 or on an "inverse T". The same ones every time.
std::vector<Vec3<double>> make_points(const std::string& shape, Offset n);
/// n charges of magnitudes up to 0.7. The same ones every time.
std::vector<Complex> make_charges(Offset n);

struct NgimProblem {
  std::string shape;
  Offset n;
  double diameter;  ///< wavelengths
  double tolerance;
  bool single = true;
  Offset leaf_size = 0;
};
inline NgimProblem cube(Offset n, double diameter, double tolerance, bool single = true) {
  return {"cube", n, diameter, tolerance, single, 0};
}

/// Seconds of set-up and of one evaluation, measured error.
struct NgimRun {
  double setup, seconds;
  ngim::MeasuredError error;
  std::vector<std::pair<std::string, double>> stages;  ///< milliseconds
  int levels = 0;
  // On a GPU only.
  double with_transfers = 0;  ///< an evaluation with charges from and potentials to the host's memory
  Offset near_pairs = 0;
  double tree_seconds = 0;  ///< of the set-up: tree and lists
  double device_gib = 0;

  /// Sum of the stages of these names [ms].
  double stage_ms(std::initializer_list<const char*> names) const;
};
/// @param repeat timed evaluations, whose median is taken
NgimRun ngim_run(const NgimProblem& problem, Device device, int repeat);

}  // namespace curlew::bench
