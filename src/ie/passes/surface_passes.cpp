// SPDX-License-Identifier: BSD-3-Clause
#include "ie/passes/surface_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "base/constants.hpp"
#include "ie/passes/errors.hpp"
#include "ie/surface/current_jumps.hpp"
#include "mesh/regions.hpp"
#include "mesh/straighten.hpp"
#include "results/s_parameters.hpp"

namespace curlew::ie {
namespace {

/// Values of the target at a frequency, and their changes.
struct Seen {
  SurfaceOutcome outcome;
  SurfaceChanges left{};     ///< of the error after this pass by its own change; none for the first pass
  SurfaceChanges changes{};  ///< the greatest of that, of the previous pass's, and by the rate of both
  std::optional<SurfaceOutcome> before{};  ///< of the previous pass
};

/// [bytes] Of wide patterns at many frequencies they take more than a small matrix.
std::size_t bytes_of(const std::map<double, Seen>& all) {
  const auto number = [](const auto& of) { return of.waves.size() + of.sources.size() + of.ports.size(); };
  const auto changes = [](const SurfaceChanges& of) {
    return of.waves.by_order.size() + of.sources.by_order.size() + of.ports.by_order.size();
  };
  std::size_t numbers = 0;
  for (const auto& [frequency, seen] : all)
    numbers += number(seen.outcome) + changes(seen.left) + changes(seen.changes) +
               (seen.before ? number(*seen.before) : 0);
  return sizeof(Complex) * numbers;
}

/// Changes of all quantities; zeros in the first pass.
fields::Changes known(const fields::Changes& changes, const fields::Quantities& q) {
  fields::Changes all = changes;
  all.by_order.resize(q.size());
  return all;
}

/// The remaining error after the previous pass, which falls with the unknowns: slower convergence shows in
/// left_by_rate.
SurfaceChanges left_since(SurfaceChanges left, double growth) {
  for (auto* of : {&left.waves, &left.sources, &left.ports})
    for (Complex& change : of->by_order) change /= std::clamp(growth, 1.0, 2.0);
  return left;
}

SurfaceChanges by_rate(const SurfaceOutcome& now, const SurfaceOutcome& before,
                       const SurfaceOutcome& earlier) {
  return {fields::left_by_rate(now.waves, before.waves, earlier.waves),
          fields::left_by_rate(now.sources, before.sources, earlier.sources),
          fields::left_by_rate(now.ports, before.ports, earlier.ports)};
}

/// The greatest gain of each port, and of the dipoles over the power that leaves.
std::vector<mesh::Pass::Quantity> gains(const SurfaceConfig& c, const Seen& seen) {
  const auto& q = seen.outcome.sources;
  const auto changes = known(seen.changes.sources, q);
  const std::size_t dipoles = c.dipoles.empty() ? 0 : 1, ports = c.ports.size(), m = c.pattern().size();
  std::vector<mesh::Pass::Quantity> found;
  for (std::size_t i = 0; i < dipoles + ports; ++i) {
    const std::size_t first = i * (2 * m + 1), port = i - dipoles;
    auto error = fields::pattern_error(q, changes, first, m);
    double power = q[first + 2 * m].real();
    if (i >= dipoles) {
      raise_by_ports(seen.outcome.ports, known(seen.changes.ports, seen.outcome.ports), port, error);
      power = 1 - std::norm(seen.outcome.ports[port * ports + port]);  // accepted of 1 W incident
    }
    const double strength = greatest_of(error, m);
    found.push_back({i < dipoles ? "gain of dipoles" : "gain" + std::to_string(port + 1),
                     2 * pi / vacuum_impedance * strength * strength / power,
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
      found.push_back({results::s_name(i % ports, i / ports, ports), q[i], fields::bar_of(changes, i, 0)});
  else
    for (std::size_t i = squared; i < q.size(); ++i)
      found.push_back(
          {fmt::format("Z{}", i - squared + 1), q[i], fields::bar_of(changes, i, 0) / std::abs(q[i])});
  return found;
}

/// @param least cross-section [m^2] that is not counted as zero
std::vector<mesh::Pass::Quantity> quantities_of(mesh::Target target, const SurfaceConfig& c, double frequency,
                                                const Seen& seen, double least) {
  const auto& waves = seen.outcome.waves;
  auto found =
      target == mesh::Target::rcs
          ? cross_sections(c, c.monostatic,
                           wave_errors(waves, known(seen.changes.waves, waves), c.waves.size()), least)
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
  if (s.dipoles && target == mesh::Target::gain) weights[c.waves.size()] = 1;
  if (c.ports.empty()) return weights;
  const auto network = s.network();
  for (std::size_t i = 0; i < c.ports.size(); ++i) {
    const Complex reflection = network.scattering(Eigen::Index(i), Eigen::Index(i));
    weights[s.first_port() + i] =
        target == mesh::Target::impedance ? 2 / std::abs(1.0 - reflection * reflection) : 1;
  }
  return weights;
}

/// Adds contributions to the error to the triangles of the mesh from which the system's surfaces were made.
/// @param triangles of the surfaces, ascending as extract_surfaces has them
void add_shares(const std::vector<Index>& triangles, const SurfaceSolution& s,
                const std::vector<double>& weights, std::vector<double>& errors) {
  for (std::size_t rhs = 0; rhs < weights.size(); ++rhs) {
    if (weights[rhs] == 0) continue;
    const auto shares = current_jumps(s.system, s.of(rhs));
    for (std::size_t i = 0; i < triangles.size(); ++i)
      errors[std::size_t(triangles[i])] += weights[rhs] * shares[i];
  }
}

/// The passes' solutions.
class SurfacePasses {
 public:
  SurfacePasses(const job::Refinement& refinement, SurfaceConfig config, run::Run& run)
      : refinement_(refinement), config_(std::move(config)), run_(run) {}

  mesh::Pass solve(const mesh::Mesh& given, const std::vector<job::Row>& before) {
    if (!before.empty() && seen_.empty())
      if (const auto last = job::last_mesh(run_)) solve_on(*last);
    return solve_on(given);
  }

  /// Error bars of the last mesh.
  PassBars bars() const {
    PassBars bars;
    for (const auto& [frequency, seen] : seen_)
      if (unknowns_before_ > 0) bars.emplace(frequency, seen.changes);
    return bars;
  }
  /// Full solutions of the last pass.
  KnownColumns take_solved() { return std::move(solved_); }

 private:
  /// What a pass takes from a frequency.
  struct Look {
    Seen seen{};
    std::vector<mesh::Pass::Quantity> found{};
    std::vector<double> errors{};  // [triangles of the mesh]
  };

  mesh::Pass solve_on(const mesh::Mesh& given) {
    const mesh::Mesh flat = mesh::straighten(given);
    SurfaceSweep sweep(flat, config_);
    mesh::Pass pass;
    pass.errors.resize(std::size_t(flat.num_triangles()));
    pass.bytes = cost_on(sweep.problems(), config_, run_).host;
    auto triangles = mesh::triangles_of(flat, sweep.problems().mesh().tag_names);
    std::ranges::sort(triangles);
    const auto& all = frequencies();
    pass.unknowns = sweep.problems().system_at(all.front())->num_unknowns();
    std::map<double, Seen> seen;
    constexpr std::size_t at_once = 64;  // looks, whose errors are added in their order
    for (std::size_t first = 0; first < all.size(); first += at_once) {
      std::vector<Look> looks(std::min(at_once, all.size() - first));
      sweep.each({&all[first], looks.size()}, [&](std::size_t i, const SurfaceSolution& s) {
        looks[i] = look(s, sweep.radiated(s), pass.unknowns);
        looks[i].errors.resize(pass.errors.size());
        add_shares(triangles, s, weights_of(refinement_.target, config_, s, looks[i].found), looks[i].errors);
      });
      for (std::size_t i = 0; i < looks.size(); ++i) {
        std::move(looks[i].found.begin(), looks[i].found.end(), std::back_inserter(pass.quantities));
        for (std::size_t t = 0; t < pass.errors.size(); ++t) pass.errors[t] += looks[i].errors[t];
        seen.emplace(all[first + i], std::move(looks[i].seen));
      }
    }
    pass.bytes += sweep.bytes() + bytes_of(seen);
    seen_ = std::move(seen), solved_ = sweep.full();
    unknowns_before_ = std::exchange(unknowns_, pass.unknowns);
    return pass;
  }

  /// Frequencies set in [refinement], else the full band.
  const std::vector<double>& frequencies() const {
    return refinement_.states_frequencies ? refinement_.frequencies : config_.frequencies;
  }

  Look look(const SurfaceSolution& s, const RadiatedFields& radiated, long unknowns) const {
    Look found{{outcome_of(config_, s, radiated)}};
    Seen& seen = found.seen;
    if (const auto last = seen_.find(s.frequency); last != seen_.end()) {
      const double growth = double(unknowns) / double(unknowns_);
      seen.left = left_after(seen.outcome, last->second.outcome, growth);
      seen.changes = greater(seen.left, left_since(last->second.left, growth));
      seen.before = last->second.outcome;
      const auto& of_last = *seen.before;
      if (const auto& earlier = last->second.before)
        seen.changes = greater(seen.changes, by_rate(seen.outcome, of_last, *earlier));
      else
        seen.changes = greater(
            seen.changes, {seen.left.waves, fields::left_at_slowest(seen.outcome.sources, of_last.sources),
                           fields::left_at_slowest(seen.outcome.ports, of_last.ports)});
      seen.changes = raised_at_rims(std::move(seen.changes), seen.outcome);
    }
    found.found = quantities_of(refinement_.target, config_, s.frequency, seen,
                                least_section(s.system.scene().regions[0].k.real()));
    return found;
  }

  const job::Refinement& refinement_;
  SurfaceConfig config_;
  run::Run& run_;
  std::map<double, Seen> seen_;  // of the last pass, by frequency [Hz]
  KnownColumns solved_;          // the same
  long unknowns_ = 0, unknowns_before_ = 0;
};

}  // namespace

std::optional<job::Refinement> read_surface_refinement(const io::Config& document, const SurfaceConfig& c,
                                                       run::Run& run) {
  auto refinement = job::read_refinement_or_default(document, job::RefinedProblem::surfaces, run);
  job::settle(refinement,
              run.processes() != nullptr ? "passes run in one process only: leave out mpirun" : "", document,
              run);
  if (!refinement) return refinement;
  const io::Config table = document.table("refinement");
  table.require(refinement->target != mesh::Target::rcs || !c.waves.empty(), "target",
                "target = \"rcs\" is for plane waves: for ports take \"S\", \"impedance\" or \"gain\"");
  table.require(refinement->target == mesh::Target::rcs || !c.ports.empty() ||
                    (refinement->target == mesh::Target::gain && !c.dipoles.empty()),
                "target",
                "\"S\" and \"impedance\" need a [[port]], \"gain\" a [[port]] or a dipole, and this config "
                "has neither: for waves take \"rcs\"");
  // A single change gives no rate, and antennas of strips begin with triangles as wide as the strips: two
  // passes are enough only where three times the change is small at several frequencies.
  if (refinement->target != mesh::Target::rcs) {
    const auto& looked_at = refinement->states_frequencies ? refinement->frequencies : c.frequencies;
    refinement->least_passes = 3;
    if (looked_at.size() > 1) refinement->sure_share = 2.0 / 3;
  }
  for (const auto& port : c.ports)
    if (port.region.empty())
      run.line(
          fmt::format("port \"{}\" is a gap of zero width: its capacitance grows with every pass, which "
                      "error bars do not contain; use type = \"lumped\", whose impedance converges",
                      port.name));
  return refinement;
}

RefinedSurfaces refine_surfaces(const job::Refinement& refinement, const io::Config& document,
                                const SurfaceConfig& config, mesh::Mesh first, run::Run& run) {
  SurfacePasses passes(refinement, config, run);
  auto mesh = job::refine(
      refinement, document, std::move(first),
      [&](const mesh::Mesh& on, const auto& before) { return passes.solve(on, before); }, run);
  return {std::move(mesh), passes.bars(), passes.take_solved()};
}

}  // namespace curlew::ie
