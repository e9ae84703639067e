// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "ie/surface/surface_equation.hpp"
#include "ie/surface/surface_preconditioner.hpp"
#include "programs/ie/errors.hpp"
#include "programs/ie/mirrored_waves.hpp"
#include "programs/ie/solver_choice.hpp"

namespace curlew::programs {
namespace {

/// Iterations of closed conductors with the CFIE, and of others (docs/measured/ie.md).
SolveSize size_of(const ie::System& system, const SurfaceConfig& c) {
  const bool is_combined = !system.is_symmetric();
  return {double(system.num_unknowns()), rank_of(system, c),
          system.num_unknowns() > system.num_electric() ? 2.0 : 1.0, is_combined ? 20.0 : 60.0};
}

}  // namespace

/// Waves of all directions in a cut have a rank of twice k times the diameter, and of two polarisations twice
/// that.
double rank_of(const ie::System& system, const SurfaceConfig& c) {
  const double given = double(num_right_hand_sides(c));
  if (c.solver.compression_tolerance == 0) return given;
  constexpr double far = std::numeric_limits<double>::max();
  Vec3<double> low{far, far, far}, high = -low;
  for (const auto& node : system.mesh().nodes) {
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], node[d]), high[d] = std::max(high[d], node[d]);
  }
  return std::min(given, 10 + 2 * std::abs(system.integrals(0).wavenumber()) * norm(high - low));
}

void choose_solver(const ie::System& system, SurfaceConfig& c) {
  if (system.dual() != nullptr) {
    if (!c.automatic && !c.solver.direct && c.solver.accelerated)
      throw InputError(
          "formulation.testing = \"dual\" has no fast sums: [acceleration] type = \"none\", or [solver] "
          "method = "
          "\"direct\"");
    if (c.automatic) c.solver.direct = true, c.solver.accelerated = false;
    return;
  }
  if (!c.automatic) return;
  c.solver.direct = prefers_direct(size_of(system, c), c.solver.device == Device::cuda, available_memory());
  if (c.solver.direct) c.solver.accelerated = false;
}

Index num_right_hand_sides(const SurfaceConfig& c) {
  return Index(c.waves.size() + c.ports.size()) + (c.dipoles.empty() ? 0 : 1);
}

void set_ports(const SurfaceConfig& c, SurfaceSolution& s) {
  for (const auto& port : c.ports) s.ports.push_back(ie::find_port(s.system, port));
}

void set_right_hand_sides(const SurfaceConfig& c, SurfaceSolution& s) {
  const auto n = std::size_t(s.system.num_unknowns());
  s.count = Index(c.waves.size());
  s.x.reserve(n * std::size_t(num_right_hand_sides(c)));
  s.x.resize(n * c.waves.size());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t w = 0; w < c.waves.size(); ++w)
    std::ranges::copy(ie::right_hand_side(s.system, c.waves[w].wave), s.x.begin() + Offset(w * n));
  const auto append = [&](const std::vector<Complex>& b) {
    s.x.insert(s.x.end(), b.begin(), b.end());
    ++s.count;
  };
  if (s.dipoles) append(s.dipoles->right_hand_side());
  set_ports(c, s);
  for (const auto& port : s.ports) append(ie::right_hand_side(s.system, port));
}

void drive_ports(const SurfaceConfig& c, SurfaceSolution& s) {
  if (s.ports.empty()) return;
  const Index unknowns = s.system.num_unknowns();
  Complex* const first = &s.x[std::size_t(unknowns) * (std::size_t(s.count) - s.ports.size())];
  s.network = ie::port_network(s.ports, first, unknowns, c.reference_impedance);
  ie::drive_ports(*s.network, unknowns, first);
  if (c.drive.empty()) return;
  const auto all = combined_excitation(c).of(first, std::size_t(unknowns));
  s.x.insert(s.x.end(), all.begin(), all.end());
  ++s.count, s.has_combined = true;
}

SurfaceSolution begin_solution(const SurfaceConfig& c, double frequency, const ie::System& system) {
  SurfaceSolution s{frequency, system, {}, {}, {}, {}, 0};
  if (!c.dipoles.empty()) s.dipoles.emplace(system, c.dipoles);
  return s;
}

SolveCost cost_on(const mesh::Mesh& mesh, SurfaceConfig c, const run::Run& run) {
  const ie::System system(SurfaceProblems(c.surfaces, mesh).at(c.frequencies.front()));
  choose_solver(system, c);
  return cost_of(ie::SurfaceEquation(system), c.solver, num_right_hand_sides(c), run);
}

bool can_sample(const SurfaceConfig& c) {
  return c.solver.direct || c.adaptive->tolerance >= 10 * c.solver.krylov.tolerance;
}

linalg::SampledColumns sampled_columns(SurfaceSolution&& s) {
  const Index unknowns = s.system.num_unknowns();
  const auto of_ports = std::size_t(unknowns) * s.ports.size();
  auto currents = ie::port_currents(s.ports, s.x.data() + s.x.size() - of_ports, unknowns);
  return {std::move(s.x), unknowns, std::move(currents)};
}

SolvedSurface begin_surface(const mesh::Mesh& mesh, const SurfaceConfig& c, double frequency) {
  auto system = std::make_unique<const ie::System>(SurfaceProblems(c.surfaces, mesh).at(frequency));
  auto solution = begin_solution(c, frequency, *system);
  return {std::move(system), std::move(solution)};
}

SolvedSurface solve_surface_by_volts(const mesh::Mesh& mesh, SurfaceConfig c, double frequency) {
  auto out = begin_surface(mesh, c, frequency);
  const ie::System& system = *out.system;
  SurfaceSolution& s = out.solution;
  choose_solver(system, c);
  if (c.automatic_preconditioner)
    c.solver.preconditioner = ie::choose_preconditioner(system, c.solver.device, num_right_hand_sides(c));
  const MirroredWaves mirrored(c, system);
  set_right_hand_sides(mirrored.solved_part(c), s);
  solve_finer(ie::SurfaceEquation(system, ie::port_loads(system, c.ports)), c.solver, s.x, s.count);
  mirrored.expand(s);
  return out;
}

SolvedSurface solve_surface(const mesh::Mesh& mesh, const SurfaceConfig& c, double frequency) {
  auto out = solve_surface_by_volts(mesh, c, frequency);
  drive_ports(c, out.solution);
  return out;
}

}  // namespace curlew::programs
