// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A driven system that keeps its digits down to the static limit.
//
// In A = K + R, K of the curls and R of all else, the gradients G are held by R alone, k²h² of K and less
// than its round-off at low frequency. In the basis of gradient_split.hpp the products with gradients leave
// K out, for ∇×∇φ = 0 is exact:
//   TᵀAT = [ CᵀKC + CᵀRC   CᵀRG ]      C: all functions but the gradients
//          [ GᵀRC          GᵀRG ],
// and after scaling to a unit diagonal, D TᵀAT D, the off-diagonal blocks vanish with frequency: what is left
// is a magnetostatic and an electric problem (of charges, of currents in conductors), each regular by itself.
// Waves between conductors leave through ports as c f fᵀ, kept sparse by an unknown z = c fᵀx of its own.
// Source: Zhu and Jiao (2010), IEEE Trans. Microw. Theory Techn. 58(9), theory of the breakdown;
// Dyczij-Edlinger, Peng and Lee (1999), IEEE Trans. Microw. Theory Techn. 47(8), splitting of tangential
// vector elements.

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
  bool is_held = false;    ///< the system holds c f fᵀ
  Complex admittance = 0;  ///< c [1/m], which may vanish
  /// The field is a gradient on its face that only conductors end, or has no divergence there: what else of
  /// gradients f holds is round-off.
  bool feels_conductors_alone = false, is_free_of_divergence = false;
};

struct SplitSolution {
  Eigen::MatrixXcd x;  ///< [num_dofs, loads] A⁻¹F
  Eigen::MatrixXcd g;  ///< [loads, loads] FᵀA⁻¹F, right to many more digits than products with x
  linalg::SystemReport report;
};

/// The systems of a model at one frequency after another: one pattern, one analysis, one solver. The pattern
/// is that of the matrices and of the columns that are held; it is analysed anew if it has changed.
class SplitSystem {
 public:
  /// @param options direct: an iterative one is not asked
  /// @param cells a dissection of the unknowns of the space for the solver to order by; none: it has its own
  SplitSystem(GradientSplit split, const linalg::SystemOptions& options,
              std::shared_future<linalg::DissectionTree> cells = {});

  /// @param curl K, @param rest R, of one pattern
  /// @param stages the seconds of assembly, factorisation (with an analysis) and substitution are added
  /// @throws NumericalError if the system cannot be solved to a thousandth in double precision, by a solution
  /// that is known beforehand
  SplitSolution solve(const linalg::Csr<Complex>& curl, const linalg::Csr<Complex>& rest,
                      const std::vector<SplitLoad>& loads, double frequency, Stages& stages);
  /// Frees factors and analysis: the next solve makes them again.
  void forget() { solver_.reset(); }
  /// How often a pattern was analysed.
  int analyses() const { return analyses_; }
  /// Of the solver; empty before it is made.
  linalg::SystemInfo info() const { return solver_ ? solver_->info() : linalg::SystemInfo{}; }

 private:
  /// Factors, after an analysis if this pattern has none.
  void prepare(const linalg::Csr<Complex>& a, const Eigen::MatrixXcd& held);

  GradientSplit split_;
  linalg::SystemOptions options_;
  std::shared_future<linalg::DissectionTree> cells_;
  linalg::Csr<Complex> basis_;      // T
  linalg::Csr<double> transposed_;  // Tᵀ
  std::optional<linalg::SystemSolver> solver_;
  std::uint64_t pattern_ = 0;  // that solver_ has analysed
  int analyses_ = 0;
};

/// A dissection of the unknowns of y and of the columns that are held, by one of x: a function stands above
/// all cells of the functions that it is made of.
/// @param held [num_dofs, any] columns of Tᵀf
linalg::DissectionTree split_dissection(const linalg::DissectionTree& tree,
                                        const linalg::Csr<double>& transposed, const Eigen::MatrixXcd& held);

}  // namespace curlew::fem
