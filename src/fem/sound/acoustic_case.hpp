// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All values of a config for acoustics, and the problem they describe.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fem/acoustics/acoustic_modes.hpp"
#include "fem/acoustics/acoustic_problem.hpp"
#include "fem/acoustics/acoustic_surplus.hpp"
#include "fem/output/field_cells.hpp"
#include "fem/passes/planned_check.hpp"
#include "job/job.hpp"
#include "job/refinement.hpp"

namespace curlew::fem {

/// Not copied or moved: its finite-element space points to mesh and topology.
struct AcousticCase {
  mesh::Mesh mesh;
  mesh::Topology topology;
  AcousticModel model;
  bool write_fields = true;
  FieldCells cells;
  results::AccuracyRequest accuracy;
  linalg::SystemOptions options;  ///< of driven sound
  AcousticModeOptions modes;      ///< of modes
};

using AcousticModes = std::vector<AcousticMode>;

/// Interface of an acoustic problem for the writers of results, in addition to its solutions.
class SoundSystem {
 public:
  virtual ~SoundSystem() = default;
  virtual const LagrangeSpace& space() const = 0;
  /// Size of the system; valid after planning.
  virtual RunSystem system() const = 0;
};

/// The same of driven sound.
class DrivenSoundSystem : public SoundSystem {
 public:
  virtual const AcousticProblem& problem() const = 0;
  /// All solutions from now on have `duals`. @param loads, further as AcousticProblem::solve takes them
  /// @param num_further loads that `further` gives
  virtual void need_duals(std::vector<Complex> loads, LoadsOfSolution further, std::size_t num_further) = 0;
};

/// Writers of files, tables and error bars. The arguments must outlive them.
job::Sinks<AcousticSolution> sound_sinks(const AcousticCase& c, DrivenSoundSystem& system,
                                         std::size_t frequencies, run::Run& run);
job::Sinks<AcousticModes> sound_mode_sinks(const AcousticCase& c, const SoundSystem& system, run::Run& run);

/// Writers of far fields, if the config asks for them, and of their error bars.
std::unique_ptr<job::Sink<AcousticSolution>> sound_patterns(const AcousticCase& c, const SoundSystem& system,
                                                            run::Run& run);
std::unique_ptr<job::Sink<AcousticSolution>> pressure_errors(const AcousticCase& c, DrivenSoundSystem& system,
                                                             std::size_t frequencies, run::Run& run);
std::unique_ptr<job::Sink<AcousticModes>> mode_errors(const AcousticCase& c, const SoundSystem& system,
                                                      run::Run& run);

// ---- [refinement] of driven sound, for the pressures at probes, or without them the input power, and for
// the greatest far field; of modes for their frequencies ----

/// Why driven sound cannot be refined adaptively; empty if it can.
std::string obstacle_to_passes(const AcousticModel& model);
/// The same of modes.
std::string obstacle_to_mode_passes(const AcousticModel& model);

/// The mesh with facets moved to the surface; that of layers stays. Empty if none moves.
std::optional<ShapeVariant> shape_variant(const AcousticCase& c);

/// Whether walls move whose power something absorbs.
inline bool has_input_power(const AcousticModel& model) {
  return !model.wave && !model.is_lossless();
}

/// Far fields whose errors are estimated: in some directions, and the scattered power.
struct FarTargets {
  std::vector<fields::Direction> directions{};
  bool power = false;
  std::size_t size() const { return directions.size() + (power ? 1 : 0); }
  /// The first direction alone.
  FarTargets greatest() const {
    if (directions.empty()) return {};
    return {{directions.front()}, false};
  }
};
/// The greatest far field of the config's directions, what returns towards the source of a wave, and its
/// scattered power; none without output.far_field.
FarTargets far_targets(const LagrangeSpace& space, const AcousticModel& model,
                       const AcousticSolution& solution);
/// Their values, and the loads lᵀ v of their changes. [targets] [num_nodes, targets]
std::vector<Complex> far_values(const LagrangeSpace& space, const AcousticModel& model,
                                const AcousticSolution& solution, const FarTargets& targets);
std::vector<Complex> far_loads(const LagrangeSpace& space, const AcousticModel& model,
                               const AcousticSolution& solution, const FarTargets& targets);

/// How elements of one more order, and moved facets, change driven sound.
class SoundChanges {
 public:
  /// @param c outlives this object
  explicit SoundChanges(const AcousticCase& c);
  struct Found {
    std::vector<double> cells;            ///< [num_cells] weighted sums of contributions
    Eigen::VectorXcd by_order, by_shape;  ///< of bᵀp, of pressures at probes, of far fields [columns]
  };
  /// @param problem of the case @param solution with duals of the probes, then of the far fields
  /// @param weights [columns, columns] of acoustic_surplus
  Found of(const AcousticProblem& problem, const AcousticSolution& solution, const FarTargets& targets,
           const Eigen::MatrixXd& weights) const;
  const std::optional<ShapeVariant>& shape() const { return shape_; }

 private:
  const AcousticCase& case_;
  std::optional<ShapeVariant> shape_;
  std::optional<AcousticProblem> finer_, moved_;
};

/// How elements of one more order, and moved facets, change the frequencies of modes.
class ModeChanges {
 public:
  /// @param c, space of its order outlive this object
  ModeChanges(const AcousticCase& c, const LagrangeSpace& space);
  /// The change is that of the frequency in parts of it, with contributions of cells.
  AcousticSurplus of(const AcousticMode& mode) const;
  const std::optional<ShapeVariant>& shape() const { return shape_; }
  /// Relative change of the frequency by moved facets; 0 if none moves.
  Complex by_shape(const AcousticMode& mode) const;

 private:
  /// Relative change of the frequency by one of xᵀ A x.
  Complex scale(const AcousticMode& mode) const;

  const LagrangeSpace& space_;
  LagrangeSpace finer_;
  AcousticPencil here_, next_;
  std::optional<ShapeVariant> shape_;
  std::optional<AcousticPencil> moved_;
};

/// Reads the config for a mesh.
using ReadAcousticCase = std::function<std::unique_ptr<AcousticCase>(mesh::Mesh)>;

/// @returns the mesh of the last pass
mesh::Mesh refine_sound(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                        const ReadAcousticCase& read, run::Run& run);
mesh::Mesh refine_sound_modes(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                              const ReadAcousticCase& read, run::Run& run);

}  // namespace curlew::fem
