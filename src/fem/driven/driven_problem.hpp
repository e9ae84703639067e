// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A driven problem with waveguide ports over a list of frequencies: one pattern and one analysis, a
// factorisation per frequency, all modes of all ports as right-hand sides.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/assembly.hpp"
#include "fem/driven/gradient_split.hpp"
#include "fem/driven/low_frequency.hpp"
#include "fem/driven/port_network.hpp"
#include "fem/driven/scattering.hpp"
#include "fem/driven/system_terms.hpp"
#include "fem/model/model.hpp"
#include "fem/open/absorbing.hpp"
#include "fem/periodic/bloch_reduction.hpp"
#include "fem/ports/modal_port.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

/// How the systems are solved; the symmetry of direct solvers is chosen by the materials.
using DrivenOptions = linalg::SystemOptions;

/// What one frequency gives.
struct DrivenSolution {
  double frequency = 0;          ///< [Hz]
  std::vector<ModeState> modes;  ///< the reported ones of all ports, in order
  ScatteringResult scattering;
  std::vector<Complex> x;         ///< [num_dofs, reported modes] fields of 1 W incident
  std::vector<Complex> source_x;  ///< [num_dofs, sources] fields of the sources, all ports matched
  Eigen::MatrixXcd source_waves;  ///< [reported modes, sources] outgoing power waves [sqrt W]
  linalg::SystemReport solver;    ///< how the system was solved
};

class DrivenProblem {
 public:
  /// @param mesh, topology outlive the problem
  /// @throws InputError for ports that are no known cross-section or a model without ports
  DrivenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model, DrivenOptions options);

  const NedelecSpace& space() const { return space_; }
  const Model& model() const { return model_; }
  const std::vector<ModalPort>& ports() const { return ports_; }
  /// Reported modes: the rows and columns of S.
  const std::vector<ModePlace>& modes() const { return reported_places_; }
  /// All modes, absorbed ones too: the columns of loads(). reported() counts in them.
  const std::vector<ModePlace>& all_modes() const { return places_; }
  const std::vector<Eigen::Index>& reported() const { return reported_; }
  const Assembler& assembler() const { return assembler_; }
  /// True if all materials are symmetric and no phase between periodic faces is complex: A = Aᵀ, S = Sᵀ. With
  /// a complex phase S(-k) = S(k)ᵀ.
  bool is_reciprocal() const;
  /// True if S = Sᵀ too: Floquet modes pair (m,n) with (-m,-n), so that only (0,0) at normal incidence has
  /// it.
  bool has_symmetric_scattering() const;
  Offset nnz() const { return system_.nnz(); }
  /// Unknowns of the system: those of the space without what periodic faces eliminate.
  Index num_unknowns() const { return system_.num_rows; }
  const std::array<Index, 4>& block_offsets() const {
    return bloch_ ? bloch_->block_offsets() : space_.block_offsets;
  }
  const linalg::DirectInfo& solver_info() const { return solver_->info(); }

  /// Constants of all modes, absorbed ones too, at a frequency [Hz].
  /// @throws InputError if the first mode of a port does not propagate
  std::vector<ModeState> mode_states(double frequency) const;
  /// The sparse system with reference admittances on the ports, without eliminated unknowns; the modal terms
  /// are added by scattering().
  void assemble(double frequency, linalg::Csr<Complex>& system,
                PortReference reference = PortReference::low_loss) const;
  linalg::Csr<Complex> create_matrix() const;
  /// F: the projections of all modes [num_unknowns, all modes], then the columns that dispersive ports add
  /// (scattering.hpp), column-major.
  std::vector<Complex> loads(double frequency) const;
  /// True if a port's modes change with frequency in more than their constants.
  bool has_dispersive_ports() const;
  /// What all ports do at a frequency [Hz]; the last one is kept.
  const std::vector<PortSolution>& port_solutions(double frequency) const;
  /// What keeps the split system (split_system.hpp) away from this problem, empty if nothing does.
  std::string not_split() const;
  /// @param adaptive the sweep is reduced @param has_sources [excitation] beside the ports
  /// @throws InputError where the lowest of these frequencies [Hz] has no answer in double precision
  void require_resolvable(const std::vector<double>& frequencies, bool adaptive, bool has_sources) const;
  /// Orders the unknowns and estimates; once, before the first solve.
  void analyse();
  /// @throws ResourceError if the factorisation does not fit; NumericalError if it fails
  /// @param sources right-hand sides of currents and waves [num_dofs, sources], column-major; not with
  ///        periodic faces
  DrivenSolution solve(double frequency, const std::vector<Complex>& sources = {});

 private:
  /// By the split system: at frequencies where round-off of the curls reaches the gradients.
  DrivenSolution solve_low(double frequency);
  std::vector<Complex> bloch_factors(double frequency) const;
  void assemble_full(double frequency, linalg::Csr<Complex>& a, PortReference reference) const;
  /// What modal amplitudes are taken with, v = Lᵀx: F, conjugate where modes are orthogonal with conjugation.
  Eigen::MatrixXcd amplitude_rows(const std::vector<Complex>& loads) const;

  Model model_;
  DrivenOptions options_;
  NedelecSpace space_;
  Assembler assembler_;
  std::optional<BlochReduction> bloch_;
  DivergenceTerms divergence_;  // of absorbing boundaries of order 2
  std::vector<ModalPort> ports_;
  std::vector<ModePlace> places_;
  std::vector<ModePlace> reported_places_;
  std::vector<Eigen::Index> reported_;
  ChargeRounding rounding_;
  std::optional<GradientSplit> split_;  // of low frequencies, when the first one comes
  linalg::Csr<Complex> full_;           // before elimination, of periodic cells only
  linalg::Csr<Complex> system_;
  std::unique_ptr<linalg::SystemSolver> solver_;
  mutable double solved_frequency_ = 0;
  mutable std::vector<PortSolution> port_solutions_;
};

}  // namespace curlew::fem
