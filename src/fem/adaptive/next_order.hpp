// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Basis functions of the next order and residuals tested with them, for dual-weighted error estimates
// (surplus.hpp, sweep_surplus.hpp).

#include <Eigen/Core>
#include <vector>

#include "fem/adaptive/fourth_level.hpp"
#include "fem/materials.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// The functions of a space of one more order, and those of level 4 for cells of order 3. Edges and faces of
/// such cells have them in all adjacent cells.
class NextFunctions {
 public:
  NextFunctions(const NedelecSpace& space, const Model& model);

  const NedelecSpace& space() const { return space_; }
  const mesh::Mesh& mesh() const { return *space_.mesh; }
  int level() const { return kin_.empty() ? space_.order : 4; }
  std::size_t size() const { return std::size_t(space_.num_dofs()) + kin_.size(); }
  /// Whether added functions up to level 3 are corrected by solves around edges: where some cells have order
  /// 2. In periodic cells, which are tied, and where no cell has it, the diagonal is used.
  bool is_corrected_by_stars(const Model& model) const { return has_order_two_ && model.periodicity.empty(); }
  /// For each function of level 4, numbered after those of the space: a function of lower level on the same
  /// edge, face or cell.
  const std::vector<Index>& kin() const { return kin_; }

  /// @param[out] functions [nedelec_dim(level())] their numbers, -1 where there is none
  void of_cell(Index cell, Index* functions) const;

 private:
  void add(Index& first, Index kin, int count);

  NedelecSpace space_;
  bool has_order_two_;
  std::vector<Index> edge_first_, face_first_, cell_first_, kin_;
};

/// Functions on periodic faces that are tied to each other form one unknown.
struct Tied {
  std::vector<Index> unknown;   ///< [functions], -1: none
  std::vector<Complex> factor;  ///< [functions] of the solutions
  std::vector<double> members;  ///< [unknowns] functions of each
};

/// @param frequency [Hz] of the phases between periodic faces
Tied tie(const NextFunctions& next, const Model& model, double frequency);

/// Functions at surfaces with boundary terms, which estimates leave out.
std::vector<char> functions_left_out(const NextFunctions& next, const Model& model,
                                     const std::vector<Index>& truncation);

/// For each function its unknown in the space of the solutions, -1 if it is an added one [functions].
std::vector<Index> own_unknowns(const NedelecSpace& space, const NextFunctions& next);

/// True where the solutions have values on metal, as scattered fields do; the form of the next space has no
/// rows and columns for them.
bool has_given_values(const NedelecSpace& space, const NextFunctions& next);

/// [unknowns] whether each is in the space of the solutions. @param own unknown of each function, -1: it is
/// added
std::vector<char> which_are_own(const std::vector<Index>& own, const Tied& tied);

/// Amplitudes of the functions, and the form's diagonal for them.
struct Surplus {
  std::vector<Complex> diagonal;  ///< [functions]
  Eigen::MatrixXcd amplitudes;    ///< [functions, columns]
};

/// Sums over the cells in their order, independent of the number of threads.
Surplus sum_over_cells(const NedelecSpace& space, const NextFunctions& next, const CellMaterials& materials,
                       double k0, const Eigen::MatrixXcd& x);

/// Materials of the dual problem, which have transposed tensors, and materials with the symmetric parts of
/// the form's tensors.
CellMaterials transposed(CellMaterials materials);
CellMaterials symmetric_part(CellMaterials materials);

/// The same by the form of a space with one more order.
template <class T>
Surplus by_form(const linalg::Csr<T>& form, const std::vector<Index>& own, const Eigen::MatrixXcd& x);

/// Amplitudes: residuals of the added functions divided by the diagonal, and the solutions' own coefficients
/// of the others; zero where terms are left out. @param functions residuals of all functions, without loads
/// @param own unknowns of the solutions, -1 for added ones
/// @param loads right-hand sides of the first columns [num_dofs, columns]; may be empty
/// @param num_dofs functions of the space, before those of level 4
Surplus amplitudes_of(Surplus functions, const Tied& tied, const std::vector<char>& out,
                      const std::vector<Index>& own, const Eigen::MatrixXcd& x, Eigen::Index first_dual,
                      const std::vector<Complex>& loads, Index num_dofs);

/// Residuals of the added unknowns, zero for the others [unknowns, columns].
Eigen::MatrixXcd residuals_of(const Surplus& surplus, const std::vector<char>& is_own);

/// curl w · μ⁻¹ curl w - k0² w · ε w.
template <class T>
linalg::Csr<T> form_of(const NedelecSpace& space, const CellMaterials& materials, double k0);

/// A function in a cell.
struct Member {
  std::size_t cell, unknown;
  int level;
  bool gradient;
};

/// Calls visit for every tested function of a cell that has an unknown.
template <class Visit>
void each_member(const NextFunctions& next, const Tied& tied, Index cell, const Visit& visit) {
  Index functions[fourth_cell_dim];
  next.of_cell(cell, functions);
  for (int level = 2; level <= next.level(); ++level)
    for (int a = nedelec_dim(level - 1); a < nedelec_dim(level); ++a) {
      const Index u = functions[a] < 0 ? -1 : tied.unknown[std::size_t(functions[a])];
      if (u >= 0) visit(Member{std::size_t(cell), std::size_t(u), level, is_gradient_of_fourth(a)});
    }
}

/// The same of every cell.
template <class Visit>
void each_member(const NextFunctions& next, const Tied& tied, const Visit& visit) {
  for (Index c = 0; c < next.mesh().num_cells(); ++c) each_member(next, tied, c, visit);
}

}  // namespace curlew::fem
