// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The system of a model at one frequency after another: bulk, boundary conditions, periodic faces and the
// reference terms of ports, one pattern, one analysis, one solver. Excitations and results are added by
// DrivenProblem (waves at ports), OpenProblem (currents, plane waves) and truncation::OpenSystem (a Robin
// condition on the outer surface).

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/timer.hpp"
#include "base/types.hpp"
#include "fem/model/model.hpp"
#include "fem/ports/port.hpp"
#include "fem/ports/port_solution.hpp"
#include "fem/space.hpp"
#include "fem/system/system_matrix.hpp"
#include "fem/system/system_sum.hpp"
#include "linalg/direct/dissection.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

/// How the systems are solved; the symmetry of direct solvers is chosen by the materials.
using DrivenOptions = linalg::SystemOptions;

class MaxwellSystem {
 public:
  /// @param mesh, topology outlive the system
  /// @param options the symmetry of direct solvers is chosen by the materials
  /// @param metal triangles without unknowns; by default those of all perfect conductors
  /// @throws InputError for ports that are no known cross-section, waveguide ports at periodic faces, and
  /// methods for symmetric matrices if A is not symmetric
  MaxwellSystem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model,
                linalg::SystemOptions options, const std::optional<std::vector<Index>>& metal = {});
  MaxwellSystem(const MaxwellSystem&) = delete;
  MaxwellSystem& operator=(const MaxwellSystem&) = delete;

  const NedelecSpace& space() const { return space_; }
  const Model& model() const { return model_; }
  const std::vector<PortPtr>& ports() const { return ports_; }
  /// Reported modes: the rows and columns of S.
  const std::vector<ModePlace>& modes() const { return reported_places_; }
  /// All modes, including absorbed ones: the columns of loads(), to which reported() refers.
  const std::vector<ModePlace>& all_modes() const { return places_; }
  const std::vector<Eigen::Index>& reported() const { return reported_; }
  /// The assembler of the whole matrix.
  const Assembler& assembler() const { return whole().assembler(); }
  /// True if all materials are symmetric and no phase between periodic faces is complex: A = Aᵀ, S = Sᵀ. With
  /// a complex phase S(-k) = S(k)ᵀ.
  bool is_reciprocal() const { return terms_.is_symmetric(); }
  /// True if no term of the matrix is expected to have an imaginary part, at any frequency.
  bool is_real() const;
  /// True if also S = Sᵀ, which waves of a periodic cell have only at normal incidence.
  bool has_symmetric_scattering() const;
  /// Nonzeros of the whole matrix; entries shared by several processes count once for each.
  Offset nnz() const { return nnz_; }
  /// Unknowns of the system: those of the space without those eliminated by periodic faces.
  Index num_unknowns() const { return matrix_.num_rows; }
  const std::array<Index, 4>& block_offsets() const { return terms_.block_offsets(); }
  linalg::SystemInfo solver_info() const { return solver_->info(); }

  /// Propagation constants and impedances of all modes, including absorbed ones, at a frequency [Hz].
  /// @throws InputError if the first mode of a port does not propagate
  std::vector<ModeState> mode_states(double frequency) const;
  /// The sparse system with reference admittances on the ports, without eliminated unknowns; the modal terms
  /// are added by driven/scattering.hpp.
  void assemble(double frequency, linalg::Csr<Complex>& system,
                PortReference reference = PortReference::no_loss) const;
  linalg::Csr<Complex> create_matrix() const { return whole().create(); }
  /// F: the projections of all modes [num_unknowns, all modes], then the columns that dispersive ports add
  /// (driven/scattering.hpp). Only unknowns on the ports' faces have entries.
  Eigen::SparseMatrix<Complex> load_columns(double frequency) const;
  /// The same as a dense matrix, column-major.
  std::vector<Complex> loads(double frequency) const;
  /// True if the fields of a port's modes change with frequency.
  bool has_dispersive_ports() const;
  /// Solutions of all ports at a frequency [Hz]; the last one is cached.
  const std::vector<PortSolution>& port_solutions(double frequency) const;
  /// The terms from which the matrix is summed at every frequency; null if it is assembled instead. Call it
  /// after analyse().
  const SystemSum* stored_sum();
  /// On processes other than 0: assembles, factorises and multiplies its rows on request of process 0, until
  /// the program ends. @returns false, and does nothing, on process 0
  bool serve();
  /// Orders the unknowns and estimates memory; called once, before the first solve.
  void analyse();
  /// Seconds of assembly, factorisation (or preconditioner) and substitution (or iterations) so far.
  const Stages& stages() const { return stages_; }

 protected:
  /// Stages for timings outside of this class.
  Stages& own_stages() const { return stages_; }
  const linalg::SystemOptions& options() const { return options_; }
  /// Dissection of the unknowns of the space for a direct solver; not valid if the solver has its own
  /// ordering.
  std::shared_future<linalg::DissectionTree> cell_dissection() const { return dissection_; }
  /// The matrix; in a distributed system the rows of this process, if symmetric without the upper triangle.
  const linalg::Csr<Complex>& matrix() const { return sum_stands_ ? sum_->sum().matrix() : matrix_; }
  /// Triangles on which fill_matrix adds a Robin condition, on all processes.
  void set_robin_triangles(std::vector<Index> triangles) { robin_triangles_ = std::move(triangles); }
  /// Assembles matrix(), on all processes, or sums its stored terms.
  /// @param gamma [1/m] of the Robin condition, see add_tangential_mass
  void fill_matrix(double frequency, Complex gamma = 0);
  /// Fixes unknowns of matrix(), on all processes (dirichlet.hpp).
  void impose_values(std::span<const Index> known, const Complex* values, Index num_rhs, Complex* b);
  linalg::SystemSolver& solver() { return *solver_; }
  /// Factors matrix(), or builds its preconditioner.
  void prepare() {
    const ScopedStage timed(stages_, "factorisation");
    if (sum_stands_)
      solver_->prepare(sum_->sum());
    else
      prepare_own();
  }
  /// As linalg::SystemSolver::solve.
  linalg::SystemReport solve_columns(const Complex* b, Complex* x, Index count,
                                     const std::vector<double>& tolerances = {}) {
    const ScopedStage timed(stages_, "substitution");
    return solver_->solve(b, x, count, tolerances);
  }
  const linalg::SystemSolver& solver() const { return *solver_; }
  /// As linalg::SystemSolver::substitute.
  linalg::Substitution substitute(const Complex* b, Complex* x, Index count) {
    const ScopedStage timed(stages_, "substitution");
    return solver_->substitute(b, x, count);
  }
  /// Changes the reference admittance at the ports for their last frequency, to move resonances of the closed
  /// device: by a real fraction of the first mode's |c| if the matrix is real, else by 0.1 c and the decay
  /// constant of the last absorbed mode. Sheets are unchanged. The matrix must be filled again. @returns
  /// false if all ports are sheets
  bool shift_references(double share);
  const std::optional<BlochReduction>& bloch() const { return terms_.bloch(); }
  /// Builds the preconditioner of a Krylov method for the system with the modal terms of its ports,
  /// A + F K Lᵀ. @pre matrix() is assembled at this frequency [Hz]
  void prepare_with_ports(double frequency);
  /// True if prepare_with_ports can be used: for Krylov methods, except those for symmetric matrices with
  /// modes of periodic faces, which make the term unsymmetric.
  bool iterates_with_ports() const;
  /// Phase factors of the periodic faces at a frequency; empty without such faces.
  std::vector<Complex> bloch_factors(double frequency) const;
  /// Arguments of the calls to ports.
  PortContext context() const { return {model_, space_, bloch() ? &*bloch() : nullptr}; }
  /// L of the modal amplitudes v = Lᵀx: F, conjugated for modes that are orthogonal with conjugation.
  Eigen::SparseMatrix<Complex> amplitude_rows(const Eigen::SparseMatrix<Complex>& loads) const;

 private:
  /// Admittances of the ports' terms in the matrix [ports].
  std::vector<Complex> references(double frequency, PortReference reference) const;
  /// @param gamma [1/m] of the Robin condition
  void assemble(double frequency, Complex gamma, const std::vector<Complex>& references,
                const SystemMatrix& terms, linalg::Csr<Complex>& system) const;
  /// Factorises the rows of this process, or builds the preconditioner of them plus a low-rank term.
  void prepare_own(const linalg::LowRank& term = {});
  void assemble_own(double frequency, Complex gamma, const std::vector<Complex>& references);
  std::vector<Complex> fix_own(std::span<const Index> known);
  /// Makes matrix() from its stored terms. @return false if they are not stored
  bool add_terms(double frequency, const std::vector<Complex>& references);
  /// True if storing terms saves time for the expected number of frequencies, and they fit into memory.
  bool has_use_of(const std::vector<SystemTerm>& terms) const;
  void keep_own_triangle();
  ProcessGroup::Taken take(const GroupStep& step);
  const SystemMatrix& whole() const;

  Model model_;
  linalg::SystemOptions options_;
  NedelecSpace space_;
  std::shared_future<linalg::DissectionTree> dissection_;  // made in another thread, if needed
  SystemMatrix terms_;                                     // of the rows of this process
  mutable std::optional<SystemMatrix> whole_;              // of a distributed system: all rows on process 0
  std::vector<PortPtr> ports_;
  std::vector<ModePlace> places_;
  std::vector<ModePlace> reported_places_;
  std::vector<Eigen::Index> reported_;
  std::vector<Index> robin_triangles_;
  linalg::Csr<Complex> matrix_;
  std::optional<SystemSum> sum_;  // terms from which matrix_ may be made
  bool sum_is_decided_ = false;   // whether there is one
  bool sum_stands_ = false;       // matrix() is `sum_`
  Offset nnz_ = 0;
  std::unique_ptr<linalg::SystemSolver> solver_;
  mutable Stages stages_;
  mutable double solved_frequency_ = 0;
  mutable std::vector<PortSolution> port_solutions_;
};

}  // namespace curlew::fem
