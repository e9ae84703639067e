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

enum class Target { scattering, impedance, frequency, rcs, gain };

struct Refinement {
  double tolerance = 0;  ///< > 0: of |S|, else relative
  Target target = Target::scattering;
  int max_passes = 12;
  long max_unknowns = 2'000'000;
  std::vector<double> frequencies{};           ///< [Hz] that S and impedances are looked at
  mesh::MeshUse use = mesh::MeshUse::volumes;  ///< what errors and sizes belong to: cells or triangles
  int max_order = 2;    ///< 3: elements of order 2 rise where fields are smooth; default of modes
  int edge_layers = 0;  ///< of thin cells at the rims of sheets
  bool strict = false;  ///< a tolerance that is not reached ends the run with status 1, else with a warning
};

/// What a program refines for.
enum class RefinedProblem { driven, modes, truncated, surfaces };

/// Of driven problems (S, impedance), modes (frequency), fe-iiee (all but frequency) or surface equations
/// (impedance, rcs, gain).
/// @throws InputError with file and line: targets of another kind, meshes that cannot be made again, models
/// whose dual problem is not solved with them
std::optional<Refinement> read_refinement(const io::Config& config, RefinedProblem problem);

/// What one mesh says.
struct Pass {
  struct Quantity {
    std::string name;  ///< "S21 10 GHz"
    Complex value;
    std::optional<double> estimate;  ///< of its error, as the tolerance counts
    double least = 0;  ///< smaller sizes are rounding: relative changes and errors count against this one
    /// With the change that added functions make; what is left beyond order 3 is known by size alone.
    std::optional<Complex> extrapolated{};
  };
  long unknowns = 0;
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
/// tolerance. Writes passes.csv and a table; warns or fails where the tolerance is not reached. Each pass is
/// kept in refinement.h5 for --resume until forget_refinement.
/// @param first the mesh to start from @returns the mesh of the last pass
mesh::Mesh refine(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                  const SolvePass& solve, run::Run& run, const CountElements& count_parts = {});

/// Of a dry run: says that it knows the first mesh alone. Nothing without [refinement] and in other runs.
void state_first_mesh(const std::optional<Refinement>& refinement, run::Run& run);

/// Removes what is kept for --resume: the run has its results.
void forget_refinement(run::Run& run);

}  // namespace curlew::programs
