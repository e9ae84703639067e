// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where in the mesh the error of S-parameters and resonances comes from: dual-weighted residuals on the
// functions that the next order of the elements adds.
//
// Of symmetric systems A x_j = b_j the number x_iᵀ A x_j changes, when functions are added, by r_iᵀ C⁻¹ r_j,
// r the residuals on the added functions and C what is left of A for them (Schur). S_ij + δ_ij is
// x_iᵀ A x_j / 4jωμ0 with x the fields of 1 W: the dual problem of S_ij is port i's own solution. Of order 2
// C⁻¹ r comes from solves around edges (star_corrections.hpp): each function has the share r_i e_j, and each
// cell an equal part of those of its functions. Of orders 1 and 3 and in periodic cells C is taken by its
// diagonal, as the added functions are nearly orthogonal to each other in cells that are as tall as wide: at
// order 1 the solves find less of the change than it, at order 3 they take as much memory as the solution.
//
// Cells of order 3 are tested with the functions that order 4 would add (fourth_level.hpp), which no system
// is solved with. At edges the error of order p falls as 1/p², so that the next order finds 1 - p²/(p + 1)²
// of it, 0.56 at order 2 and 0.44 at order 3, and the diagonal 0.7 of that: a third.
//
// Sources: Becker and Rannacher (2001), Acta Numerica 10, sections 2 and 3; Ainsworth and Oden (2000), A
// Posteriori Error Estimation in Finite Element Analysis, chapter 5 (hierarchical bases); Babuska and Suri
// (1987), SIAM J. Numer. Anal. 24(4) (1/p²).

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "base/types.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

/// What makes errors of changes that are found: of both parts alike, of one where all of the other is found.
struct Missing {
  double both = 1, one = 1;
};
inline constexpr Missing missing_by_diagonal{3, 2};
/// All of what the next order changes, 0.56 of the error or more.
inline constexpr Missing missing_by_stars{1.8, 1.8};

/// Of a mesh that no pass has fitted to singular fields, with the safety of solving again: what the next
/// order leaves at edges is missing, and the diagonal finds 0.7 of what it takes.
/// @param least ratio of orders 3 and 2 that is believed (error/edge_ratio.hpp)
Missing missing_at_edges(bool by_stars, int order, double least);

/// Bar of an error from the changes that added gradients and the other added functions make.
///
/// Gradients carry charges and electric energy, the others currents and magnetic energy; in a lossless system
/// the first lower xᵀ A x and the second raise it. At edges of strips both are large and cancel. The diagonal
/// leaves out what added functions do to each other and what the orders beyond add, so that it finds a part
/// of each, and what it misses of one need not cancel against the other. With all of one found and half of
/// the other the error is a sum |2E + M| or |E + 2M|; with a third found of both |3E + 3M|. The bar is the
/// greatest of these. Solves around edges find all that the next order changes, and 1.8 stands for 2 and 3.
/// @returns >= 0, in the unit of the changes
double surplus_bar(Complex gradients, Complex others, Missing missing);

struct SurplusErrors {
  std::vector<double> cells;  ///< [num_cells] sums of sizes of shares, weighted
  /// [num_cells] sums of sizes, weighted, of the shares of level 2 (the solution's own part, or what it would
  /// add) and of level 3; of order 1 the latter are zeros.
  std::vector<double> second, third;
  /// Changes of x_iᵀ A x_j [columns, columns], without weights.
  Eigen::MatrixXcd gradients;  ///< by the added gradients
  Eigen::MatrixXcd others;     ///< by the other added functions
  bool by_stars = false;
  Missing missing() const { return by_stars ? missing_by_stars : missing_by_diagonal; }

  Eigen::MatrixXcd change() const { return gradients + others; }
  /// Bar of x_iᵀ A x_j.
  double bar(Eigen::Index i, Eigen::Index j) const {
    return surplus_bar(gradients(i, j), others(i, j), missing());
  }
};

/// What a system has beside its model.
struct SurplusContext {
  /// Triangles of a surface whose terms the model does not have; they are left out.
  std::vector<Index> truncation{};
  /// [num_dofs, columns] solutions of the dual problems, the row of change_ij; empty: x
  Eigen::MatrixXcd dual{};
  /// Right-hand sides inside the mesh [num_dofs, columns] on a space of order 3 at most; empty: there are
  /// none. Functions of level 4 know none: solutions of order 3 have no such right-hand sides.
  std::function<std::vector<Complex>(const NedelecSpace&)> loads{};
};

/// Functions on periodic faces are tied as the unknowns are; where the phase between faces is complex, the
/// dual problem is that of the opposite phase. Surfaces with terms of their own (ports, impedances, open
/// ends) are left out.
/// @param x [num_dofs, columns] solutions, column-major
/// @param frequency [Hz] that they belong to
/// @param weights [columns, columns] of |change_ij| in the errors of cells
SurplusErrors surplus_errors(const NedelecSpace& space, const Model& model, double frequency,
                             const Eigen::MatrixXcd& x, const Eigen::MatrixXd& weights,
                             const SurplusContext& context = {});

}  // namespace curlew::fem
