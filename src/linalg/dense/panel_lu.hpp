// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LU with partial pivoting of a matrix that does not fit on the machine that factors it, panel by panel.
// Left-looking: a panel is brought, updated with all factors to its left, which are read in strips, factored
// and stored once. The first panels, which are read most often, may stay on the machine: their strips are
// parts of them, and nothing of them is brought again. Source: D'Azevedo and Dongarra (2000), Concurrency:
// Pract. Exper. 12, 1481 (the out-of-core LU of ScaLAPACK).

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

}  // namespace curlew::linalg
