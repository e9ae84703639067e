// SPDX-License-Identifier: BSD-3-Clause
#include "ie/solved/surface_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/hertz.hpp"
#include "ie/surface/choose_equation.hpp"
#include "ie/surface/interior_resonance.hpp"
#include "mesh/box_tree.hpp"
#include "results/mesh_resolution.hpp"
#include "run/mesh_input.hpp"

namespace curlew::ie {

bool has_dielectrics(const Problem& p) {
  return std::any_of(p.surfaces.begin(), p.surfaces.end(),
                     [](const Surface& s) { return s.boundary == Boundary::dielectric; });
}

void check_resolution(const Problem& problem, const Scene& scene, bool is_refined, run::Run& run) {
  const double frequency = problem.frequency;
  const auto r = resolution(problem, scene);
  if (r.per_wavelength() < 6 && r.skin_depth < 0.5 * r.longest_edge)
    throw InputError(
        fmt::format("{}: fields decay within {:.3g} m (the skin depth) inside a [[material]] whose "
                    "edges are up to "
                    "{:.3g} m long: replace it by a [[boundary]] with type = \"impedance\" and its "
                    "conductivity, or make the "
                    "edges shorter than {:.3g} m",
                    hertz(frequency), r.skin_depth, r.longest_edge, 2 * r.skin_depth));
  results::state_resolution({frequency, r.longest_edge, 1 / r.per_wavelength()}, run);
  if (r.per_wavelength() < 6 && !is_refined)
    run.warn(
        fmt::format("{}: the longest edge, {:.4g} m, is {:.3g} of the shortest wavelength, {:.4g} m: "
                    "0.1 gives errors of a few tenths of a dB: make it {:.3g} m ({})",
                    hertz(frequency), r.longest_edge, 1 / r.per_wavelength(), r.wavelength,
                    0.1 * r.wavelength, run::source_of_sizes(run)));
}

void warn_of_resonances(const System& highest, bool has_ports, run::Run& run) {
  const auto lowest = lowest_interior_resonance(highest.problem(), highest.scene());
  const double f = highest.problem().frequency;
  if (!lowest || f < resonance_margin * lowest->frequency) return;
  const auto obstacle = obstacle_to_cfie(highest.problem(), highest.scene(), has_ports);
  run.warn(fmt::format(
      "{}: from about {} on, the inside of the closed conductor \"{}\" can have resonances, "
      "close to which equation = \"{}\" gives wrong currents and far fields without any other warning: {}",
      hertz(f), hertz(lowest->frequency, 3), lowest->surface,
      highest.problem().equation == Equation::mfie ? "mfie" : "efie",
      obstacle.empty() ? "\"cfie\" has no resonances"
                       : fmt::format("no other equation is possible ({}), so compare results at frequencies "
                                     "1 % above and below, or with fe-iiee, which has no interior resonances",
                                     obstacle)));
}

namespace {

constexpr double least_size = 1e-3;  ///< k times the size, for dielectrics

double extent(const System& s) {
  return norm(mesh::Bounds::around(s.problem().mesh.nodes).size());
}

double electrical_size(const System& s) {
  return s.scene().regions[0].k.real() * extent(s);
}

}  // namespace

bool is_too_low(const System& s) {
  return has_dielectrics(s.problem()) && electrical_size(s) < least_size;
}

void warn_of_low_frequency(const System& lowest, run::Run& run) {
  if (!is_too_low(lowest)) return;
  const double f = lowest.problem().frequency;
  run.warn(
      fmt::format("{}: the size of the bodies is {:.2g} m, k times that {:.1e}: below {:.0e} the "
                  "surface equations of dielectrics lose accuracy with the square of the frequency, and "
                  "neither a finer mesh nor a smaller solver.tolerance helps: take equation = \"volume\", or "
                  "solve at {} and scale cross-sections with f^4",
                  hertz(f), extent(lowest), electrical_size(lowest), least_size,
                  hertz(10 * f * least_size / electrical_size(lowest), 3)));
}

}  // namespace curlew::ie
