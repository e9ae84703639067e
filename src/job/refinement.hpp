// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement]: meshes of a geometry, one after another, until the requested results have converged.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "mesh/check.hpp"
#include "mesh/mesh.hpp"
#include "mesh/pass.hpp"
#include "run/run.hpp"

namespace curlew::job {

/// The last four are limits: if one is reached, the best results so far are kept, with their error bars and a
/// message.
struct Refinement {
  double tolerance = 0;  ///< > 0: of |S|, else relative
  mesh::Target target = mesh::Target::scattering;
  /// Gains of ports are compared in addition to S: no target is set, and the tolerance is no stricter than
  /// that of gains.
  bool looks_at_gains = false;
  bool is_by_default = false;  ///< the config sets no sizes: a problem that cannot be refined is no error
  int max_passes = 12;
  int least_passes = 2;  ///< before they may have converged
  /// Part of the tolerance: with an estimate below it two passes are enough, whatever least_passes.
  double sure_share = 0;
  long max_unknowns = 2'000'000;
  double time_limit = 1800;                    ///< [s] of all passes
  std::vector<double> frequencies{};           ///< [Hz] that are used: stated, or the highest
  bool states_frequencies = false;             ///< else a band may be used as a whole
  mesh::MeshUse use = mesh::MeshUse::volumes;  ///< what errors and sizes belong to: cells or triangles
  int max_order = 2;    ///< 3: elements of order 2 rise where fields are smooth; default of modes
  int edge_layers = 0;  ///< of thin cells at the rims of sheets
  /// [Hz] Layers end before rounding errors on them matter at this frequency; 0: as many as requested.
  double layers_resolve = 0;
  std::vector<std::string> surround{};  ///< further options of em-mesh, as in run::load_mesh
  bool strict = false;  ///< a missed tolerance ends the run with status 1, else with a warning
  /// Keys that set sizes in the config, for messages.
  const char* sizes = "mesh.size, wavelength_fraction";
  double least_growth = 1.2;  ///< least growth of the number of unknowns per pass
  /// Exponents: bytes of a pass (as of sparse factors) and seconds of all passes grow with these powers of
  /// the unknowns.
  double bytes_power = 4.0 / 3, seconds_power = 1;
};

/// Kinds of problems that are refined.
enum class RefinedProblem {
  driven,
  modes,
  open,
  sound,
  sound_modes,
  truncated,
  surfaces,
  volumes,
  films,
  contours
};

/// Reads [refinement] of driven problems (S, impedance), modes, of sound too (frequency), waves and dipoles
/// (rcs, gain), sound (pressure), fe-iiee (all but frequency), surface equations (impedance, rcs, gain),
/// volumes, films or contours (rcs). Empty with max_passes = 1. @throws InputError with file and line:
/// targets of another kind, meshes that cannot be made again, models whose dual problem has another matrix
std::optional<Refinement> read_refinement(const io::Config& config, RefinedProblem problem);

/// The same for a config without [refinement]: adaptive passes by default if it names a geometry or contours
/// and sets no size. Parts of --array, of --jobs with a GPU and of mpirun use one mesh, and report that.
std::optional<Refinement> read_refinement_or_default(const io::Config& config, RefinedProblem problem,
                                                     run::Run& run);

/// Reports why a run has no adaptive passes that it would have by default. @param sizes Refinement::sizes
std::nullopt_t state_one_mesh(const std::string& why, run::Run& run, const char* sizes = Refinement().sizes);

/// Drops default passes if they are not possible; passes that the config requests are then an error. @param
/// why reason; empty: they are possible @throws InputError
void settle(std::optional<Refinement>& refinement, const std::string& why, const io::Config& config,
            run::Run& run);

/// Frequencies that passes use [Hz]: those of the config, else the highest and up to four others, evenly.
/// @param all of the run, ascending
std::vector<double> looked_at(const Refinement& refinement, const std::vector<double>& all);

/// Whether [refinement] contains only max_passes = 1: one mesh in every program.
bool is_one_mesh(const io::Config& config);

/// A pass in the table, with which the next one is compared.
struct Row {
  long cells = 0, unknowns = 0;
  std::vector<mesh::Pass::Quantity> quantities;
  std::vector<double> changes;  ///< by quantity, in the tolerance's measure; empty in the first pass

  std::optional<double> change() const {
    if (changes.empty()) return std::nullopt;
    return *std::max_element(changes.begin(), changes.end());
  }
  std::optional<double> estimate() const {
    std::optional<double> greatest;
    for (const auto& q : quantities)
      if (q.estimate) greatest = std::max(greatest.value_or(0), *q.estimate);
    return greatest;
  }
};

/// Values of the last pass, for the signs of modes; empty before the first.
std::vector<Complex> last_values(const std::vector<Row>& before);

/// Solves on a mesh. @param before the previous passes, those of a resumed run too
using SolvePass = std::function<mesh::Pass(const mesh::Mesh&, const std::vector<Row>& before)>;

/// Number of elements that a mesh is solved on, if its cells are subdivided; those of order 3 count as often
/// as they have unknowns (mesh::elements_of_order_two).
using CountElements = std::function<double(const mesh::Mesh&)>;

/// Solves, refines cells with large error contributions and meshes again, until change and estimate are below
/// the tolerance or a limit is reached. Passes that are a default also end if one is not possible; if that is
/// the first, its mesh is used, with a message. Writes passes.csv and a table; warns or fails where the
/// tolerance is not reached. Each pass is saved in refinement.h5 for --resume until the results of the run
/// are written. The other points of a sweep start from the sizes of the first one, and have further passes
/// only if their error bars exceed the tolerance.
/// @param first the mesh to start from @returns the mesh of the last pass
mesh::Mesh refine(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                  const SolvePass& solve, run::Run& run, const CountElements& count_parts = {});

/// Whether there are passes. A dry run makes none, and reports that its sizes are those of the first mesh.
/// @param which words for that mesh
bool begins_passes(const std::optional<Refinement>& refinement, run::Run& run,
                   const char* which = "first mesh");

/// In a resumed run the mesh of the last finished pass, from which refine() continues; else empty.
std::optional<mesh::Mesh> last_mesh(run::Run& run);

}  // namespace curlew::job
