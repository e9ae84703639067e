// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A driven system that keeps its accuracy down to the static limit.
//
// In A = K + R, K of the curls and R of all else, the gradients G enter only R, which is k²h² times K and at
// low frequency below its rounding errors. In the basis of gradient_split.hpp products with gradients omit K,
// since ∇×∇φ = 0:
//   TᵀAT = [ CᵀKC + CᵀRC   CᵀRG ]      C: all functions except the gradients
//          [ GᵀRC          GᵀRG ],
// and after scaling to a unit diagonal, D TᵀAT D, the off-diagonal blocks vanish with frequency: the limit is
// a magnetostatic and an electric problem (of charges, of currents in conductors), each regular. Port terms c
// f fᵀ of waves between conductors are kept sparse by an additional unknown z = c fᵀx. Source: Zhu and Jiao
// (2010), IEEE Trans. Microw. Theory Techn. 58(9), theory of the breakdown; Dyczij-Edlinger, Peng and Lee
// (1999), IEEE Trans. Microw. Theory Techn. 47(8), splitting of tangential vector elements.

#include <Eigen/Core>
#include <cstdint>
#include <future>
#include <optional>
#include <vector>

#include "base/timer.hpp"
#include "fem/driven/gradient_split.hpp"
#include "linalg/direct/dissection.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

/// A column f of a port and what it adds to the system.
struct SplitLoad {
  std::vector<Complex> f;  ///< [num_dofs] ∫ W·e dS
  bool is_held = false;    ///< the system contains c f fᵀ
  Complex admittance = 0;  ///< c [1/m], which may vanish
  /// On its face the field is a gradient between conductors only, or has no divergence: other products of
  /// gradients with f are rounding errors and set to zero.
  bool feels_conductors_alone = false, is_free_of_divergence = false;
};

struct SplitSolution {
  Eigen::MatrixXcd x;  ///< [num_dofs, loads] A⁻¹F
  Eigen::MatrixXcd g;  ///< [loads, loads] FᵀA⁻¹F, much more accurate than products with x
  linalg::SystemReport report;
};

/// The systems of a model at one frequency after another: one pattern, one analysis, one solver. The pattern
/// is that of the matrices and of the columns in the system; it is analysed again if it changed.
class SplitSystem {
 public:
  /// @param options direct: iterative options are ignored
  /// @param cells a dissection of the unknowns of the space for the solver to order by; empty: the solver's
  /// own ordering
  SplitSystem(GradientSplit split, const linalg::SystemOptions& options,
              std::shared_future<linalg::DissectionTree> cells = {});

  /// @param curl K, @param rest R, of one pattern
  /// @param stages seconds of assembly, factorisation (with analysis) and substitution are added @throws
  /// NumericalError if a test with a known solution has a relative error above 1e-3
  SplitSolution solve(const linalg::Csr<Complex>& curl, const linalg::Csr<Complex>& rest,
                      const std::vector<SplitLoad>& loads, double frequency, Stages& stages);
  /// Frees factors and analysis: the next solve makes them again.
  void forget() { solver_.reset(); }
  /// How often a pattern was analysed.
  int analyses() const { return analyses_; }
  /// Information of the solver; empty before it is made.
  linalg::SystemInfo info() const { return solver_ ? solver_->info() : linalg::SystemInfo{}; }

 private:
  /// Factorises, after an analysis if the pattern is new.
  void prepare(const linalg::Csr<Complex>& a, const Eigen::MatrixXcd& held);

  GradientSplit split_;
  linalg::SystemOptions options_;
  std::shared_future<linalg::DissectionTree> cells_;
  linalg::Csr<Complex> basis_;      // T
  linalg::Csr<double> transposed_;  // Tᵀ
  std::optional<linalg::SystemSolver> solver_;
  std::uint64_t pattern_ = 0;  // pattern that solver_ has analysed
  int analyses_ = 0;
};

/// A dissection of the unknowns of y and of the port columns, from one of x: a function belongs to the lowest
/// node of the tree above all cells of the functions that it combines.
/// @param held [num_dofs, any] columns of Tᵀf
linalg::DissectionTree split_dissection(const linalg::DissectionTree& tree,
                                        const linalg::Csr<double>& transposed, const Eigen::MatrixXcd& held);

}  // namespace curlew::fem
