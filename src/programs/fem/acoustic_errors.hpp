// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of sound: pressures at probes, input power, frequencies of modes, from solving again at another
// order and on moved facets (fem/error/solved_again.hpp).

#include <optional>
#include <vector>

#include "fem/acoustics/acoustic_modes.hpp"
#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/acoustics/acoustic_problem.hpp"
#include "fem/error/shape_variant.hpp"
#include "results/error_report.hpp"

namespace curlew::programs {

class AcousticErrors {
 public:
  /// @param space of the run; mesh and model are its own @param frequencies solved, 1 of an eigenproblem
  AcousticErrors(const io::Config& config, const fem::LagrangeSpace& space, const fem::AcousticModel& model,
                 std::size_t frequencies, run::Run& run);
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
  std::optional<fem::ShapeVariant> shape_;
  bool wanted_ = false;
};

}  // namespace curlew::programs
