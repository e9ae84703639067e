// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "base/constants.hpp"
#include "ie/operator/process_group.hpp"
#include "ie/surface/current_jumps.hpp"
#include "mesh/straighten.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

/// Amplitudes of fields in wavelengths below which the parts of a current on 10^4 triangles, each with a
/// rounding error, cannot be distinguished from zero.
constexpr double least_amplitude = 1e-12;

/// The smallest cross-section distinguishable from zero [m^2]: 1e-24 of the squared wavelength.
double least_section(const SurfaceSolution& s) {
  const double wavelength = 2 * pi / s.system.scene().regions[0].k.real();
  return std::pow(least_amplitude * wavelength, 2);
}

/// Values of the target at a frequency, and their changes.
struct Seen {
  SurfaceOutcome outcome;
  SurfaceChanges left{};     ///< of the error after this pass by its own change; of the first pass none
  SurfaceChanges changes{};  ///< the greatest of that, of what the pass before says, and by the rate of both
  std::optional<SurfaceOutcome> before{};  ///< of the pass before
};

/// Changes of all quantities; zeros in the first pass.
fields::Changes known(const fields::Changes& changes, const fields::Quantities& q) {
  fields::Changes all = changes;
  all.by_order.resize(q.size());
  return all;
}

/// The greatest cross-section of each wave; backscattering relative to the greatest of its polarisation.
std::vector<mesh::Pass::Quantity> cross_sections(const SurfaceConfig& c, const Seen& seen, double least) {
  const auto& q = seen.outcome.waves;
  const auto changes = known(seen.changes.waves, q);
  const std::size_t waves = c.waves.size(), m = (q.size() / waves - 1) / 2;
  const std::size_t counted = c.monostatic ? 1 : m - 2;  // the last two are back and forward
  std::map<std::string, double> greatest;
  std::vector<fields::PatternError> errors;
  for (std::size_t w = 0; w < waves; ++w) {
    errors.push_back(fields::pattern_error(q, changes, w * (2 * m + 1), m));
    double& of_cut = greatest[c.waves[w].polarization];
    of_cut = std::max(of_cut, greatest_of(errors.back(), counted));
  }
  std::vector<mesh::Pass::Quantity> found;
  for (std::size_t w = 0; w < waves; ++w) {
    const double strength = greatest_of(errors[w], counted),
                 scale = c.monostatic ? greatest[c.waves[w].polarization] : 0;
    const double counts = std::max({strength, scale, std::sqrt(least / (4 * pi))});
    found.push_back({"rcs" + std::to_string(w + 1), 4 * pi * strength * strength,
                     bar_of_square(errors[w], counted, counts), least});
    found.back().scale = 4 * pi * scale * scale;
  }
  return found;
}

/// The greatest gain of each port.
std::vector<mesh::Pass::Quantity> gains(const SurfaceConfig& c, const Seen& seen) {
  const auto& q = seen.outcome.sources;
  const auto changes = known(seen.changes.sources, q);
  const std::size_t ports = c.ports.size(), m = c.pattern().size();
  std::vector<mesh::Pass::Quantity> found;
  for (std::size_t i = 0; i < ports; ++i) {
    const auto error = fields::pattern_error(q, changes, i * (2 * m + 1), m);
    const double strength = greatest_of(error, m),
                 accepted = 1 - std::norm(seen.outcome.ports[i * ports + i]);  // of 1 W incident
    found.push_back({"gain" + std::to_string(i + 1),
                     2 * pi / vacuum_impedance * strength * strength / accepted,
                     bar_of_square(error, m, strength) + error.power});
  }
  return found;
}

/// S, or the impedances.
std::vector<mesh::Pass::Quantity> port_values(mesh::Target target, const SurfaceConfig& c, const Seen& seen) {
  const auto& q = seen.outcome.ports;
  const auto changes = known(seen.changes.ports, q);
  const std::size_t ports = c.ports.size(), squared = ports * ports;
  std::vector<mesh::Pass::Quantity> found;
  if (target == mesh::Target::scattering)
    for (std::size_t i = 0; i < squared; ++i)
      found.push_back({fmt::format("S{}{}{}", i % ports + 1, ports > 9 ? "," : "", i / ports + 1), q[i],
                       fields::bar_of(changes, i, 0)});
  else
    for (std::size_t i = squared; i < q.size(); ++i)
      found.push_back(
          {fmt::format("Z{}", i - squared + 1), q[i], fields::bar_of(changes, i, 0) / std::abs(q[i])});
  return found;
}

/// @param least cross-section [m^2] that is not counted as zero
std::vector<mesh::Pass::Quantity> quantities_of(mesh::Target target, const SurfaceConfig& c, double frequency,
                                                const Seen& seen, double least) {
  auto found = target == mesh::Target::rcs    ? cross_sections(c, seen, least)
               : target == mesh::Target::gain ? gains(c, seen)
                                              : port_values(target, c, seen);
  const bool is_first = seen.changes.waves.by_order.empty() && seen.changes.sources.by_order.empty();
  for (auto& quantity : found) {
    quantity.name += fmt::format(" {:.6g} GHz", 1e-9 * frequency);
    if (is_first) quantity.estimate.reset();
  }
  return found;
}

/// Weights of the squared errors of each right-hand side's currents in the relative target, up to a common
/// factor: by reciprocity the amplitude E of the field scattered back changes by k eta/4π of it, S_ii of 1 W
/// by it, Z_ii / Z_ii by 2 / |1 - S_ii²| of that. In other directions and for gains: contributions to the
/// error in energy.
std::vector<double> weights_of(mesh::Target target, const SurfaceConfig& c, const SurfaceSolution& s,
                               const std::vector<mesh::Pass::Quantity>& found) {
  std::vector<double> weights(std::size_t(s.count), 0.0);
  if (target == mesh::Target::rcs) {
    const double k = s.system.scene().regions[0].k.real();
    for (std::size_t w = 0; w < c.waves.size(); ++w)
      weights[w] = k / std::sqrt(std::max({std::abs(found[w].value), found[w].scale, found[w].least}));
    return weights;
  }
  const auto network = s.network();
  for (std::size_t i = 0; i < c.ports.size(); ++i) {
    const Complex reflection = network.scattering(Eigen::Index(i), Eigen::Index(i));
    weights[s.first_port() + i] =
        target == mesh::Target::impedance ? 2 / std::abs(1.0 - reflection * reflection) : 1;
  }
  return weights;
}

/// Adds contributions to the error to the triangles of the mesh from which the system's surfaces were made.
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
  SurfacePasses(const job::Refinement& refinement, SurfaceConfig config, run::Run& run)
      : refinement_(refinement), config_(std::move(config)), run_(run) {
    if (config_.adaptive && !can_sample(config_)) config_.adaptive.reset();
  }

  /// @param last not empty: there was a pass before
  mesh::Pass solve(const mesh::Mesh& given, const std::vector<Complex>& last) {
    if (!last.empty() && seen_.empty())
      if (const auto before = job::last_mesh(run_)) solve_on(*before);
    return solve_on(given);
  }

  /// Error bars of the last mesh.
  PassBars bars() const {
    PassBars bars;
    for (const auto& [frequency, seen] : seen_)
      if (unknowns_before_ > 0) bars.emplace(frequency, seen.changes);
    return bars;
  }

 private:
  mesh::Pass solve_on(const mesh::Mesh& given) {
    const mesh::Mesh flat = mesh::straighten(given);
    SurfaceSweep sweep(flat, config_);
    mesh::Pass pass;
    pass.errors.resize(std::size_t(flat.num_triangles()));
    pass.bytes = cost_on(flat, config_, run_).host;
    const auto before = std::exchange(seen_, {});
    for (const double f : frequencies()) {
      const SurfaceSolution s = sweep.at(f);
      pass.unknowns = s.system.num_unknowns();
      const Seen& seen = look(s, before);
      auto found = quantities_of(refinement_.target, config_, f, seen, least_section(s));
      add_shares(flat, s, weights_of(refinement_.target, config_, s, found), pass.errors);
      std::move(found.begin(), found.end(), std::back_inserter(pass.quantities));
    }
    unknowns_before_ = std::exchange(unknowns_, pass.unknowns);
    return pass;
  }

  /// Frequencies set in [refinement], else the full band.
  const std::vector<double>& frequencies() const {
    return refinement_.states_frequencies ? refinement_.frequencies : config_.frequencies;
  }

  const Seen& look(const SurfaceSolution& s, const std::map<double, Seen>& before) {
    Seen seen{outcome_of(config_, s)};
    if (const auto last = before.find(s.frequency); last != before.end()) {
      seen.left =
          left_after(seen.outcome, last->second.outcome, double(s.system.num_unknowns()) / double(unknowns_));
      seen.changes = greater(seen.left, last->second.left);
      seen.before = last->second.outcome;
      if (const auto& earlier = last->second.before) {
        const auto& [waves, sources, ports] = *earlier;
        seen.changes =
            greater(seen.changes, {{},
                                   fields::left_by_rate(seen.outcome.sources, seen.before->sources, sources),
                                   fields::left_by_rate(seen.outcome.ports, seen.before->ports, ports)});
      }
    }
    return seen_[s.frequency] = std::move(seen);
  }

  const job::Refinement& refinement_;
  SurfaceConfig config_;
  run::Run& run_;
  std::map<double, Seen> seen_;  // of the last pass, by frequency [Hz]
  long unknowns_ = 0, unknowns_before_ = 0;
};

/// Why adaptive passes are not possible; empty if they are.
std::string obstacle_to_passes(const SurfaceConfig& c) {
  if (!c.dipoles.empty()) return "meshes around dipoles are not refined: drive ports or take waves";
  if (const auto* group = ie::process_group(); group != nullptr && group->size() > 1)
    return "passes are for one process: leave out mpirun";
  return {};
}

}  // namespace

std::optional<job::Refinement> read_surface_refinement(const io::Config& document, const SurfaceConfig& c,
                                                       run::Run& run) {
  auto refinement = job::read_refinement_or_default(document, job::RefinedProblem::surfaces, run);
  job::settle(refinement, obstacle_to_passes(c), document, run);
  if (!refinement) return refinement;
  const io::Config table = document.table("refinement");
  table.require(refinement->target != mesh::Target::rcs || !c.waves.empty(), "target",
                "target = \"rcs\" is for plane waves: for ports take \"S\", \"impedance\" or \"gain\"");
  table.require(
      refinement->target == mesh::Target::rcs || !c.ports.empty(), "target",
      "\"S\", \"impedance\" and \"gain\" need a [[port]], and there is none: for waves take \"rcs\"");
  // Of one change the rate is not known, and antennas of strips begin with triangles as wide as these.
  if (refinement->target != mesh::Target::rcs) refinement->least_passes = 3;
  return refinement;
}

RefinedSurfaces refine_surfaces(const job::Refinement& refinement, const io::Config& document,
                                const SurfaceConfig& config, mesh::Mesh first, run::Run& run) {
  if (!run::is_geometry(document) && !first.cells.empty())
    document.table("mesh").error(
        "file", "[refinement] needs a geometry (.geo, .step, .brep), or a mesh of triangles without cells");
  SurfacePasses passes(refinement, config, run);
  auto mesh = job::refine(
      refinement, document, std::move(first),
      [&](const mesh::Mesh& on, const std::vector<Complex>& last) { return passes.solve(on, last); }, run);
  return {std::move(mesh), passes.bars()};
}

}  // namespace curlew::programs
