// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/panel_steps.hpp"

#include <map>
#include <string>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

/// The exchanges of a panel's pivots, one after the other, as moves that take place at once.
/// @param pivots [count] rows from 1, counted from `first` @returns rows of the matrix
std::vector<RowMove> moves_of(const int* pivots, Offset count, Offset first) {
  std::map<int, int> content;  // row -> the row whose values it holds now
  const auto at = [&](int row) -> int& { return content.try_emplace(row, row).first->second; };
  for (Offset i = 0; i < count; ++i) std::swap(at(int(first + i)), at(int(first + pivots[i] - 1)));
  std::vector<RowMove> moves;
  for (const auto& [to, from] : content) {
    if (to != from) moves.push_back({to, from});
  }
  return moves;
}

}  // namespace

std::vector<RowMove> factor_panel(PanelArithmetic& machine, PanelView below, Offset first, int* pivots) {
  const int zero = machine.factor(below, pivots);
  if (zero > 0)
    throw NumericalError("the matrix is singular: pivot " + std::to_string(first + zero) + " of " +
                         std::to_string(first + below.rows) + " is zero");
  auto moves = moves_of(pivots, below.columns, first);
  for (Offset i = 0; i < below.columns; ++i) pivots[i] += int(first);
  return moves;
}

void solve_lower(PanelArithmetic& machine, bool adjoint, PanelView lower, Offset first, PanelView x) {
  const Offset width = lower.columns, rest = lower.rows - width;
  const PanelView own = x.block(first, 0, width, x.columns),
                  below = x.block(first + width, 0, rest, x.columns),
                  factors_below = lower.block(width, 0, rest, width);
  if (adjoint && rest > 0) machine.subtract_product(true, factors_below, below, own);
  machine.solve_triangle(Triangle::unit_lower, adjoint, lower.block(0, 0, width, width), own);
  if (!adjoint && rest > 0) machine.subtract_product(false, factors_below, own, below);
}

void solve_upper(PanelArithmetic& machine, bool adjoint, PanelView upper, Offset first, PanelView x) {
  const Offset width = upper.columns;
  const PanelView own = x.block(first, 0, width, x.columns), above = x.block(0, 0, first, x.columns),
                  factors_above = upper.block(0, 0, first, width);
  if (adjoint && first > 0) machine.subtract_product(true, factors_above, above, own);
  machine.solve_triangle(Triangle::upper, adjoint, upper.block(first, 0, width, width), own);
  if (!adjoint && first > 0) machine.subtract_product(false, factors_above, own, above);
}

}  // namespace curlew::linalg
