// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement]: meshes of a geometry, one after another, until what is asked for stands.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "mesh/check.hpp"
#include "mesh/mesh.hpp"
#include "run/run.hpp"

namespace curlew::programs {

enum class Target { scattering, impedance, frequency, rcs, gain, pressure };

/// The last four are the ceiling: where one is met, the best so far stands, with its bars and a line.
struct Refinement {
  double tolerance = 0;  ///< > 0: of |S|, else relative
  Target target = Target::scattering;
  bool is_by_default = false;  ///< the config says nothing of sizes: what cannot be refined is no error
  int max_passes = 12;
  int least_passes = 2;  ///< before they may have converged
  long max_unknowns = 2'000'000;
  double time_limit = 1800;                    ///< [s] of all passes
  std::vector<double> frequencies{};           ///< [Hz] that are looked at: stated, or the highest
  bool states_frequencies = false;             ///< else a band may be looked at as a whole
  mesh::MeshUse use = mesh::MeshUse::volumes;  ///< what errors and sizes belong to: cells or triangles
  int max_order = 2;    ///< 3: elements of order 2 rise where fields are smooth; default of modes
  int edge_layers = 0;  ///< of thin cells at the rims of sheets
  /// [Hz] Layers end where rounding on them would be felt at this one; 0: they are asked for.
  double layers_resolve = 0;
  std::vector<std::string> surround{};  ///< what else em-mesh is told, as run::load_mesh has it
  bool strict = false;  ///< a tolerance that is not reached ends the run with status 1, else with a warning
  /// What stands for a size in the config, for messages.
  const char* sizes = "mesh.size, wavelength_fraction";
  double least_growth = 1.2;  ///< of the unknowns; less is not worth a pass
  /// Powers of the unknowns that the bytes of a pass have, as those of sparse factors, and the seconds of all
  /// passes together.
  double bytes_power = 4.0 / 3, seconds_power = 1;
};

/// What a program refines for.
enum class RefinedProblem { driven, modes, open, sound, truncated, surfaces, contours };

/// Of driven problems (S, impedance), modes (frequency), waves and dipoles (rcs, gain), sound (pressure),
/// fe-iiee (all but frequency), surface equations (impedance, rcs, gain) or contours (rcs). Nothing with
/// max_passes = 1.
/// @throws InputError with file and line: targets of another kind, meshes that cannot be made again, models
/// whose dual problem is not solved with them
std::optional<Refinement> read_refinement(const io::Config& config, RefinedProblem problem);

/// The same of a config without [refinement]: passes, if it names a geometry or contours and states no size.
/// Parts of --array and of --jobs with a GPU, and the processes of mpirun have one mesh, and say so.
std::optional<Refinement> read_refinement_or_default(const io::Config& config, RefinedProblem problem,
                                                     run::Run& run);

/// Says why a run that would have passes by default has none. @param sizes Refinement::sizes
std::nullopt_t state_one_mesh(const std::string& why, run::Run& run, const char* sizes = Refinement().sizes);

/// Ends passes by default where something stands against them; else the config is wrong.
/// @param why empty: nothing does @throws InputError
void settle(std::optional<Refinement>& refinement, const std::string& why, const io::Config& config,
            run::Run& run);

/// Whether [refinement] says no more than max_passes = 1: one mesh, whatever the program.
bool is_one_mesh(const io::Config& config);

/// What one mesh says.
struct Pass {
  struct Quantity {
    std::string name;  ///< "S21 10 GHz"
    Complex value;
    std::optional<double> estimate;  ///< of its error, as the tolerance counts
    double least = 0;  ///< smaller sizes are rounding: relative changes and errors count against this one
    /// With the change that added functions make; what is left beyond order 3 is known by size alone.
    std::optional<Complex> extrapolated{};
    double scale = 0;  ///< relative changes and errors count against this one where the value is smaller
  };
  long unknowns = 0;
  std::size_t bytes = 0;           ///< [host] of its factors, as the solver estimates them; 0: not known
  std::optional<long> elements{};  ///< cells that were solved on, where they are parts of the mesh's
  std::vector<Quantity> quantities{};
  std::vector<double> errors{};  ///< [cells or triangles, at least] where the error comes from
  std::vector<int> parts{};      ///< [cells] that each was solved on as; empty: one
  /// [cells, at least] orders of the elements, and sizes of the field's parts of levels 2 and 3; empty: the
  /// order stays.
  std::vector<std::int8_t> orders{};
  std::vector<double> second{}, third{};
  std::vector<char> at_sharp_edge{};  ///< [cells, at least] of a conductor; as empty as the orders
  /// [cells, at least] of the errors, what is the mesh's shape's, which no order makes less; empty: none
  std::vector<double> of_shape{};
};

/// Solves on a mesh. @param last values of the pass before, for the signs of modes; empty in the first
using SolvePass = std::function<Pass(const mesh::Mesh&, const std::vector<Complex>& last)>;

/// Elements that a mesh is solved on, where they are parts of its own.
using CountElements = std::function<long(const mesh::Mesh&)>;

/// Solves, cuts cells where the error comes from, and meshes again, until change and estimate are below the
/// tolerance or a ceiling is met. By default that is also where a pass cannot be done: of the first one the
/// mesh stays, with a line. Writes passes.csv and a table; warns or fails where the tolerance is not reached.
/// Each pass is kept in refinement.h5 for --resume until the results of the run are in place. The first point
/// of a sweep hands on the sizes that its mesh was made with: the others start from them, and have further
/// passes only where their bars exceed the tolerance.
/// @param first the mesh to start from @returns the mesh of the last pass
mesh::Mesh refine(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                  const SolvePass& solve, run::Run& run, const CountElements& count_parts = {});

/// Whether there are passes. A dry run has none, and says that it knows the first mesh alone.
/// @param which what it knows
bool begins_passes(const std::optional<Refinement>& refinement, run::Run& run,
                   const char* which = "first mesh");

/// Of a run that is resumed, the mesh of the last pass that was done, as refine() continues from it; else
/// nothing.
std::optional<mesh::Mesh> last_mesh(run::Run& run);

}  // namespace curlew::programs
