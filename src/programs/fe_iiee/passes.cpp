// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/constants.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/driven/rational_sweep.hpp"
#include "fem/passes/band_passes.hpp"
#include "fem/passes/passes.hpp"
#include "fem/passes/port_gains.hpp"
#include "fem/passes/port_passes.hpp"
#include "programs/fe_iiee/peaks.hpp"

namespace curlew::fe_iiee {
namespace {

using mesh::Pass;
using mesh::Target;

std::optional<fem::ShapeVariant> shape_of(TruncatedJob& job) {
  const auto& c = job.config();
  return fem::shape_variant(c.mesh, c.topology, c.model);
}

/// The greatest cross-section of each wave in the directions asked for, relative.
void add_cross_sections(TruncatedJob& job, const Solved& solved, mesh::Pass& pass) {
  std::vector<std::size_t> waves(job.config().waves.size());
  std::iota(waves.begin(), waves.end(), 0);
  const Peaks peaks(job, solved, waves);
  const auto found = peaks.test(peaks.weights());
  fem::add_shares(found, job.system().space(), job.system().model(), pass);
  const auto shape = shape_of(job);
  const auto moved = peaks.moved(shape ? &*shape : nullptr, &pass);
  const auto bar = [&](Eigen::Index i, Eigen::Index j) { return found.bar(i, j) + std::abs(moved(i, j)); };
  for (const std::size_t i : waves)
    pass.quantities.push_back({fmt::format("rcs{} {:.6g} GHz", i + 1, 1e-9 * solved.frequency),
                               4 * pi * peaks.square(i), peaks.bar(i, bar), 4 * pi * peaks.least_square()});
}

/// The greatest gain of each excited port in the requested directions, relative.
void add_gains(TruncatedJob& job, const Solved& solved, mesh::Pass& pass) {
  const Peaks peaks(job, solved, solved.drive.shown, {Look::greatest}, fem::least_gain_of_passes);
  const auto found = peaks.test(peaks.weights());
  fem::add_shares(found, job.system().space(), job.system().model(), pass);
  const auto shape = shape_of(job);
  const auto moved = peaks.moved(shape ? &*shape : nullptr, &pass);
  // What changes field and power alike cancels; what the next order misses at rims does not.
  const auto missing = fem::missing_of_one_mesh(job.system().space(), job.system().model(), found);
  std::size_t i = 0;
  for (const std::size_t c : solved.drive.shown) {
    Pass::Quantity q{fmt::format("gain{} {:.6g} GHz", c + 1, 1e-9 * solved.frequency), 0.0, 0.0, 0};
    if (i < peaks.size() && peaks.column(i) == c) {
      q.value = peaks.gain(i);
      q.estimate = fem::surplus_bar(peaks.change_of_gain(i, found.gradients),
                                    peaks.change_of_gain(i, found.others), missing) +
                   std::abs(peaks.change_of_gain(i, moved));
      ++i;
    }
    q.scale = std::max(std::abs(q.value), fem::least_gain_of_passes);
    pass.quantities.push_back(std::move(q));
  }
}

/// [Hz] Where passes for S or impedances look at the gains of ports too, in elements up to order 2.
std::optional<double> gains_at(const TruncatedCase& c, const job::Refinement& refinement) {
  const auto& sweep = c.sweep;
  const bool has_gains =
      refinement.looks_at_gains && c.waves.empty() && c.model.order < 3 && refinement.max_order < 3;
  return has_gains && !sweep.written.empty() ? std::optional(sweep.middle_written()) : std::nullopt;
}

}  // namespace

std::string obstacle_to_passes(const TruncatedCase& c) {
  if (!c.sources.empty())
    return "adaptive passes are not for dipoles and currents: drive ports or take plane waves";
  if (c.splits())
    return "adaptive passes are not for waves on a part of a symmetric body: give the whole body";
  return fem::has_reciprocal_media(c.model) ? "" : "passes need reciprocal media";
}

void require_target(const job::Refinement& refinement, const TruncatedCase& c, const io::Config& config) {
  const bool has_waves = !c.waves.empty();
  config.table("refinement")
      .require((refinement.target == mesh::Target::rcs) == has_waves, "target",
               has_waves ? "with plane waves the target is \"rcs\""
                         : "target = \"rcs\" is for plane waves: for ports take \"S\", \"impedance\" or "
                           "\"gain\"");
}

mesh::Mesh refine_truncated(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                            const std::function<TruncatedCase(const mesh::Mesh&)>& read, run::Run& run) {
  fem::BandPasses band(refinement, config);
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<job::Row>& before) {
    const TruncatedCase c = read(mesh);
    TruncatedJob job(c, run);
    fem::require_dual(job.system(), refinement.target);
    job.problem().system().analyse();
    mesh::Pass pass{.unknowns = job.system().num_unknowns()};
    const auto solve_at = [&](double f) {
      const auto timer = run.stage(job.stage());
      if (job.system().has_dispersive_ports())  // modes are followed upwards
        for (const double below : c.sweep.frequencies)
          if (below < f) job.system().mode_states(below);
      return job.solve_columns(f);
    };
    if (refinement.target == mesh::Target::scattering || refinement.target == mesh::Target::impedance) {
      Solved last_solved;
      const auto solve_ports = [&](double f) {
        last_solved = solve_at(f);
        return job.ports_with_fields(last_solved);
      };
      const auto sweep = [&](const auto& of, const fem::FastSweepOptions& how) {
        fem::RationalModel model;
        return fem::adaptive_sweep(job.system(), of, how, solve_ports, model);
      };
      fem::add_band({job.system(), refinement, c.reference_impedance, solve_ports, sweep, job.share(),
                     job.problem().surfaces().outer},
                    before, band, pass);
      if (const auto f = gains_at(c, refinement))
        band.add_late(
            pass, [&] { add_gains(job, last_solved.frequency == *f ? last_solved : solve_at(*f), pass); });
      return pass;
    }
    for (const double f : refinement.frequencies)
      refinement.target == mesh::Target::rcs ? add_cross_sections(job, solve_at(f), pass)
                                             : add_gains(job, solve_at(f), pass);
    return pass;
  };
  return fem::refine_with_layers(refinement, config, std::move(first), solve, run, fem::rounding_by(read));
}

}  // namespace curlew::fe_iiee
