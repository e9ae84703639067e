// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All of a config of sound as values, and what is solved of it.

#include <vector>

#include "fem/acoustics/acoustic_modes.hpp"
#include "fem/acoustics/acoustic_problem.hpp"
#include "fem/output/field_cells.hpp"
#include "job/job.hpp"
#include "programs/fem/planned_check.hpp"

namespace curlew::programs {

/// A space of it keeps pointers to mesh and topology.
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

/// What sinks need from a problem of sound in addition to its solutions.
class SoundSystem {
 public:
  virtual ~SoundSystem() = default;
  virtual const fem::LagrangeSpace& space() const = 0;
  /// What is solved, once it is planned.
  virtual RunSystem system() const = 0;
};

/// Files, tables and error bars. What they refer to outlives them.
job::Sinks<fem::AcousticSolution> sound_sinks(const AcousticCase& c, const SoundSystem& system,
                                              std::size_t frequencies, run::Run& run);
job::Sinks<AcousticModes> sound_mode_sinks(const AcousticCase& c, const SoundSystem& system, run::Run& run);

/// Of these far fields, where they are asked for, and the error bars.
std::unique_ptr<job::Sink<fem::AcousticSolution>> sound_patterns(const AcousticCase& c,
                                                                 const SoundSystem& system, run::Run& run);
std::unique_ptr<job::Sink<fem::AcousticSolution>> pressure_errors(const AcousticCase& c,
                                                                  const SoundSystem& system,
                                                                  std::size_t frequencies, run::Run& run);
std::unique_ptr<job::Sink<AcousticModes>> mode_errors(const AcousticCase& c, const SoundSystem& system,
                                                      run::Run& run);

}  // namespace curlew::programs
