// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/driven_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/driven/boundary_conditions.hpp"
#include "fem/driven/system_terms.hpp"
#include "fem/periodic/floquet_port.hpp"

namespace curlew::fem {
namespace {

double wavenumber(double frequency) {
  return 2 * pi * frequency / speed_of_light;
}

std::vector<ModalPort> make_ports(const Model& model, const NedelecSpace& space) {
  std::vector<ModalPort> ports;
  for (std::size_t i = 0; i < model.ports.size(); ++i) {
    ports.push_back(make_modal_port(model.ports[i], model, space, fmt::format("port {}", i + 1)));
  }
  if (ports.empty()) throw InputError("a driven problem needs at least one [[port]]");
  return ports;
}

/// Modes of a guide know nothing of a cell's phases.
void refuse_open_guides(const std::vector<ModalPort>& ports, const BlochReduction& bloch) {
  for (const ModalPort& port : ports) {
    if (port.floquet || port.lumped) continue;
    if (std::any_of(port.dofs.begin(), port.dofs.end(), [&](Index d) { return bloch.is_tied(d); }))
      throw InputError(
          fmt::format("port \"{}\" reaches periodic faces: give it type = \"floquet\"", port.region));
  }
}

/// Methods that build on A = A^T, before anything is assembled for them.
void refuse_symmetric_methods(const DrivenOptions& options, bool is_reciprocal) {
  if (!options.iterative || is_reciprocal) return;
  const auto method = options.iterative->krylov.method;
  if (method != linalg::KrylovMethod::cocg && method != linalg::KrylovMethod::cocr) return;
  throw InputError(
      fmt::format("solver.method {} needs a symmetric matrix; phases between periodic faces or tensors that "
                  "are not symmetric make another: take gmres or bicgstab",
                  linalg::name_of(method)));
}

}  // namespace

DrivenProblem::DrivenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model,
                             DrivenOptions options)
    : model_(std::move(model)),
      options_(std::move(options)),
      space_(make_space(mesh, topology, model_.order, pec_triangles(model_, mesh))),
      assembler_(space_),
      divergence_(space_, model_),
      ports_(make_ports(model_, space_)),
      rounding_(mesh, model_) {
  if (!model_.periodicity.empty()) {
    require_first_order(model_, "periodic faces");
    bloch_.emplace(space_, model_.periodicity.pairs);
    refuse_open_guides(ports_, *bloch_);
    full_ = assembler_.create_matrix<Complex>();
  }
  system_ = create_matrix();
  divergence_.add(wavenumber(1e9), system_);
  for (int p = 0; p < int(ports_.size()); ++p) {
    for (int m = 0; m < ports_[std::size_t(p)].num_modes(); ++m) {
      if (m < ports_[std::size_t(p)].num_reported) {
        reported_.push_back(Eigen::Index(places_.size()));
        reported_places_.push_back({p, m});
      }
      places_.push_back({p, m});
    }
  }
  refuse_symmetric_methods(options_, is_reciprocal());
  options_.direct.symmetry = is_reciprocal() ? linalg::Symmetry::symmetric : linalg::Symmetry::unsymmetric;
  solver_ = std::make_unique<linalg::SystemSolver>(
      options_, std::vector<Index>(block_offsets().begin(), block_offsets().end()));
}

bool DrivenProblem::is_reciprocal() const {
  return model_.periodicity.is_real() &&
         std::all_of(model_.materials.begin(), model_.materials.end(), [](const RegionMaterial& m) {
           return m.epsilon_r.is_symmetric() && m.mu_r.is_symmetric();
         });
}

bool DrivenProblem::has_symmetric_scattering() const {
  const double k = 2 * pi / speed_of_light * std::max(model_.periodicity.highest_frequency, 1.0);
  const auto phases = model_.periodicity.phases(k);
  return is_reciprocal() && std::all_of(ports_.begin(), ports_.end(), [&](const ModalPort& port) {
           return !port.floquet || (port.num_reported <= 2 && std::all_of(phases.begin(), phases.end(),
                                                                          [](double p) { return p == 0; }));
         });
}

bool DrivenProblem::has_dispersive_ports() const {
  return std::any_of(ports_.begin(), ports_.end(), [](const ModalPort& p) { return p.is_dispersive(); });
}

const std::vector<PortSolution>& DrivenProblem::port_solutions(double frequency) const {
  if (frequency == solved_frequency_) return port_solutions_;
  port_solutions_.clear();
  for (const ModalPort& port : ports_) {
    port_solutions_.push_back(port.floquet ? solve_floquet(port, model_, space_, *bloch_, frequency)
                                           : solve_port(port, model_, space_, frequency));
  }
  solved_frequency_ = frequency;
  return port_solutions_;
}

namespace {

/// @throws InputError always: the first mode does not propagate
[[noreturn]] void refuse_port(const ModalPort& port, double frequency, const Material& medium) {
  const std::string below = fmt::format("port \"{}\": {:.6g} GHz is below the cut-off of its first mode {}",
                                        port.region, 1e-9 * frequency, port.modes[0].name);
  if (port.is_dispersive()) throw InputError(below);
  const double cutoff = port.modes[0].cutoff_frequency(medium.epsilon_r.scalar, medium.mu_r.scalar);
  if (frequency < cutoff) throw InputError(fmt::format("{}, {:.6g} GHz", below, 1e-9 * cutoff));
  throw InputError(fmt::format(
      "port \"{}\": its medium lets no mode propagate at {:.6g} GHz (epsilon_r = {:.3g} {:+.3g}j)",
      port.region, 1e-9 * frequency, medium.epsilon_r.scalar.real(), medium.epsilon_r.scalar.imag()));
}

}  // namespace

std::vector<ModeState> DrivenProblem::mode_states(double frequency) const {
  std::vector<ModeState> states;
  const auto& solutions = port_solutions(frequency);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    const ModalPort& port = ports_[p];
    states.insert(states.end(), solutions[p].modes.begin(), solutions[p].modes.end());
    if (solutions[p].modes[0].propagates) continue;
    refuse_port(port, frequency, materials_at(model_, *space_.mesh, frequency).of(port.cell));
  }
  return states;
}

linalg::Csr<Complex> DrivenProblem::create_matrix() const {
  if (!bloch_) return assembler_.create_matrix<Complex>();
  return bloch_->reduce(assembler_.create_matrix<Complex>(),
                        std::vector<Complex>(std::size_t(space_.num_dofs()), 1.0));
}

std::vector<Complex> DrivenProblem::bloch_factors(double frequency) const {
  return bloch_->factors(bloch_phases(model_, space_, frequency));
}

void DrivenProblem::assemble(double frequency, linalg::Csr<Complex>& system, PortReference reference) const {
  if (!bloch_) {
    if (!divergence_.is_empty()) system = assembler_.create_matrix<Complex>();
    assemble_full(frequency, system, reference);
    return divergence_.add(wavenumber(frequency), system);
  }
  linalg::Csr<Complex> full = full_;
  assemble_full(frequency, full, reference);
  system = bloch_->reduce(full, bloch_factors(frequency));
}

void DrivenProblem::assemble_full(double frequency, linalg::Csr<Complex>& system,
                                  PortReference reference) const {
  const double k0 = wavenumber(frequency);
  const CellMaterials materials = materials_at(model_, *space_.mesh, frequency);
  assembler_.assemble<Complex>(materials, 1.0, -k0 * k0, system.values.data());
  add_boundary_conditions(model_, space_, frequency, system);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    const ModeState& first = port_solutions(frequency)[p].modes[0];
    add_port_reference(ports_[p], space_,
                       reference == PortReference::first_mode ? first.admittance : first.reference, system);
  }
}

std::vector<Complex> DrivenProblem::loads(double frequency) const {
  const auto n = std::size_t(space_.num_dofs());
  std::vector<Complex> f;
  const auto& solutions = port_solutions(frequency);
  const auto add_columns = [&](const ModalPort& port, const auto& columns) {
    const std::size_t dofs = port.dofs.size(), first = f.size();
    f.resize(first + n * columns.size() / dofs);
    for (std::size_t i = 0; i < columns.size(); ++i)
      f[first + i / dofs * n + std::size_t(port.dofs[i % dofs])] = columns[i];
  };
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (ports_[p].is_dispersive()) {
      add_columns(ports_[p], solutions[p].loads);
    } else {
      add_columns(ports_[p], ports_[p].loads);
    }
  }
  for (std::size_t p = 0; p < ports_.size(); ++p) add_columns(ports_[p], solutions[p].shapes);
  return bloch_ ? bloch_->restrict(f, bloch_factors(frequency)) : f;
}

Eigen::MatrixXcd DrivenProblem::amplitude_rows(const std::vector<Complex>& loads) const {
  const auto n = Eigen::Index(num_unknowns());
  Eigen::MatrixXcd rows = Eigen::Map<const Eigen::MatrixXcd>(loads.data(), n, Eigen::Index(loads.size()) / n);
  if (!bloch_) return rows;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (!ports_[std::size_t(places_[i].port)].face)  // hybrid modes are biorthogonal without conjugation
      rows.col(Eigen::Index(i)) = rows.col(Eigen::Index(i)).conjugate().eval();
  return rows;
}

void DrivenProblem::analyse() {
  solver_->analyse(system_);
}

DrivenSolution DrivenProblem::solve(double frequency, const std::vector<Complex>& sources) {
  if (sources.empty() && not_split().empty() && rounding_.share(model_, frequency) > split_from_share)
    return solve_low(frequency);
  DrivenSolution solution;
  solution.frequency = frequency;
  const std::vector<ModeState> states = mode_states(frequency);
  for (const Eigen::Index i : reported_) solution.modes.push_back(states[std::size_t(i)]);
  assemble(frequency, system_);
  solver_->prepare(system_);

  using Matrix = Eigen::MatrixXcd;
  const std::vector<Complex> f = loads(frequency);
  const auto n = Eigen::Index(num_unknowns()), count = Eigen::Index(f.size()) / n;
  std::vector<Complex> loads_and_sources = f;
  loads_and_sources.insert(loads_and_sources.end(), sources.begin(), sources.end());
  Matrix all(n, Eigen::Index(loads_and_sources.size()) / n);
  solution.solver = solver_->solve(loads_and_sources.data(), all.data(), Index(all.cols()));
  const Matrix x = all.leftCols(count);
  const Matrix g = amplitude_rows(f).transpose() * x;
  solution.scattering =
      scattering(g, coupling_of(port_solutions(frequency)), states, reported_, 2 * pi * frequency);
  if (!sources.empty()) {
    const Matrix alone = all.rightCols(all.cols() - count);
    const auto response =
        source_response(amplitude_rows(f).transpose() * alone, g, coupling_of(port_solutions(frequency)),
                        states, reported_, 2 * pi * frequency);
    solution.source_waves = response.outgoing;
    const Matrix field = alone - x * response.weights;
    solution.source_x.assign(field.data(), field.data() + field.size());
  }
  const auto num_reported = Eigen::Index(reported_.size()), num_dofs = Eigen::Index(space_.num_dofs());
  solution.x.resize(std::size_t(num_dofs * num_reported));
  const Matrix y = x * solution.scattering.weights;
  if (bloch_) {
    bloch_->prolong(y.data(), Index(num_reported), bloch_factors(frequency), solution.x.data());
  } else {
    Eigen::Map<Matrix>(solution.x.data(), num_dofs, num_reported) = y;
  }
  return solution;
}

}  // namespace curlew::fem
