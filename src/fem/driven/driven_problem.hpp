// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A system driven at its ports: a factorisation per frequency, all modes of all ports as right-hand sides.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/driven/low_frequency.hpp"
#include "fem/driven/port_network.hpp"
#include "fem/driven/scattering.hpp"
#include "fem/driven/split_system.hpp"
#include "fem/model/model.hpp"
#include "fem/system/maxwell_system.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

/// Results of one frequency.
struct DrivenSolution {
  double frequency = 0;          ///< [Hz]
  std::vector<ModeState> modes;  ///< reported modes of all ports, in order
  ScatteringResult scattering;
  std::vector<Complex> x;         ///< [num_dofs, reported modes] fields of 1 W incident
  std::vector<Complex> source_x;  ///< [num_dofs, sources] fields of the sources, all ports matched
  Eigen::MatrixXcd source_waves;  ///< [reported modes, sources] outgoing power waves [sqrt W]
  linalg::SystemReport solver;    ///< how the system was solved
};

class DrivenProblem : public MaxwellSystem {
 public:
  /// @param mesh, topology outlive the problem
  /// @throws InputError for ports that are no known cross-section or a model without ports
  DrivenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model, DrivenOptions options);

  /// Why the split system (split_system.hpp) cannot be used for this problem; empty if it can.
  std::string not_split() const;
  /// Whether solve() uses the split system, since rounding errors of the plain one would be too large.
  bool is_split_at(double frequency) const;
  /// @param has_sources [excitation] in addition to ports @throws InputError if the lowest of these
  /// frequencies [Hz] cannot be solved in double precision
  void require_resolvable(const std::vector<double>& frequencies, bool has_sources) const;
  /// @throws ResourceError if the factorisation does not fit; NumericalError if it fails
  /// @param sources right-hand sides of currents and waves [num_dofs, sources], column-major; not with
  ///        periodic faces
  DrivenSolution solve(double frequency, const std::vector<Complex>& sources = {});
  /// source_x of sources [num_dofs, sources]; after a solution at the same frequency by its factors.
  std::vector<Complex> solve_sources(double frequency, const std::vector<Complex>& sources);
  /// Whether solve_sources has factors at this frequency.
  bool is_prepared_for(double frequency) const { return frequency == prepared_for_; }

 private:
  using SparseColumns = Eigen::SparseMatrix<Complex>;
  /// Solutions of the system with all modes in it [unknowns, reported modes and sources], for the columns of
  /// reported modes and for sources. @param f all columns
  Eigen::MatrixXcd iterate_with_ports(double frequency, const SparseColumns& f,
                                      const std::vector<Complex>& sources, linalg::SystemReport& report);
  Eigen::MatrixXcd solve_by_woodbury(double frequency, const SparseColumns& f,
                                     const std::vector<Complex>& sources, linalg::SystemReport& report);
  /// @returns whether x is right
  linalg::Substitution try_woodbury(double frequency, const SparseColumns& f,
                                    const std::vector<Complex>& sources, Eigen::MatrixXcd& x);
  /// @pre matrix() is that of the frequency
  DrivenSolution solve_filled(double frequency, const std::vector<Complex>& sources);
  /// Solves by the split system, at frequencies where rounding errors of the curl term affect the gradients.
  DrivenSolution solve_low(double frequency);

  ChargeRounding rounding_;
  double prepared_for_ = 0;           // [Hz] of the factors; 0: they are not to be used again
  std::optional<SplitSystem> split_;  // for low frequencies, made at the first one
};

}  // namespace curlew::fem
