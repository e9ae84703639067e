// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [excitation] in fem-solve and fem-assemble: currents and plane waves in open space. [output] far_field of
// every Maxwell problem.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fem/open/open_problem.hpp"
#include "fem/open/radiation.hpp"
#include "fem/output/system_file.hpp"
#include "io/config.hpp"
#include "results/radiation_report.hpp"
#include "results/scattering_report.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Solves for all excitations at all frequencies.
void solve_open(const io::Config& config, run::Run& run);
/// The system at the first frequency with all right-hand sides; nothing in a dry run.
std::optional<fem::System> assemble_open(const io::Config& config, run::Run& run);

/// Writes farfield.csv and rcs.csv step by step, and what goes into the summary.
class FarFieldOutput {
 public:
  /// @param space, model outlive this object
  FarFieldOutput(const fem::NedelecSpace& space, const fem::Model& model, const fem::FarFieldRequest& request,
                 bool has_waves, bool has_feeds, run::Run& run);
  /// @param feed incident and accepted power of the whole structure; what it radiates is found here
  /// @param x [num_dofs] @param known field that is not in x
  void add_feed(const std::string& port, results::PowerBudget feed, const Complex* x, double frequency,
                const fem::IncidentField& known = nullptr);
  /// @param x [num_dofs] @param known that makes it the scattered field, if it is not
  void add_wave(const fem::Excitation& wave, const Complex* x, double frequency,
                const fem::IncidentField& known = nullptr);
  void add_wave(const fem::Excitation& wave, const fem::Radiation& radiation, double frequency);
  /// Closes the files and prints a table.
  void close();

 private:
  /// Warns where the power through the surface is not that of the far field.
  void check_truncation(const std::string& label, double frequency, const fem::Radiation& radiation);

  run::Run& run_;
  fem::RadiationCalculator calculator_;
  std::unique_ptr<results::RadiationReport> pattern_;
  std::unique_ptr<io::RcsWriter> rcs_;
  results::ScatteringReport report_;
};

}  // namespace curlew::programs
