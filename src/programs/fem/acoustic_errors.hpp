// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of sound: pressures at probes, input power, frequencies of modes, from solving again at another
// order and on moved facets (fem/error/solved_again.hpp).

#include <vector>

#include "fem/acoustics/acoustic_modes.hpp"
#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/acoustics/acoustic_problem.hpp"
#include "programs/fem/planned_check.hpp"

namespace curlew::programs {

class AcousticErrors {
 public:
  /// Decides. @param space of the run; mesh and model are its own @param system that the run solves, an
  /// eigenproblem as one frequency
  AcousticErrors(const io::Config& config, const fem::LagrangeSpace& space, const fem::AcousticModel& model,
                 const RunSystem& system, run::Run& run);
  /// A frequency of a driven run, number of `frequencies`: estimated for all or for the middle one.
  void add(std::size_t number, const fem::AcousticSolution& solution, const linalg::SystemOptions& options);
  void add(const std::vector<fem::AcousticMode>& modes, const fem::AcousticModeOptions& options);
  void close();

 private:
  void estimate(const fem::AcousticSolution& solution, const linalg::SystemOptions& options);
  void estimate(const std::vector<fem::AcousticMode>& modes, const fem::AcousticModeOptions& options);

  const fem::LagrangeSpace& space_;
  const fem::AcousticModel& model_;
  std::size_t frequencies_;
  run::Run& run_;
  results::ErrorReport report_;
  PlannedCheck planned_;
};

}  // namespace curlew::programs
