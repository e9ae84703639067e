// SPDX-License-Identifier: BSD-3-Clause
#include "ie/solved/surface_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "ie/model/solver_choice.hpp"
#include "ie/solved/mirrored_waves.hpp"
#include "ie/surface/surface_equation.hpp"
#include "ie/surface/surface_preconditioner.hpp"

namespace curlew::ie {
namespace {

/// Iterations of closed conductors with the CFIE, and of others (docs/measured/ie.md).
SolveSize size_of(const System& system, const SurfaceConfig& c) {
  const bool is_combined = !system.is_symmetric();
  return {double(system.num_unknowns()), rank_of(system, c),
          system.num_unknowns() > system.num_electric() ? 2.0 : 1.0, is_combined ? 20.0 : 60.0};
}

}  // namespace

/// Waves of all directions in a cut have a rank of twice k times the diameter, and of two polarisations twice
/// that.
double rank_of(const System& system, const SurfaceConfig& c) {
  const double given = double(num_right_hand_sides(c));
  if (c.solver.compression_tolerance == 0) return given;
  constexpr double far = std::numeric_limits<double>::max();
  Vec3<double> low{far, far, far}, high = -low;
  for (const auto& node : system.mesh().nodes) {
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], node[d]), high[d] = std::max(high[d], node[d]);
  }
  return std::min(given, 10 + 2 * std::abs(system.integrals(0).wavenumber()) * norm(high - low));
}

void choose_solver(const System& system, SurfaceConfig& c) {
  if (system.dual() != nullptr) {
    if (!c.automatic && !c.solver.direct && c.solver.accelerated)
      throw InputError(
          "[formulation] equation: dual testing has no fast sums: [acceleration] type = \"none\", or "
          "[solver] "
          "method = "
          "\"direct\"");
    if (c.automatic) c.solver.direct = true, c.solver.accelerated = false;
    return;
  }
  if (!c.automatic) return;
  const bool own = prefers_direct(size_of(system, c), c.solver.device == Device::cuda, available_memory());
  c.solver.direct = c.solver.processes != nullptr ? c.solver.processes->decide(own) : own;
  if (c.solver.direct) c.solver.accelerated = false;
}

Index num_right_hand_sides(const SurfaceConfig& c) {
  return Index(c.waves.size() + c.ports.size()) + (c.dipoles.empty() ? 0 : 1);
}

void set_right_hand_sides(const SurfaceConfig& c, SurfaceSolution& s) {
  const auto n = s.unknowns();
  s.count = Index(c.waves.size());
  s.x.reserve(n * std::size_t(num_right_hand_sides(c)));
  s.x.resize(n * c.waves.size());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t w = 0; w < c.waves.size(); ++w)
    std::ranges::copy(right_hand_side(s.system, c.waves[w].wave), s.x.begin() + Offset(w * n));
  const auto append = [&](const std::vector<Complex>& b) {
    s.x.insert(s.x.end(), b.begin(), b.end());
    ++s.count;
  };
  if (s.dipoles) append(s.dipoles->right_hand_side());
  for (const auto& port : s.ports) append(right_hand_side(s.system, port));
}

void drive_ports(const SurfaceConfig& c, SurfaceSolution& s) {
  const auto n = Offset(s.unknowns());
  const auto first_dual = s.x.begin() + n * Offset(c.waves.size());
  const auto end_of_duals = first_dual + n * (s.count - num_right_hand_sides(c));
  s.duals.assign(first_dual, end_of_duals);
  s.x.erase(first_dual, end_of_duals);
  s.count = num_right_hand_sides(c);
  if (s.ports.empty()) return;
  const auto first_port = s.x.end() - n * Offset(s.ports.size());
  s.volts.assign(first_port, s.x.end());
  Complex* const first = &*first_port;
  drive_ports(s.network(), s.system.num_unknowns(), first);
  if (c.drive.empty()) return;
  const auto all = combined_excitation(c).of(first, s.unknowns());
  s.x.insert(s.x.end(), all.begin(), all.end());
  ++s.count, s.has_combined = true;
}

void size_columns(const SurfaceConfig& c, SurfaceSolution& s) {
  s.has_combined = !c.drive.empty();
  s.count = num_right_hand_sides(c) + (s.has_combined ? 1 : 0);
  s.x.resize(std::size_t(s.count) * s.unknowns());
  s.duals.resize(c.duals.added.size() * s.unknowns());
  s.volts.resize(s.ports.size() * s.unknowns());
}

SurfaceSolution begin_surface(const SurfaceConfig& c, double frequency, std::shared_ptr<const System> system,
                              const std::vector<PortWeights>& known) {
  SurfaceSolution s(frequency, std::move(system));
  s.reference = c.reference_impedance;
  if (!c.dipoles.empty()) s.dipoles.emplace(s.system, c.dipoles);
  if (!known.empty() && s.system.differs_by_wavelength())
    s.ports = known;
  else
    for (const auto& port : c.ports) s.ports.push_back(find_port(s.system, port));
  return s;
}

SurfaceSolution solve_surface(const SurfaceProblems& problems, const SurfaceConfig& stated, double frequency,
                              const NearSeries* near) {
  SurfaceConfig c = stated.at(frequency);
  auto s = begin_surface(c, frequency, problems.system_at(frequency));
  choose_solver(s.system, c);
  if (c.automatic_preconditioner)
    c.solver.preconditioner = choose_preconditioner(s.system, c.solver.device, num_right_hand_sides(c));
  const MirroredWaves mirrored(c, s.system);
  set_right_hand_sides(mirrored.solved_part(c), s);
  s.report =
      solve_finer(SurfaceEquation(s.system, port_loads(s.system, c.ports), near), c.solver, s.x, s.count);
  mirrored.expand(s);
  drive_ports(c, s);
  return s;
}

SolveCost cost_on(const SurfaceProblems& problems, SurfaceConfig c, const run::Run& run) {
  const auto system = problems.system_at(c.frequencies.front());
  choose_solver(*system, c);
  return cost_of(SurfaceEquation(*system), c.solver, num_right_hand_sides(c), run);
}

double expected_solutions(const SurfaceConfig& c) {
  constexpr double adaptive = 10;
  const auto all = double(c.frequencies.size());
  return c.adaptive ? std::min(adaptive, all) : all;
}

std::size_t near_series_bytes(const SurfaceConfig& c, const System& highest) {
  if (!c.solver.direct || expected_solutions(c) < 3) return 0;
  const std::size_t bytes = NearSeries::estimate_bytes(highest);
  const auto n = std::size_t(highest.num_unknowns());
  return bytes > std::max(std::size_t(256) << 20, sizeof(Complex) * n * n / 4) ? 0 : bytes;
}

bool can_sample(const SurfaceConfig& c) {
  return c.solver.direct || c.adaptive->tolerance >= 10 * c.solver.krylov.tolerance;
}

linalg::SampledColumns columns_of(const SurfaceSolution& s) {
  std::vector<Complex> x(s.x.begin(), s.x.begin() + Offset(s.first_port() * s.unknowns()));
  x.insert(x.end(), s.volts.begin(), s.volts.end());
  return {std::move(x), s.system.num_unknowns(),
          port_currents(s.ports, s.volts.data(), s.system.num_unknowns())};
}

void take_columns(const SurfaceConfig& c, std::vector<Complex> columns, SurfaceSolution& s) {
  s.x = std::move(columns);
  s.count = num_right_hand_sides(c);
  drive_ports(c, s);
}

linalg::SampledSolutions::Observed scattering_of(const std::vector<PortWeights>& ports, double reference) {
  return [&ports, reference](const Eigen::MatrixXcd& currents) {
    return ports.empty() ? Eigen::MatrixXcd()
                         : network_of(currents, nominal_sheets(ports), reference).scattering;
  };
}

results::CombinedExcitation combined_excitation(const SurfaceConfig& c) {
  std::vector<std::string> names;
  std::vector<std::size_t> numbers;
  for (const auto& port : c.ports) names.push_back(port.name), numbers.push_back(numbers.size());
  return {Eigen::Map<const Eigen::VectorXcd>(c.drive.data(), Eigen::Index(c.drive.size())), std::move(names),
          std::move(numbers), fmt::format("{:g} ohm (output.reference_impedance)", c.reference_impedance)};
}

std::string source_name(const SurfaceConfig& c, const SurfaceSolution& s, std::size_t rhs) {
  const std::size_t port = rhs - s.first_port();
  return port < c.ports.size() ? c.ports[port].name : results::CombinedExcitation::name;
}

}  // namespace curlew::ie
