// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/sensitivities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/driven/port_network.hpp"
#include "fem/sensitivity/solved_form.hpp"
#include "mesh/node_velocity.hpp"
#include "mesh/size_field.hpp"
#include "results/cells.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

/// Of a number: differences of constants are then exact to 1e-8, and to 1e-12 where they are linear.
constexpr double relative_step = 1e-4;
/// Upwards from 0, which may be the least that a key allows.
constexpr double step_from_zero = 1e-6;

/// The table of a list that names a region. @returns its place in the list
std::size_t find_table(const io::Config& config, const io::Config& asking, const std::string& kind,
                       const std::string& region) {
  const auto tables = config.tables(kind);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto regions = tables[i].get<std::vector<std::string>>("region");
    if (std::find(regions.begin(), regions.end(), region) != regions.end()) return i;
  }
  asking.error("parameter", fmt::format("no [[{}]] has region = \"{}\"", kind, region));
}

fem::Variant variant(const io::Config& config, const std::string& path, double value, double step,
                     const MaxwellSetup& setup) {
  io::Config changed = config.clone();
  changed.set(path, fmt::format("{:.17g}", value + step), "[[sensitivity]]");
  return {fem::read_model(changed, setup.mesh, setup.topology), step};
}

bool is_of_geometry(const std::string& name) {
  return name.starts_with("mesh.parameters.");
}

/// "gap" of "mesh.parameters.gap".
std::string number_of(const std::string& name) {
  return name.substr(name.rfind('.') + 1);
}

/// The number of a geometry; add_velocities knows its motion.
Parameter read_geometry(const io::Config& config, const io::Config& table, const std::string& name) {
  const std::string number = number_of(name);
  const io::Config parameters = config.table("mesh").table("parameters");
  table.require(parameters.has(number), "parameter",
                fmt::format("\"{}\": [mesh] parameters does not state {}", name, number));
  return {name, parameters.get<double>(number), {}, {}, {}};
}

/// By which no node moves more than 1e-4 of the smallest cell.
double step_of(const mesh::Mesh& mesh, const std::vector<Vec3<double>>& velocity) {
  double smallest = mesh::cell_size(mesh, 0), fastest = 0;
  for (Index c = 1; c < mesh.num_cells(); ++c) smallest = std::min(smallest, mesh::cell_size(mesh, c));
  for (const auto& v : velocity) fastest = std::max(fastest, norm(v));
  return fastest > 0 ? relative_step * smallest / fastest : 1;
}

/// The motion of the nodes by all numbers of the geometry.
void add_velocities(const io::Config& config, const MaxwellSetup& setup, run::Run& run,
                    std::vector<Parameter>& parameters) {
  std::vector<std::string> numbers;
  for (const Parameter& p : parameters)
    if (is_of_geometry(p.name)) numbers.push_back(number_of(p.name));
  if (numbers.empty() || run.dry_run()) return;
  auto velocities = run::surface_velocities(config, run, setup.mesh, numbers);
  mesh::extend_inwards(setup.mesh, mesh::nodes_on_surfaces(setup.mesh, setup.topology), velocities);
  auto velocity = velocities.begin();
  for (Parameter& p : parameters) {
    if (!is_of_geometry(p.name)) continue;
    p.velocity = std::move(*velocity++);
    p.step = step_of(setup.mesh, p.velocity);
  }
}

Parameter read_parameter(const io::Config& config, const io::Config& table, const MaxwellSetup& setup) {
  const auto name = table.get<std::string>("parameter");
  const auto first = name.find('.'), last = name.rfind('.');
  const std::string kind = name.substr(0, first);
  if (is_of_geometry(name)) return read_geometry(config, table, name);
  table.require(
      first != std::string::npos && last > first &&
          (kind == "material" || kind == "boundary" || kind == "port"),
      "parameter",
      fmt::format("\"{}\": must be like \"material.substrate.epsilon_r\", with material, boundary or port, a "
                  "region and a key of its table",
                  name));
  const std::string region = name.substr(first + 1, last - first - 1), key = name.substr(last + 1);
  const std::size_t place = find_table(config, table, kind, region);
  const io::Config stated = config.tables(kind)[place];
  table.require(
      stated.kind(key) == io::Config::Kind::number, "parameter",
      fmt::format("\"{}\": {} of [[{}]] \"{}\" must be stated, and as one number", name, key, kind, region));
  const double value = stated.get<double>(key);
  const std::string path = fmt::format("{}.{}.{}", kind, place, key);
  const double step = relative_step * std::abs(value);
  return {name,
          value,
          variant(config, path, value, -step, setup),
          variant(config, path, value, step > 0 ? step : step_from_zero, setup),
          {}};
}

}  // namespace

std::vector<Parameter> read_parameters(const io::Config& config, const MaxwellSetup& setup, run::Run& run) {
  std::vector<Parameter> parameters;
  for (const io::Config& table : config.tables("sensitivity")) {
    if (!setup.model.periodicity.empty())
      table.error("parameter", "[[periodic]] cells have no derivatives yet");
    parameters.push_back(read_parameter(config, table, setup));
  }
  add_velocities(config, setup, run, parameters);
  return parameters;
}

void Sensitivities::write(double frequency, const Parameter& parameter, const std::string& quantity,
                          Complex derivative) {
  if (!csv_)
    csv_.emplace(run_.output("sensitivity.csv"), io::provenance_lines(run_.provenance()),
                 std::vector<std::string>{"frequency_hz", "parameter", "parameter_value", "quantity",
                                          "re_derivative", "im_derivative"});
  csv_->row({frequency, parameter.name, parameter.value, quantity, derivative.real(), derivative.imag()});
  run_.results()["sensitivities"].push_back({{"frequency_hz", frequency},
                                             {"parameter", parameter.name},
                                             {"quantity", quantity},
                                             {"derivative", derivative}});
  shown_.push_back({results::in_ghz(frequency), parameter.name, fmt::format("{:.6g}", parameter.value),
                    quantity, fmt::format("{:.6g}", derivative.real()),
                    fmt::format("{:.6g}", derivative.imag())});
}

void Sensitivities::add(const fem::DrivenProblem& problem, const fem::DrivenSolution& solution) {
  if (parameters_.empty()) return;
  const auto timer = run_.stage("sensitivities");
  const fem::PortSensitivity sensitivity(problem, solution);
  std::vector<fem::Motion> motions;
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

void Sensitivities::write_pair(const fem::DrivenProblem& problem, double frequency,
                               const Parameter& parameter, const fem::PortSensitivity::Pair& pair,
                               double step) {
  const auto& [low, high] = pair;
  fem::PortNetwork below(low.ports, problem.modes(), reference_impedance_),
      above(high.ports, problem.modes(), reference_impedance_);
  below.add(frequency, low.modes, low.s), above.add(frequency, high.modes, high.s);
  const auto &a = below.points().front(), &b = above.points().front();
  const auto n = a.s.rows();
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      write(frequency, parameter, fmt::format("S{}{}{}", i + 1, n > 9 ? "," : "", j + 1),
            (b.s(i, j) - a.s(i, j)) / step);
  for (std::size_t i = 0; i < below.size(); ++i)
    if (below.port(i).has_terminals())
      write(frequency, parameter, fmt::format("Z{}", i + 1),
            (above.input_impedance(b, i) - below.input_impedance(a, i)) / step);
}

/// xᵀ A(f, p) x = 0 of a mode: df/dp = -(∂/∂p) / (∂/∂f).
void Sensitivities::add(const fem::NedelecSpace& space, const fem::Model& model,
                        const std::vector<fem::CavityMode>& modes) {
  if (parameters_.empty()) return;
  const auto timer = run_.stage("sensitivities");
  const fem::Assembler assembler(space);
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const Complex f = modes[m].frequency, df = relative_step * f;
    const fem::SolvedForm form(assembler,
                               Eigen::Map<const Eigen::MatrixXcd>(modes[m].x.data(), space.num_dofs(), 1));
    const Complex by_frequency = form.difference({model, f - df}, {model, f + df})(0, 0) / (2.0 * df);
    std::vector<fem::Motion> motions;
    for (const Parameter& p : parameters_)
      if (p.is_shape()) motions.emplace_back(p.velocity);
    const auto moved = fem::shape_derivatives(space, form.x(), {model, f}, motions);
    auto next = moved.begin();
    for (const Parameter& p : parameters_) {
      const Complex by_parameter = p.is_shape() ? (*next++)(0, 0)
                                                : form.difference({p.low.model, f}, {p.high.model, f})(0, 0) /
                                                      (p.high.step - p.low.step);
      write(f.real(), p, fmt::format("f{}", m + 1), -by_parameter / by_frequency);
    }
  }
}

void Sensitivities::close() {
  if (!csv_) return;
  csv_->close();
  constexpr std::size_t most_shown = 24;
  run_.table("derivatives by a unit of the parameter",
             {results::frequency_title, "parameter", "value", "quantity", "real part", "imaginary part"});
  for (std::size_t i = 0; i < std::min(shown_.size(), most_shown); ++i) run_.row(shown_[i]);
  if (shown_.size() > most_shown)
    run_.line(fmt::format("all {} derivatives: sensitivity.csv", shown_.size()));
}

}  // namespace curlew::programs
