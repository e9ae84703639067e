// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LU with partial pivoting, panel by panel, of a matrix that does not fit into the memory of the machine
// (PanelMachine, e.g. a GPU) that factorises it. Left-looking: a panel is loaded, updated with all factors to
// its left, which are read in strips, factorised and stored once. The first panels, which are read most
// often, may stay on the machine and are then not loaded again. Rows of factored panels are not exchanged
// again; each panel's exchanges come before its elimination, as in LINPACK's factors. Source: D'Azevedo and
// Dongarra (2000), Concurrency: Pract. Exper. 12, 1481 (the out-of-core LU of ScaLAPACK).

#include <vector>

#include "linalg/dense/panel_machine.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

class PanelLu {
 public:
  /// @param n >= 1 @param machine outlives this object; it has the matrix and the layout
  PanelLu(PanelMachine& machine, Offset n, PanelLayout layout);

  /// @throws NumericalError if a pivot is zero
  void factor();
  /// b = A^-1 b, or A^-H b if `adjoint`. @pre factored @param[in,out] b [n, num_rhs]
  void solve(Complex* b, int num_rhs, bool adjoint);
  /// As LAPACK's getrf: row i was exchanged with this one, from 1.
  const std::vector<int>& pivots() const { return pivots_; }
  /// The factors of the panels that stay on the machine, from the left.
  const std::vector<PanelView>& resident() const { return resident_; }

 private:
  struct Strip {
    Offset first, width;
  };
  Offset first_of(int panel) const { return panel * layout_.panel; }
  Offset width_of(int panel) const;
  std::vector<Strip> strips_of(int panel) const;
  Transfer lower(Strip s) const { return {TransferKind::strip, s.first, s.width, s.first, n_}; }
  Transfer upper(Strip s) const { return {TransferKind::strip, s.first, s.width, 0, s.first + s.width}; }
  int panel_of(Offset column) const { return int(column / layout_.panel); }
  bool stays(int panel) const { return panel < layout_.resident; }
  std::vector<Transfer> factor_order() const;
  void expect(std::vector<Transfer> order);
  PanelView borrow(const Transfer& strip);
  void release(const Transfer& strip);
  void eliminate(PanelView lower, Strip s, PanelView x);
  void apply(int panel, PanelView x);
  void apply_left(int panel, PanelView factors, PanelView x);
  void factor_panel(int panel, PanelView columns);
  void solve_plain(PanelView x);
  void solve_adjoint(PanelView x);

  PanelMachine& machine_;
  Offset n_;
  PanelLayout layout_;
  int num_panels_;
  std::vector<int> pivots_;
  std::vector<PanelView> resident_;
};

/// The row exchanges of a panel's pivots combined into one permutation.
/// @param pivots [count] rows from 1, counted from `first` @returns rows of the matrix
std::vector<RowMove> moves_of(const int* pivots, Offset count, Offset first);

}  // namespace curlew::linalg
