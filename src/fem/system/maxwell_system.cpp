// SPDX-License-Identifier: BSD-3-Clause
#include "fem/system/maxwell_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "base/threads.hpp"
#include "base/wavenumber.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/cell_dissection.hpp"
#include "fem/model/shared_rims.hpp"
#include "fem/nedelec_cells.hpp"
#include "fem/periodic/bloch_reduction.hpp"
#include "fem/ports/port_coupling.hpp"
#include "linalg/direct/shared_matrix.hpp"

namespace curlew::fem {
namespace {

// A term costs an assembly and a summation, and saves an assembly minus a summation at every frequency after
// the first.
constexpr int fewest_frequencies = 3;
constexpr std::size_t most_whole_terms = 6;
constexpr int most_dissected_frequencies = 10;

/// Refuses waveguide ports in periodic cells, whose modes have no Bloch phase.
void refuse_open_guides(const std::vector<PortPtr>& ports, const BlochReduction& bloch) {
  for (const PortPtr& port : ports) {
    if (port->fits_periodic_faces()) continue;
    if (std::any_of(port->dofs.begin(), port->dofs.end(), [&](Index d) { return bloch.is_tied(d); }))
      throw InputError(
          fmt::format("port \"{}\" reaches periodic faces: give it type = \"floquet\"", port->region));
  }
}

bool needs_symmetry(const linalg::SystemOptions& options) {
  return options.iterative && options.iterative->krylov.method == linalg::KrylovMethod::cocr;
}

using SparseColumns = Eigen::SparseMatrix<Complex>;

template <class Add>
void each_entry(const SparseColumns& a, const Add& add) {
  for (Eigen::Index j = 0; j < a.outerSize(); ++j)
    for (SparseColumns::InnerIterator entry(a, j); entry; ++entry)
      add(Index(entry.row()), Index(j), entry.value());
}

/// F K Lᵀ. @param f, rows F and L
linalg::LowRank modal_term(const SparseColumns& f, const Eigen::MatrixXcd& k, const SparseColumns& rows) {
  linalg::Coo<Complex> left, right;
  left.num_rows = right.num_cols = Index(f.rows());
  left.num_cols = right.num_rows = Index(f.cols());
  each_entry(f, [&](Index i, Index j, Complex value) { left.add(i, j, value); });
  const SparseColumns lk = rows * SparseColumns(k.transpose().sparseView());
  each_entry(lk, [&](Index i, Index j, Complex value) { right.add(j, i, value); });
  return {linalg::to_csr(left), linalg::to_csr(right)};
}

/// Distributes the system if all processes run the program and the solver supports it. Only one system of a
/// run is distributed.
linalg::SystemOptions spread_if_possible(linalg::SystemOptions options) {
  const ProcessGroup* group = options.direct.processes;
  options.spread =
      options.spread && group != nullptr && group->is_together() &&
      (!options.iterative || options.automatic || linalg::can_spread(*options.iterative, options.device));
  if (options.spread) group->part();
  return options;
}

RowShare share_of(const linalg::SystemOptions& options) {
  if (!options.spread) return {};
  const ProcessGroup& processes = *options.direct.processes;
  return {processes.rank(), processes.size()};
}

/// For the direct solver of a GPU, whose own ordering takes as long as factorising three to eight
/// frequencies. That ordering has up to 20 % less fill, so that it is better for many frequencies.
std::future<linalg::DissectionTree> dissect_meanwhile(const linalg::SystemOptions& options,
                                                      const NedelecSpace& space) {
  if (options.device != Device::cuda || (options.iterative && !options.automatic)) return {};
  if (options.frequencies > most_dissected_frequencies) return {};
  return std::async(std::launch::async, [&space] { return dissect_cells(space); });
}

/// Methods that build on A = A^T, before anything is assembled for them.
void refuse_symmetric_methods(const linalg::SystemOptions& options, bool is_reciprocal) {
  if (is_reciprocal || !needs_symmetry(options)) return;
  throw InputError(
      fmt::format("solver.method {} needs a symmetric matrix; with phases between periodic faces or "
                  "unsymmetric tensors it is not: take gmres or bicgstab",
                  linalg::name_of(options.iterative->krylov.method)));
}

}  // namespace

MaxwellSystem::MaxwellSystem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model,
                             linalg::SystemOptions options, const std::optional<std::vector<Index>>& metal)
    : model_(std::move(model)),
      options_(spread_if_possible(std::move(options))),
      space_(metal ? make_space(mesh, topology, model_.order, *metal, model_.cell_orders)
                   : make_model_space(model_, mesh, topology, model_.cell_orders)),
      dissection_(dissect_meanwhile(options_, space_)),
      terms_(space_, model_, share_of(options_)),
      ports_(make_ports(model_, space_)),
      matrix_(terms_.create()) {
  if (bloch()) refuse_open_guides(ports_, *bloch());
  for (int p = 0; p < int(ports_.size()); ++p) {
    for (int m = 0; m < ports_[std::size_t(p)]->num_modes(); ++m) {
      if (m < ports_[std::size_t(p)]->num_reported) {
        reported_.push_back(Eigen::Index(places_.size()));
        reported_places_.push_back({p, m});
      }
      places_.push_back({p, m});
    }
  }
  refuse_symmetric_methods(options_, is_reciprocal());
  options_.direct.symmetry = is_reciprocal() ? linalg::Symmetry::symmetric : linalg::Symmetry::unsymmetric;
  options_.right_hand_sides += int(reported_.size());
  solver_ = std::make_unique<linalg::SystemSolver>(
      options_, std::vector<Index>(block_offsets().begin(), block_offsets().end()));
  nnz_ = solver_->shared(matrix_).count_entries();
  keep_own_triangle();
}

void MaxwellSystem::analyse() {
  // The unknowns are those of the space, unless periodic faces take some away.
  if (dissection_.valid() && !bloch())
    solver_->suggest(std::async(std::launch::deferred, [this] { return dissection_.get(); }));
  if (is_real()) solver_->expect_real();
  solver_->analyse(matrix_);
}

bool MaxwellSystem::is_real() const {
  return is_reciprocal() && model_.is_lossless() && robin_triangles_.empty();
}

bool MaxwellSystem::has_symmetric_scattering() const {
  const double k = wavenumber(std::max(model_.periodicity.highest_frequency, 1.0));
  const auto phases = model_.periodicity.phases(k);
  return is_reciprocal() && std::all_of(ports_.begin(), ports_.end(), [&](const PortPtr& port) {
           return port->has_symmetric_scattering(phases);
         });
}

bool MaxwellSystem::has_dispersive_ports() const {
  return std::any_of(ports_.begin(), ports_.end(), [](const PortPtr& p) { return p->is_dispersive(); });
}

const std::vector<PortSolution>& MaxwellSystem::port_solutions(double frequency) const {
  if (frequency == solved_frequency_) return port_solutions_;
  port_solutions_.clear();
  for (const PortPtr& port : ports_) port_solutions_.push_back(port->solve(context(), frequency));
  solved_frequency_ = frequency;
  return port_solutions_;
}

bool MaxwellSystem::shift_references(double share) {
  constexpr double share_with_loss = 0.1;
  bool any = false;
  for (std::size_t p = 0; p < port_solutions_.size(); ++p) {
    auto& modes = port_solutions_[p].modes;
    const Complex c = modes[0].admittance;
    // If the matrix is complex, other references are possible, such as the decay constant of the last
    // absorbed mode. That of a gap is a small reactance, since nothing else is there to absorb other fields.
    const bool is_reactance = is_real() || ports_[p]->has_terminals();
    const Complex shift =
        is_reactance ? Complex(share * std::abs(c)) : modes.back().gamma.real() + share_with_loss * c;
    for (ModeState& state : modes) state.reference += shift;
    any = true;
  }
  return any;
}

namespace {

/// Throws the InputError that the first mode does not propagate.
[[noreturn]] void refuse_port(const Port& port, double frequency, const Material& medium) {
  const std::string below = fmt::format("port \"{}\": {:.6g} GHz is below the cut-off of its first mode {}",
                                        port.region, 1e-9 * frequency, port.modes[0].name);
  constexpr const char* cure = ": raise the frequency, or check frequency in Hz, [mesh] unit and epsilon_r";
  const auto cutoff = port.cutoff_frequency(0, medium);
  if (!cutoff) throw InputError(below + cure);
  if (frequency < *cutoff) throw InputError(fmt::format("{}, {:.6g} GHz{}", below, 1e-9 * *cutoff, cure));
  const Complex epsilon_r = medium.epsilon_r.scalar;
  throw InputError(fmt::format(
      "port \"{}\": no mode propagates in its medium at {:.6g} GHz (epsilon_r = {:.3g} {:+.3g}j{})",
      port.region, 1e-9 * frequency, epsilon_r.real(), epsilon_r.imag(),
      epsilon_r.imag() > 0 ? ": a positive imaginary part amplifies, losses need a negative one" : ""));
}

}  // namespace

std::vector<ModeState> MaxwellSystem::mode_states(double frequency) const {
  std::vector<ModeState> states;
  const auto& solutions = port_solutions(frequency);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    const Port& port = *ports_[p];
    states.insert(states.end(), solutions[p].modes.begin(), solutions[p].modes.end());
    if (solutions[p].modes[0].propagates) continue;
    refuse_port(port, frequency, materials_at(model_, *space_.mesh, frequency).of(port.cell));
  }
  return states;
}

std::vector<Complex> MaxwellSystem::bloch_factors(double frequency) const {
  if (!bloch()) return {};
  return bloch()->factors(bloch_phases(model_, space_, frequency));
}

const SystemMatrix& MaxwellSystem::whole() const {
  if (!options_.spread) return terms_;
  if (!whole_) whole_.emplace(space_, model_);
  return *whole_;
}

std::vector<Complex> MaxwellSystem::references(double frequency, PortReference reference) const {
  std::vector<Complex> admittances;
  for (const PortSolution& solution : port_solutions(frequency)) {
    const ModeState& first = solution.modes[0];
    admittances.push_back(reference == PortReference::first_mode ? first.admittance : first.reference);
  }
  return admittances;
}

void MaxwellSystem::assemble(double frequency, Complex gamma, const std::vector<Complex>& references,
                             const SystemMatrix& terms, linalg::Csr<Complex>& system) const {
  const ScopedStage timed(stages_, "assembly");
  terms.assemble(frequency, bloch_factors(frequency), system, [&](linalg::Csr<Complex>& a) {
    for (std::size_t p = 0; p < ports_.size(); ++p) ports_[p]->add_reference(space_, references[p], a);
    if (gamma != 0.0) add_tangential_mass(space_, robin_triangles_, gamma, a);
  });
}

bool MaxwellSystem::has_use_of(const std::vector<SystemTerm>& terms) const {
  const auto whole = std::size_t(
      std::count_if(terms.begin(), terms.end(), [](const SystemTerm& term) { return term.rows.empty(); }));
  const std::size_t bytes = whole * std::size_t(matrix_.nnz()) * sizeof(Complex);
  return whole <= most_whole_terms && solver_->info().estimated_bytes + 2 * bytes <= available_memory();
}

const SystemSum* MaxwellSystem::stored_sum() {
  if (options_.spread || solver_->is_iterative()) return nullptr;
  const ScopedStage timed(stages_, "assembly");
  if (!std::exchange(sum_is_decided_, true) && options_.frequencies >= fewest_frequencies &&
      is_sum_of_terms(model_)) {
    auto terms = system_terms(model_, assembler(), ports_);
    if (has_use_of(terms)) sum_.emplace(std::move(terms), matrix_);
  }
  return sum_ ? &*sum_ : nullptr;
}

bool MaxwellSystem::add_terms(double frequency, const std::vector<Complex>& references) {
  if (stored_sum() == nullptr) return false;
  const ScopedStage timed(stages_, "assembly");
  sum_->set(frequency, references);
  if (!solver_->adds_terms()) sum_->sum().matrix();
  return sum_stands_ = true;
}

void MaxwellSystem::assemble(double frequency, linalg::Csr<Complex>& system, PortReference reference) const {
  assemble(frequency, 0, references(frequency, reference), whole(), system);
}

bool MaxwellSystem::iterates_with_ports() const {
  return solver_->is_iterative() && !ports_.empty() && !(bloch() && needs_symmetry(options_));
}

void MaxwellSystem::prepare_with_ports(double frequency) {
  const ScopedStage timed(stages_, "factorisation");
  const SparseColumns f = load_columns(frequency);
  prepare_own(modal_term(f, coupling_of(port_solutions(frequency)), amplitude_rows(f)));
}

void MaxwellSystem::prepare_own(const linalg::LowRank& term) {
  // Cell matrices use unknowns of the space, of which periodic faces eliminate some.
  if (options_.spread || bloch() || !solver_->is_iterative()) return solver_->prepare_own(matrix_, term);
  const double frequency = solved_frequency_;  // of the matrix, whose ports were solved last
  const NedelecCells cells(space_, materials_at(model_, *space_.mesh, frequency), wavenumber(frequency));
  solver_->prepare(matrix_, term, &cells);
}

SparseColumns MaxwellSystem::load_columns(double frequency) const {
  const auto& solutions = port_solutions(frequency);
  std::vector<Eigen::Triplet<Complex>> entries;
  Eigen::Index count = 0;
  const auto add = [&](const Port& port, const auto& columns) {
    const std::size_t dofs = port.dofs.size();
    for (std::size_t i = 0; i < columns.size(); ++i)
      entries.emplace_back(port.dofs[i % dofs], count + Eigen::Index(i / dofs), columns[i]);
    count += Eigen::Index(columns.size() / dofs);
  };
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (ports_[p]->is_dispersive())
      add(*ports_[p], solutions[p].loads);
    else
      add(*ports_[p], ports_[p]->loads);
  }
  for (std::size_t p = 0; p < ports_.size(); ++p) add(*ports_[p], solutions[p].shapes);
  SparseColumns f(Eigen::Index(space_.num_dofs()), count);
  f.setFromTriplets(entries.begin(), entries.end());
  if (bloch()) return bloch()->restrict(f, bloch_factors(frequency));
  return f;
}

std::vector<Complex> MaxwellSystem::loads(double frequency) const {
  const SparseColumns columns = load_columns(frequency);
  auto f = huge_vector<Complex>(std::size_t(columns.rows()) * std::size_t(columns.cols()));
  each_entry(columns, [&](Index i, Index j, Complex value) {
    f[std::size_t(j) * std::size_t(columns.rows()) + std::size_t(i)] = value;
  });
  return f;
}

SparseColumns MaxwellSystem::amplitude_rows(const SparseColumns& loads) const {
  SparseColumns rows = loads;
  if (!bloch()) return rows;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (ports_[std::size_t(places_[i].port)]->is_conjugate())
      for (SparseColumns::InnerIterator entry(rows, Eigen::Index(i)); entry; ++entry)
        entry.valueRef() = std::conj(entry.value());
  return rows;
}

}  // namespace curlew::fem
