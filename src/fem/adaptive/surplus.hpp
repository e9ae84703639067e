// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Contributions of cells to the error of S-parameters and resonances: dual-weighted residuals on the
// functions that the next order of the elements adds.
//
// For symmetric systems A x_j = b_j the number x_iᵀ A x_j changes, when functions are added, by r_iᵀ C⁻¹ r_j,
// r the residuals on the added functions and C the Schur complement of A for them. S_ij + δ_ij is x_iᵀ A x_j
// / 4jωμ0 with x the fields of 1 W: the dual problem of S_ij is port i's own solution. At order 2 e = C⁻¹ r
// comes from solves around edges (star_corrections.hpp): each function contributes r_i e_j, divided equally
// among its cells. At orders 1 and 3 and in periodic cells C is replaced by its diagonal, as the added
// functions are nearly orthogonal in cells of similar height and width: at order 1 the solves would find less
// of the change, at order 3 they would take as much memory as the solution.
//
// In media that are not reciprocal the change of x_iᵀ b_j is r_iᵀ C⁻¹ r_j with r_i the residual of the dual
// problem Aᵀ z_i = b_i; only the symmetric part of C is used: the error is of second order in the rest of C.
//
// Cells of order 3 are tested with the functions that order 4 would add (fourth_level.hpp), for which no
// system is solved; beside cells of order 2, whose functions are solved for, they count 3 / 1.8 times. At
// edges the error of order p falls as 1/p², so that the next order finds 1 - p²/(p + 1)² of it, 0.56 at order
// 2 and 0.44 at order 3, and the diagonal 0.7 of that: a third.
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

/// Factors from computed changes to errors: if the same share of both parts is found, and for one part if all
/// of the other is found.
struct Missing {
  double both = 1, one = 1;
};
inline constexpr Missing missing_by_diagonal{3, 2};
/// For all changes by the next order, which are 0.56 of the error or more.
inline constexpr Missing missing_by_stars{1.8, 1.8};
/// Weight of functions of level 4, by the diagonal, in sums with those of stars, of which the factor is that
/// of stars.
inline constexpr double fourth_over_stars = missing_by_diagonal.both / missing_by_stars.both;

/// For a mesh that is not adapted to singular fields, with the same safety as for a second solution: the next
/// order misses part of the error at edges, and the diagonal finds 0.7 of its change.
/// @param least least accepted ratio of the changes of orders 3 and 2 (error/edge_ratio.hpp)
Missing missing_at_edges(bool by_stars, int order, double least);

/// Bar of an error from the changes that added gradients and the other added functions make.
///
/// Gradients carry charges and electric energy, the others currents and magnetic energy; in a lossless system
/// the first lower xᵀ A x and the second raise it. At edges of strips both are large and cancel. The diagonal
/// neglects coupling of added functions and higher orders, so that it finds a part of each, and the missing
/// parts need not cancel. If all of one and half of the other is found, the error is |2E + M| or |E + 2M|; if
/// a third of both, |3E + 3M|. The error bar is the greatest of these. Solves around edges find all changes
/// by the next order; then 1.8 replaces 2 and 3.
/// @returns bar >= 0, in the unit of the changes
double surplus_bar(Complex gradients, Complex others, Missing missing);

struct SurplusErrors {
  std::vector<double> cells;  ///< [num_cells] weighted sums of magnitudes of contributions
  /// [num_cells] weighted sums of magnitudes of the contributions of level 2 (of the solution, or added) and
  /// of level 3 (0 at order 1).
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

/// Parts of a system that its model does not contain.
struct SurplusContext {
  /// Triangles of a surface whose terms are not in the model; functions on them are left out.
  std::vector<Index> truncation{};
  /// [num_dofs, columns] solutions of the dual problems, the row of change_ij; empty: x. In media that are
  /// not reciprocal those of the transposed media, of a ferrite with the opposite bias.
  Eigen::MatrixXcd dual{};
  /// Right-hand sides inside the mesh [num_dofs, columns] on a space of order 3 at most; empty: none. Not for
  /// solutions of order 3, since functions of level 4 have no such right-hand sides.
  std::function<std::vector<Complex>(const NedelecSpace&)> loads{};
};

/// Functions on periodic faces are tied like the unknowns; if the phase between faces is complex, the dual
/// problem is that of the opposite phase. Surfaces with boundary terms (ports, impedances, open ends) are
/// left out.
/// @param x [num_dofs, columns] solutions, column-major
/// @param frequency [Hz] of the solutions
/// @param weights [columns, columns] of |change_ij| in the errors of cells
SurplusErrors surplus_errors(const NedelecSpace& space, const Model& model, double frequency,
                             const Eigen::MatrixXcd& x, const Eigen::MatrixXd& weights,
                             const SurplusContext& context = {});

}  // namespace curlew::fem
