// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_sensitivities.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "ie/operator/images.hpp"
#include "ie/results/far_fields.hpp"
#include "ie/surface/surface_equation.hpp"
#include "mesh/straighten.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

/// Steps relative to numbers, and for motions relative to the shortest edge. Fast sums, which have errors,
/// need larger steps than the dense matrix.
struct Steps {
  double number, motion, sum_tolerance;
};
constexpr Steps of_matrix{1e-4, 1e-3, 0}, of_sums{1e-2, 2e-2, 1e-6};

double shortest_edge(const mesh::Mesh& mesh) {
  double shortest =
      norm(mesh.nodes[std::size_t(mesh.triangle(0)[0])] - mesh.nodes[std::size_t(mesh.triangle(0)[1])]);
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    for (int i = 0; i < 3; ++i)
      shortest = std::min(shortest, norm(mesh.nodes[std::size_t(mesh.triangle(t)[i])] -
                                         mesh.nodes[std::size_t(mesh.triangle(t)[(i + 1) % 3])]));
  return shortest;
}

mesh::Mesh moved(mesh::Mesh mesh, const mesh::Velocity& velocity, double step) {
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) mesh.nodes[n] += step * velocity[n];
  return mesh::straighten(mesh);
}

}  // namespace

fields::DualWaves duals_of(const ie::SurfaceConfig& config) {
  std::vector<green::ArrivingWave> waves;
  std::vector<std::vector<fields::Direction>> directions;
  for (const auto& wave : config.waves) {
    waves.push_back(wave.wave);
    directions.push_back(config.monostatic ? std::vector<fields::Direction>{{wave.wave.theta, wave.wave.phi}}
                                           : config.pattern());
  }
  return fields::dual_waves(waves, directions);
}

SurfaceSensitivities::SurfaceSensitivities(const io::Config& document, const mesh::Mesh& given,
                                           SurfaceProblem& problem, run::Run& run)
    : document_(document),
      given_(given),
      problem_(problem),
      config_(problem.config()),
      run_(run),
      output_(run) {
  const Steps steps = !config_.solver.direct && config_.solver.accelerated ? of_sums : of_matrix;
  sum_tolerance_ = steps.sum_tolerance;
  parameters_ = io::read_stated_parameters(document, steps.number);
  if (!config_.dipoles.empty())
    document.tables("sensitivity")
        .front()
        .error("parameter", "results of dipoles have no derivatives: drive ports or take waves");
  for (const auto& parameter : parameters_) {
    const auto surfaces_of = [](const std::optional<io::VariedConfig>& varied) {
      return varied ? std::make_shared<const ie::SurfaceCase>(ie::read_surface_case(varied->config))
                    : nullptr;
    };
    varied_.push_back({surfaces_of(parameter.low), surfaces_of(parameter.high)});
  }
  if (run.dry_run()) return;
  velocities_ = run::surface_velocities(document, run, given, io::geometry_numbers(parameters_));
  for (const auto& velocity : velocities_) {
    double fastest = 0;
    for (const auto& v : velocity) fastest = std::max(fastest, norm(v));
    steps_.push_back(fastest > 0 ? steps.motion * shortest_edge(given) / fastest : 1);
  }
}

Eigen::MatrixXcd SurfaceSensitivities::forms(const io::Config& config, const Surfaces& surfaces,
                                             const mesh::Mesh& straight, double frequency,
                                             const Columns& columns) const {
  ie::Problem problem = ie::SurfaceProblems(surfaces, straight).at(frequency);
  problem.equation = ie::Equation::efie;
  problem.testing = ie::MagneticTesting::rwg;
  const ie::System system(std::move(problem));
  const Index n = system.num_unknowns();
  if (std::size_t(n) * std::size_t(columns.count) != columns.x.size())
    throw InputError(
        "[[sensitivity]]: the parameter changes which surfaces carry currents: there is no derivative");
  Eigen::MatrixXcd b(n, columns.count);
  Eigen::Index next = 0;
  const auto append = [&](const std::vector<Complex>& column) {
    b.col(next++) = Eigen::Map<const Eigen::VectorXcd>(column.data(), n);
  };
  for (const auto& wave : with_duals(config_).waves) append(ie::right_hand_side(system, wave.wave));
  const auto ports = ie::read_surface_ports(config, frequency);
  for (const auto& port : ports) append(ie::right_hand_side(system, ie::find_port(system, port)));
  const ie::SurfaceEquation equation(system, ie::port_loads(system, ports));
  const auto images = ie::images(equation, columns.x, columns.count, sum_tolerance_);
  const Eigen::Map<const Eigen::MatrixXcd> x(columns.x.data(), n, columns.count),
      zx(images.data(), n, columns.count);
  return b.transpose() * x + x.transpose() * b - x.transpose() * zx;
}

Eigen::MatrixXcd SurfaceSensitivities::derivative(const io::StatedParameter& parameter, std::size_t motion,
                                                  double frequency, const Columns& columns) const {
  if (parameter.is_of_geometry()) {
    const double step = steps_[motion];
    const auto at = [&](double signed_step) {
      return forms(document_, config_.surfaces, moved(given_, velocities_[motion], signed_step), frequency,
                   columns);
    };
    return (at(step) - at(-step)) / (2 * step);
  }
  const auto straight = mesh::straighten(given_);
  const auto at = [&](const io::VariedConfig& varied, const Surfaces& surfaces) {
    return forms(varied.config, surfaces, straight, frequency, columns);
  };
  const Varied& varied = varied_[std::size_t(&parameter - parameters_.data())];
  return (at(*parameter.high, varied.high) - at(*parameter.low, varied.low)) /
         (parameter.high->step - parameter.low->step);
}

void SurfaceSensitivities::write_waves(const io::StatedParameter& parameter, const ie::SurfaceSolution& s,
                                       const Columns& columns, const Eigen::MatrixXcd& change) {
  const double k = s.system.scene().regions[0].k.real();
  const Complex factor(0, -k * vacuum_impedance * vacuum_impedance / (4 * pi));
  const ie::FarFields far(s.system);
  const auto n = std::size_t(s.system.num_unknowns());
  for (const fields::Observation& at : config_.duals.observations) {
    const auto field = far.pattern(&columns.x[at.wave * n], 1, std::span(&at.direction, 1));
    fields::Amplitudes derivatives;
    for (std::size_t c = 0; c < 2; ++c)
      derivatives[c] = factor * change(Eigen::Index(at.duals[c]), Eigen::Index(at.wave));
    output_.write_cross_section(s.frequency, parameter.name, parameter.value, at,
                                {field.e_theta[0], field.e_phi[0]}, derivatives);
  }
}

/// Y' = eta0 n', and other quantities by differences from Y slightly below and above.
void SurfaceSensitivities::write_ports(const io::StatedParameter& parameter, const ie::SurfaceSolution& s,
                                       const Eigen::MatrixXcd& change) {
  if (s.ports.empty()) return;
  const auto n = Eigen::Index(s.ports.size());
  const Eigen::MatrixXcd by_parameter = vacuum_impedance * change.bottomRightCorner(n, n);
  const Eigen::MatrixXcd y = ie::port_currents(s.ports, s.volts.data(), s.system.num_unknowns());
  const double step = by_parameter.norm() > 0 ? 1e-5 * y.norm() / by_parameter.norm() : 1;
  // The resistance of a port's sheet is outside of the network and may be the parameter.
  std::vector<double> sheets(s.ports.size());
  if (!parameter.is_of_geometry()) {
    const auto high = ie::read_surface_ports(parameter.high->config, s.frequency),
               low = ie::read_surface_ports(parameter.low->config, s.frequency);
    for (std::size_t p = 0; p < sheets.size(); ++p)
      sheets[p] =
          (high[p].sheet_resistance - low[p].sheet_resistance) / (parameter.high->step - parameter.low->step);
  }
  const Eigen::MatrixXd seen = s.network().sheets;  // with the currents' distribution over them held
  for (std::size_t p = 0; p < sheets.size(); ++p)
    if (const double nominal = s.ports[p].sheet_resistance; nominal > 0)
      sheets[p] *= seen(Eigen::Index(p), Eigen::Index(p)) / nominal;
  const auto at = [&](double signed_step) {
    auto moved = seen;
    for (std::size_t p = 0; p < sheets.size(); ++p)
      moved(Eigen::Index(p), Eigen::Index(p)) += signed_step * sheets[p];
    return ie::network_of(y + signed_step * by_parameter, moved, config_.reference_impedance);
  };
  const auto b = at(step), a = at(-step);
  const double sides = 2 * step;
  output_.write_scattering(s.frequency, parameter.name, parameter.value,
                           (b.scattering - a.scattering) / sides);
  for (Eigen::Index i = 0; i < n; ++i)
    output_.write(s.frequency, parameter.name, parameter.value, fmt::format("Z{}", i + 1),
                  (b.input_impedance(i) - a.input_impedance(i)) / sides);
}

void SurfaceSensitivities::add(std::size_t, double frequency, const ie::SurfaceSolution& s) {
  const auto timer = run_.stage("sensitivities");
  Columns columns{{s.x.begin(), s.x.begin() + Offset(s.first_port() * s.unknowns())}};
  for (const auto* more : {&s.duals, &s.volts}) columns.x.insert(columns.x.end(), more->begin(), more->end());
  columns.count = Index(columns.x.size() / s.unknowns());
  std::size_t motion = 0;
  for (const io::StatedParameter& parameter : parameters_) {
    const auto change = derivative(parameter, motion, frequency, columns);
    if (parameter.is_of_geometry()) ++motion;
    write_waves(parameter, s, columns, change);
    write_ports(parameter, s, change);
  }
}

}  // namespace curlew::programs
