// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [excitation] together with [[port]]: currents and plane waves inside a device whose ports are matched, and
// what leaves through them.

#include <optional>
#include <string>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/open/excitation.hpp"
#include "fem/open/radiating_surface.hpp"
#include "fem/output/solution_file.hpp"
#include "io/csv.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "programs/fem/near_field_output.hpp"
#include "programs/fem/open_problem.hpp"
#include "run/run.hpp"

namespace curlew::programs {

class ReceivedOutput {
 public:
  /// Reads [excitation]; the surface through which waves enter becomes one of the mesh's: comes before the
  /// space. @throws InputError with file and line
  ReceivedOutput(const io::Config& config, MaxwellSetup& setup);

  bool is_empty() const { return excitations_.empty(); }
  bool has_waves() const;
  /// Right-hand sides [num_dofs, excitations]. @param frequency [Hz]
  std::vector<Complex> loads(const fem::DrivenProblem& problem, double frequency);
  /// received.csv, unknowns, near fields and patterns of a solution. @param copies the whole structure
  /// over the modelled part: so much more power leaves through its ports @param far, near may be null
  void add(const fem::DrivenProblem& problem, const fem::DrivenSolution& solution, double copies,
           FarFieldOutput* far, NearFieldOutput* near, fem::SolutionFile& file, run::Run& run);
  void close(run::Run& run);

 private:
  std::vector<fem::Excitation> excitations_;
  std::vector<std::string> entrance_;             // surfaces through which waves enter
  std::optional<fem::RadiatingSurface> surface_;  // the same, of the space
  std::optional<io::CsvWriter> csv_;
  std::vector<std::vector<std::string>> table_;
};

}  // namespace curlew::programs
