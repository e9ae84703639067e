// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A problem driven by currents and plane waves: one factorisation per frequency, an excitation per
// right-hand side.

#include <memory>
#include <vector>

#include "base/types.hpp"
#include "fem/assembly.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/model/model.hpp"
#include "fem/open/absorbing.hpp"
#include "fem/open/excitation.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

struct OpenSolution {
  double frequency = 0;              ///< [Hz]
  std::vector<Complex> x;            ///< [num_dofs, excitations] scattered or total: Excitation
  std::vector<double> source_power;  ///< [excitations] -1/2 Re int E.J* [W]; 0 for a plane wave
  linalg::SystemReport solver;       ///< how the system was solved
};

class OpenProblem {
 public:
  /// @param mesh, topology outlive the problem
  /// @throws InputError without excitations or with ports
  OpenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model,
              std::vector<Excitation> excitations, DrivenOptions options);

  const NedelecSpace& space() const { return space_; }
  const Model& model() const { return model_; }
  const std::vector<Excitation>& excitations() const { return excitations_; }
  Offset nnz() const { return assembler_.nnz(); }
  const linalg::DirectInfo& solver_info() const { return solver_->info(); }

  /// The system with all right-hand sides at a frequency [Hz].
  /// @param[out] a whose pattern is made here
  /// @param[out] b [num_dofs, excitations], column-major
  void assemble(double frequency, linalg::Csr<Complex>& a, std::vector<Complex>& b) const;
  /// Orders the unknowns and estimates; once, before the first solve.
  void analyse();
  OpenSolution solve(double frequency);

 private:
  std::vector<Complex> loads(double frequency) const;
  std::vector<Complex> known_values(double k0) const;
  /// -1/2 Re int E.J* [W]. @param x, b [num_dofs]
  double source_power(const Excitation& excitation, const Complex* x, double frequency) const;

  Model model_;
  std::vector<Excitation> excitations_;
  DrivenOptions options_;
  std::vector<Index> scattering_metal_;  // triangles on which E_s = -E_inc
  NedelecSpace space_;
  Assembler assembler_;
  std::vector<Index> known_;  // unknowns on scattering_metal_, ascending
  DivergenceTerms divergence_;
  linalg::Csr<Complex> system_;
  std::unique_ptr<linalg::SystemSolver> solver_;
};

}  // namespace curlew::fem
