// SPDX-License-Identifier: BSD-3-Clause
#include "ie/solved/mixed_potential.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "ie/report/wave_output.hpp"
#include "ie/volume/volume_system.hpp"

namespace curlew::ie {
namespace {

/// Up to this many unknowns assembling and factorising the matrix is faster than setting up an operator.
constexpr Index dense_limit = 3000;
/// The same if iterations take hundreds of steps or do not converge: negative permittivity, whose operator is
/// indefinite. 1.6 GB.
constexpr Index indefinite_limit = 10000;

void read_solver(const io::Config& config, run::Run& run, MixedPotentialConfig& c) {
  const auto stated =
      read_common(config, {"tfqmr", "gmres", "bicgstab", "bicgstabl", "cocr", "direct"}, 1e-3, run, c);
  c.automatic = stated.method != "direct" && stated.type == "auto";
  c.automatic_method = !config.table("solver").has("method");
  c.solver.direct = stated.method == "direct" || stated.type == "none";
  c.solver.accelerated = true, c.solver.recycled_starts = 0, c.solver.kept_directions = 0;
  const io::Config a = config.table("acceleration"), t = config.table("solver");
  const double accuracy =
      a.positive_or("integration_accuracy", std::max(1e-3, c.solver.acceleration_tolerance));
  try {
    c.integration = integration_for(accuracy);
  } catch (const InputError& e) {
    a.error("integration_accuracy", e.what());
  }
  c.solver.preconditioner =
      preconditioner_from(t.choice_or("preconditioner", {"jacobi", "none", "charges"}, "jacobi"));
}

}  // namespace

double dense_bytes(Index unknowns) {
  return 16 * double(unknowns) * double(unknowns);
}

MixedPotentialEquation equation_of(const MixedPotentialSolution& s, const MixedPotentialConfig& c) {
  return MixedPotentialEquation(s.system, c.integration);
}

void set_right_hand_sides(MixedPotentialSolution& s, const MixedPotentialConfig& c) {
  for (const auto& wave : c.waves) {
    const auto b = test_field(s.system, [&](Vec3<double> r) { return wave.wave.electric(s.k, r); });
    s.x.insert(s.x.end(), b.begin(), b.end());
  }
}

/// Chooses dense factors or not, and for indefinite problems an iteration that converges.
SolveOptions options_for(const MixedPotentialSolution& s, const MixedPotentialConfig& c) {
  SolveOptions o = c.solver;
  const Index n = s.system.num_unknowns();
  const bool fits = n <= indefinite_limit && dense_bytes(n) < 0.5 * double(available_memory());
  if (c.automatic) o.direct = n <= dense_limit || (s.is_indefinite() && fits);
  if (o.processes != nullptr) o.direct = o.processes->decide(o.direct);  // free memory may differ
  if (!c.automatic_method || !s.is_indefinite()) return o;
  o.krylov.method = linalg::krylov_method_from("gmres");
  o.krylov.restart = std::max(o.krylov.restart, 500);
  return o;
}

/// One point per element, as in the sums of the products: cells are small compared to the wavelength.
FarFields far_fields(const MixedPotentialSolution& s, Device device) {
  return FarFields(radiating_points(s.system, s.system.elements.size() > 50000 ? 1 : 2), device);
}

std::vector<CrossSections> sections_of(const MixedPotentialConfig& c, const MixedPotentialProblem& problem,
                                       const FarFields& fields, const MixedPotentialSolution& s) {
  const auto waves = printed_waves(c);
  std::vector<double> absorption;
  for (std::size_t w = 0; w < waves.size(); ++w) absorption.push_back(problem.absorption(s, w));
  return cross_sections(fields, s.x.data(), waves, absorption);
}

MixedPotentialConfig read_mixed_potential_config(const io::Config& config, job::RefinedProblem kind,
                                                 run::Run& run) {
  MixedPotentialConfig c;
  if (config.has("port"))
    config.error("port",
                 "the volume and film equations have no ports: take equation = \"efie\" with type = \"pec\"");
  read_solver(config, run, c);
  const auto excitation = config.table("excitation");
  excitation.choice_or("type", {"plane_wave"}, "plane_wave");
  c.waves = read_waves(excitation);
  c.refinement = job::read_refinement_or_default(config, kind, run);
  if (c.refinement)
    config.table("refinement")
        .require(c.refinement->target == mesh::Target::rcs, "target",
                 "volumes and films take target = \"rcs\" only");
  job::settle(c.refinement,
              run.processes() != nullptr ? "passes run in one process only: leave out mpirun" : "", config,
              run);
  return c;
}

bool MixedPotentialSolution::is_indefinite() const {
  return std::ranges::any_of(epsilon_r, [](Complex e) { return e.real() < 0; });
}

}  // namespace curlew::ie
