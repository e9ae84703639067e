// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All values of a config for acoustics, and the problem they describe.

#include <vector>

#include "fem/acoustics/acoustic_modes.hpp"
#include "fem/acoustics/acoustic_problem.hpp"
#include "fem/output/field_cells.hpp"
#include "job/job.hpp"
#include "programs/fem/planned_check.hpp"

namespace curlew::programs {

/// Not copied or moved: its finite-element space points to mesh and topology.
struct AcousticCase {
  mesh::Mesh mesh;
  mesh::Topology topology;
  fem::AcousticModel model;
  bool write_fields = true;
  fem::FieldCells cells;
  results::AccuracyRequest accuracy;
  linalg::SystemOptions options;   ///< of driven sound
  fem::AcousticModeOptions modes;  ///< of modes
};

using AcousticModes = std::vector<fem::AcousticMode>;

/// Interface of an acoustic problem for the writers of results, in addition to its solutions.
class SoundSystem {
 public:
  virtual ~SoundSystem() = default;
  virtual const fem::LagrangeSpace& space() const = 0;
  /// Size of the system; valid after planning.
  virtual RunSystem system() const = 0;
};

/// The same of driven sound.
class DrivenSoundSystem : public SoundSystem {
 public:
  virtual const fem::AcousticProblem& problem() const = 0;
  /// All solutions from now on have `duals`. @param loads as AcousticProblem::solve takes them
  virtual void need_duals(std::vector<Complex> loads) = 0;
};

/// Writers of files, tables and error bars. The arguments must outlive them.
job::Sinks<fem::AcousticSolution> sound_sinks(const AcousticCase& c, DrivenSoundSystem& system,
                                              std::size_t frequencies, run::Run& run);
job::Sinks<AcousticModes> sound_mode_sinks(const AcousticCase& c, const SoundSystem& system, run::Run& run);

/// Writers of far fields, if the config asks for them, and of their error bars.
std::unique_ptr<job::Sink<fem::AcousticSolution>> sound_patterns(const AcousticCase& c,
                                                                 const SoundSystem& system, run::Run& run);
std::unique_ptr<job::Sink<fem::AcousticSolution>> pressure_errors(const AcousticCase& c,
                                                                  DrivenSoundSystem& system,
                                                                  std::size_t frequencies, run::Run& run);
std::unique_ptr<job::Sink<AcousticModes>> mode_errors(const AcousticCase& c, const SoundSystem& system,
                                                      run::Run& run);

}  // namespace curlew::programs
