// SPDX-License-Identifier: BSD-3-Clause
#include "fem/report/sensitivities.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/driven/port_network.hpp"
#include "io/stated_parameters.hpp"
#include "mesh/node_velocity.hpp"
#include "mesh/size_field.hpp"
#include "run/mesh_input.hpp"

namespace curlew::fem {
namespace {

/// Step of a parameter: differences of constants are then accurate to 1e-8, and to 1e-12 if linear.
constexpr double relative_step = 1e-4;

Variant variant(const io::VariedConfig& varied, const DifferentiatedModel& of) {
  return {read_model(varied.config, of.mesh, of.topology, of.elsewhere), varied.step};
}

/// Step by which no node moves more than 1e-4 of the smallest cell.
double step_of(const mesh::Mesh& mesh, const std::vector<Vec3<double>>& velocity) {
  double smallest = mesh::cell_size(mesh, 0), fastest = 0;
  for (Index c = 1; c < mesh.num_cells(); ++c) smallest = std::min(smallest, mesh::cell_size(mesh, c));
  for (const auto& v : velocity) fastest = std::max(fastest, norm(v));
  return fastest > 0 ? relative_step * smallest / fastest : 1;
}

/// The motion of the nodes by all numbers of the geometry.
void add_velocities(const io::Config& config, const DifferentiatedModel& of,
                    const std::vector<io::StatedParameter>& stated, run::Run& run,
                    std::vector<Parameter>& parameters) {
  const auto numbers = io::geometry_numbers(stated);
  if (numbers.empty() || run.dry_run()) return;
  auto velocities = run::surface_velocities(config, run, of.mesh, numbers);
  for (auto& velocity : velocities)
    for (const Index n : of.fixed) velocity[std::size_t(n)] = {};
  mesh::extend_inwards(of.mesh, mesh::nodes_on_surfaces(of.mesh, of.topology), velocities);
  auto velocity = velocities.begin();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (!stated[p].is_of_geometry()) continue;
    parameters[p].velocity = std::move(*velocity++);
    parameters[p].step = step_of(of.mesh, parameters[p].velocity);
  }
}

}  // namespace

void refuse_medium_around(const Parameter& parameter, const mesh::Mesh& mesh, std::span<const Index> cells,
                          double frequency) {
  if (parameter.is_shape()) return;
  const auto low = materials_at(parameter.low.model, mesh, frequency),
             high = materials_at(parameter.high.model, mesh, frequency);
  for (const Index c : cells)
    if (!are_equal(low.of(c), high.of(c)))
      throw InputError(
          fmt::format("[[sensitivity]] parameter = \"{}\": there is no derivative by the medium around the "
                      "body, which extends to infinity; give a body of the same medium its own [[material]]",
                      parameter.name));
}

std::vector<Parameter> read_parameters(const io::Config& config, const DifferentiatedModel& of,
                                       run::Run& run) {
  const auto stated = io::read_stated_parameters(config, relative_step);
  if (!stated.empty() && !of.model.periodicity.empty())
    config.tables("sensitivity")
        .front()
        .error("parameter", "there are no derivatives with [[periodic]] faces");
  std::vector<Parameter> parameters;
  for (const io::StatedParameter& p : stated) {
    parameters.push_back({p.name, p.value, {}, {}, {}});
    if (p.is_of_geometry()) continue;
    parameters.back().low = variant(*p.low, of);
    parameters.back().high = variant(*p.high, of);
  }
  add_velocities(config, of, stated, run, parameters);
  return parameters;
}

void Sensitivities::add(const MaxwellSystem& problem, const DrivenSolution& solution) {
  if (parameters_.empty()) return;
  const auto timer = run_.stage("sensitivities");
  const PortSensitivity sensitivity(problem, solution);
  std::vector<Motion> motions;
  std::vector<double> steps;
  for (const Parameter& p : parameters_)
    if (p.is_shape()) motions.emplace_back(p.velocity), steps.push_back(p.step);
  const auto moved = sensitivity.move(motions, steps);
  auto next = moved.begin();
  for (const Parameter& p : parameters_)
    if (p.is_shape())
      write_pair(problem, solution.frequency, p, *next++, 2 * p.step);
    else
      write_pair(problem, solution.frequency, p, sensitivity.vary(p.low, p.high), p.high.step - p.low.step);
}

void Sensitivities::write_pair(const MaxwellSystem& problem, double frequency, const Parameter& parameter,
                               const PortSensitivity::Pair& pair, double step) {
  const auto& [low, high] = pair;
  PortNetwork below(low.ports, problem.modes(), reference_impedance_),
      above(high.ports, problem.modes(), reference_impedance_);
  below.add(frequency, low.modes, low.s), above.add(frequency, high.modes, high.s);
  const auto &a = below.points().front(), &b = above.points().front();
  output_.write_scattering(frequency, parameter.name, parameter.value, (b.s - a.s) / step);
  for (std::size_t i = 0; i < below.size(); ++i)
    if (below.port(i).has_terminals())
      write(frequency, parameter, fmt::format("Z{}", i + 1),
            (above.input_impedance(b, i) - below.input_impedance(a, i)) / step);
}

/// xᵀ A(f, p) x = 0 of a mode: df/dp = -(∂/∂p) / (∂/∂f).
void Sensitivities::add(const NedelecSpace& space, const Model& model, const std::vector<CavityMode>& modes) {
  if (parameters_.empty()) return;
  const auto timer = run_.stage("sensitivities");
  const Assembler assembler(space);
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const Complex f = modes[m].frequency, df = relative_step * f;
    const SolvedForm form(assembler,
                          Eigen::Map<const Eigen::MatrixXcd>(modes[m].x.data(), space.num_dofs(), 1));
    const Complex by_frequency = form.difference({model, f - df}, {model, f + df})(0, 0) / (2.0 * df);
    const auto changes = derivatives(form, space, {model, f});
    for (std::size_t p = 0; p < changes.size(); ++p)
      write(f.real(), parameters_[p], fmt::format("f{}", m + 1), -changes[p](0, 0) / by_frequency);
  }
}

std::vector<Eigen::MatrixXcd> Sensitivities::derivatives(const SolvedForm& form, const NedelecSpace& space,
                                                         const SolvedForm::State& state) const {
  std::vector<Motion> motions;
  for (const Parameter& p : parameters_)
    if (p.is_shape()) motions.emplace_back(p.velocity);
  auto moved = shape_derivatives(space, form.x(), state, motions);
  std::vector<Eigen::MatrixXcd> changes;
  auto next = moved.begin();
  for (const Parameter& p : parameters_)
    if (p.is_shape())
      changes.push_back(std::move(*next++));
    else
      changes.emplace_back(form.difference({p.low.model, state.frequency}, {p.high.model, state.frequency}) /
                           (p.high.step - p.low.step));
  return changes;
}

void Sensitivities::add(const MaxwellSystem& problem, double frequency, const Eigen::MatrixXcd& x,
                        double mu_r, const std::vector<ObservedSection>& sections) {
  if (parameters_.empty()) return;
  if (!problem.is_reciprocal()) throw InputError("[[sensitivity]] needs reciprocal materials");
  const auto timer = run_.stage("sensitivities");
  const SolvedForm form(problem.assembler(), x);
  const auto changes = derivatives(form, problem.space(), {problem.model(), frequency});
  for (std::size_t p = 0; p < changes.size(); ++p)
    for (const ObservedSection& section : sections) {
      fields::Amplitudes derivative;
      for (std::size_t component = 0; component < 2; ++component)
        derivative[component] =
            -mu_r / (4 * pi) *
            changes[p](Eigen::Index(section.at.duals[component]), Eigen::Index(section.at.wave));
      output_.write_cross_section(frequency, parameters_[p].name, parameters_[p].value, section.at, section.f,
                                  derivative);
    }
}

}  // namespace curlew::fem
