// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "ie/operator/process_group.hpp"
#include "ie/surface/current_jumps.hpp"
#include "mesh/refine.hpp"
#include "mesh/straighten.hpp"
#include "programs/ie/errors.hpp"
#include "programs/ie/surface_solve.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

/// Where a wave's cross-section is looked at.
std::vector<fields::Direction> directions_of(const SurfaceConfig& c, const NamedWave& wave) {
  if (!c.monostatic) return c.pattern();
  return {{wave.wave.theta, wave.wave.phi}};
}

/// Of each wave E in its directions; of each port E and the accepted power of 1 W incident, or its impedance.
fields::Quantities quantities_of(Target target, const SurfaceConfig& c, const SurfaceSolution& s) {
  fields::Quantities q;
  if (target == Target::impedance) {
    for (Eigen::Index i = 0; i < s.network->scattering.rows(); ++i)
      q.push_back(s.network->input_impedance(i));
    return q;
  }
  const ie::FarFields far(s.system);
  if (target == Target::rcs)
    for (std::size_t w = 0; w < c.waves.size(); ++w)
      append_pattern(far.pattern(s.of(w), 1, directions_of(c, c.waves[w])), 1, q);
  else
    for (std::size_t i = 0; i < c.ports.size(); ++i)
      append_pattern(far.pattern(s.of(s.first_port() + i), 1, c.pattern()),
                     1 - std::norm(s.network->scattering(Eigen::Index(i), Eigen::Index(i))), q);
  return q;
}

/// Amplitudes of fields in wavelengths below which the parts of a current on 10^4 triangles, each known to a
/// rounding error, are not told from zero.
constexpr double least_amplitude = 1e-12;

/// The smallest cross-section that is told from zero [m^2]: 1e-24 of the squared wavelength.
double least_section(const SurfaceSolution& s) {
  const double wavelength = 2 * pi / s.system.scene().regions[0].k.real();
  return std::pow(least_amplitude * wavelength, 2);
}

/// The greatest cross-section [m^2] or gain of a pattern and its relative bar.
/// @param least that counts of it
Pass::Quantity greatest(const fields::Quantities& q, const fields::Changes& changes, std::size_t first,
                        std::size_t directions, double least) {
  const auto error = fields::pattern_error(q, changes, first, directions);
  const auto best =
      std::size_t(std::max_element(error.strength.begin(), error.strength.end()) - error.strength.begin());
  const double strength = error.strength[best], power = q[first + 2 * directions].real();
  const double counted = std::max(strength, std::sqrt(least * power));
  return {"", strength * strength / power, 2 * error.field[best] / counted + error.power, least};
}

/// Adds the quantities of a frequency. @param changes empty: there is no estimate
/// @param least cross-section [m^2] told from zero
void add_quantities(Target target, const SurfaceConfig& c, double frequency, const fields::Quantities& q,
                    fields::Changes changes, double least, Pass& pass) {
  const bool has_estimate = !changes.by_order.empty();
  if (!has_estimate) changes.by_order.resize(q.size());
  const std::size_t count = target == Target::rcs ? c.waves.size() : c.ports.size();
  std::size_t first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t m = target == Target::rcs ? directions_of(c, c.waves[i]).size() : c.pattern().size();
    Pass::Quantity quantity{"", q[i], fields::bar_of(changes, i, 0) / std::abs(q[i]), 0};
    if (target != Target::impedance) {
      const double scale = target == Target::rcs ? 4 * pi : 2 * pi / vacuum_impedance;
      quantity = greatest(q, changes, first, m, target == Target::rcs ? least / scale : 0);
      quantity.value *= scale, quantity.least *= scale;
      first += 2 * m + 1;
    }
    const char* letter = target == Target::rcs ? "rcs" : target == Target::gain ? "gain" : "Z";
    quantity.name = fmt::format("{}{} {:.6g} GHz", letter, i + 1, 1e-9 * frequency);
    if (!has_estimate) quantity.estimate.reset();
    pass.quantities.push_back(std::move(quantity));
  }
}

/// What a square of the error of each right-hand side's currents adds to the target, relative, up to a factor
/// that all have: by reciprocity the amplitude E of the field scattered back changes by k eta/4π of it, S_ii
/// of 1 W by it, Z_ii / Z_ii by 2 / |1 - S_ii²| of that. Elsewhere and of gains: shares of the error in
/// energy.
std::vector<double> weights_of(Target target, const SurfaceConfig& c, const SurfaceSolution& s,
                               const std::vector<Pass::Quantity>& found) {
  std::vector<double> weights(std::size_t(s.count), 0.0);
  if (target == Target::rcs) {
    const double k = s.system.scene().regions[0].k.real();
    for (std::size_t w = 0; w < c.waves.size(); ++w)
      weights[w] = k / std::sqrt(std::max(std::abs(found[w].value), found[w].least));
    return weights;
  }
  for (std::size_t i = 0; i < c.ports.size(); ++i) {
    const Complex reflection = s.network->scattering(Eigen::Index(i), Eigen::Index(i));
    weights[s.first_port() + i] =
        target == Target::impedance ? 2 / std::abs(1.0 - reflection * reflection) : 1;
  }
  return weights;
}

/// Adds shares of the error to the triangles of the mesh that the system's surfaces are made of.
void add_shares(const mesh::Mesh& mesh, const SurfaceSolution& s, const std::vector<double>& weights,
                std::vector<double>& errors) {
  std::vector<char> is_there(errors.size());
  const auto& names = s.system.mesh().tag_names;
  for (const auto& surface : mesh.surfaces)
    if (std::find(names.begin(), names.end(), surface.name) != names.end())
      for (const Index t : surface.entities) is_there[std::size_t(t)] = 1;
  for (std::size_t rhs = 0; rhs < weights.size(); ++rhs) {
    if (weights[rhs] == 0) continue;
    const auto shares = ie::current_jumps(s.system, s.of(rhs));
    std::size_t own = 0;  // extract_surfaces keeps the order
    for (std::size_t t = 0; t < errors.size(); ++t)
      if (is_there[t]) errors[t] += weights[rhs] * shares[own++];
  }
}

/// The passes' solutions.
class SurfacePasses {
 public:
  SurfacePasses(const Refinement& refinement, const io::Config& document, const SurfaceConfig& config,
                run::Run& run)
      : refinement_(refinement),
        document_(document),
        config_(config),
        report_(results::read_accuracy(document), run) {}

  Pass solve(const mesh::Mesh& given) {
    const mesh::Mesh flat = mesh::straighten(given);
    Pass pass;
    pass.errors.resize(std::size_t(flat.num_triangles()));
    for (const double f : refinement_.frequencies) {
      SurfaceConfig c = config_;
      c.ports = read_surface_ports(document_, f);  // loads depend on the frequency
      const SolvedSurface solved = solve_surface(flat, c, f);
      const SurfaceSolution& s = solved.solution;
      pass.unknowns = s.system.num_unknowns();
      const auto q = quantities_of(refinement_.target, c, s);
      Pass at;
      add_quantities(refinement_.target, c, f, q, changes(given, c, f, q), least_section(s), at);
      add_shares(flat, s, weights_of(refinement_.target, c, s, at.quantities), pass.errors);
      pass.quantities.insert(pass.quantities.end(), at.quantities.begin(), at.quantities.end());
    }
    return pass;
  }

 private:
  /// By halved elements, and of curved ones by elements moved to the surface; empty where they are not made.
  fields::Changes changes(const mesh::Mesh& given, const SurfaceConfig& c, double f,
                          const fields::Quantities& q) {
    fields::Changes changes;
    if (report_.is_off()) return changes;
    report_.attempt([&] {
      const auto on = [&](const mesh::Mesh& mesh) {
        return quantities_of(refinement_.target, c, solve_surface(mesh, c, f).solution);
      };
      const auto moved = mesh::moved_flat(given);
      changes = changes_of(q, on(mesh::refined_flat(given)), moved ? on(*moved) : fields::Quantities());
    });
    return changes;
  }

  const Refinement& refinement_;
  const io::Config& document_;
  const SurfaceConfig& config_;
  results::ErrorReport report_;
};

}  // namespace

std::optional<Refinement> read_surface_refinement(const io::Config& document, const SurfaceConfig& c) {
  const auto refinement = read_refinement(document, RefinedProblem::surfaces);
  if (!refinement) return refinement;
  const io::Config table = document.table("refinement");
  if (!c.dipoles.empty())
    document.error("refinement", "meshes around dipoles are not refined: drive ports or take waves");
  table.require(refinement->target != Target::rcs || !c.waves.empty(), "target",
                "target = \"rcs\" is for plane waves: for ports take \"impedance\" or \"gain\"");
  table.require(refinement->target == Target::rcs || !c.ports.empty(), "target",
                "\"impedance\" and \"gain\" need a [[port]], and there is none: for waves take \"rcs\"");
  if (const auto* group = ie::process_group(); group != nullptr && group->size() > 1)
    document.error("refinement", "is for one process: leave out mpirun");
  return refinement;
}

mesh::Mesh refine_surfaces(const Refinement& refinement, const io::Config& document,
                           const SurfaceConfig& config, mesh::Mesh first, run::Run& run) {
  if (!run::is_geometry(document) && !first.cells.empty())
    document.table("mesh").error(
        "file", "[refinement] needs a geometry (.geo, .step, .brep), or a mesh of triangles without cells");
  SurfacePasses passes(refinement, document, config, run);
  return refine(
      refinement, document, std::move(first),
      [&](const mesh::Mesh& mesh, const std::vector<Complex>&) { return passes.solve(mesh); }, run);
}

}  // namespace curlew::programs
