// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/panel_lu.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "linalg/dense/panel_steps.hpp"

namespace curlew::linalg {

PanelLu::PanelLu(PanelMachine& machine, Offset n, PanelLayout layout)
    : machine_(machine),
      n_(n),
      layout_(layout),
      num_panels_(int((n + layout.panel - 1) / layout.panel)),
      pivots_(std::size_t(n)) {}

Offset PanelLu::width_of(int panel) const {
  return std::min(layout_.panel, n_ - first_of(panel));
}

std::vector<PanelLu::Strip> PanelLu::strips_of(int panel) const {
  std::vector<Strip> out;
  const Offset end = first_of(panel) + width_of(panel);
  for (Offset c = first_of(panel); c < end; c += layout_.strip)
    out.push_back({c, std::min(layout_.strip, end - c)});
  return out;
}

/// The panel to the left is still on the machine when its factors are needed; all others are read in strips.
std::vector<Transfer> PanelLu::factor_order() const {
  std::vector<Transfer> order;
  for (int p = 0; p < num_panels_; ++p) {
    order.push_back({TransferKind::panel, first_of(p), width_of(p), 0, n_});
    for (int q = 0; q + 1 < p; ++q)
      for (const Strip s : strips_of(q)) order.push_back(lower(s));
  }
  return order;
}

/// Strips of panels that stay on the machine need no transfer.
void PanelLu::expect(std::vector<Transfer> order) {
  std::erase_if(order,
                [&](const Transfer& t) { return t.kind == TransferKind::strip && stays(panel_of(t.first)); });
  machine_.expect(std::move(order));
}

/// Part of a panel that stayed, or the next one that the machine brings.
PanelView PanelLu::borrow(const Transfer& t) {
  const int panel = panel_of(t.first);
  if (!stays(panel)) return machine_.take();
  return resident_.at(std::size_t(panel)).block(t.top, t.first - first_of(panel), t.bottom - t.top, t.width);
}

void PanelLu::release(const Transfer& t) {
  if (!stays(panel_of(t.first))) machine_.drop(TransferKind::strip);
}

void PanelLu::apply(int panel, PanelView x) {
  machine_.move_rows(x, panel, false);
  for (const Strip s : strips_of(panel)) {
    check_interrupt();
    solve_lower(machine_, false, borrow(lower(s)), s.first, x);
    release(lower(s));
  }
}

/// @param factors whole columns of the panel
void PanelLu::apply_left(int panel, PanelView factors, PanelView x) {
  machine_.move_rows(x, panel, false);
  for (const Strip s : strips_of(panel))
    solve_lower(machine_, false, factors.block(s.first, s.first - first_of(panel), n_ - s.first, s.width),
                s.first, x);
}

void PanelLu::factor_panel(int panel, PanelView columns) {
  const Offset first = first_of(panel);
  const PanelView below = columns.block(first, 0, n_ - first, width_of(panel));
  machine_.keep_moves(linalg::factor_panel(machine_, below, first, pivots_.data() + first));
}

void PanelLu::factor() {
  expect(factor_order());
  PanelView left;
  for (int p = 0; p < num_panels_; ++p) {
    check_interrupt();
    const PanelView panel = machine_.take();
    for (int q = 0; q + 1 < p; ++q) apply(q, panel);
    if (p > 0) {
      apply_left(p - 1, left, panel);
      if (!stays(p - 1)) machine_.drop(TransferKind::panel);
    }
    factor_panel(p, panel);
    if (stays(p))
      resident_.push_back(panel);
    else
      machine_.store(panel, first_of(p));
    left = panel;
  }
  if (!stays(num_panels_ - 1)) machine_.drop(TransferKind::panel);
  machine_.finish_stores();
}

void PanelLu::solve(Complex* b, int num_rhs, bool adjoint) {
  const PanelView x = machine_.load_right_sides(b, num_rhs);
  if (adjoint)
    solve_adjoint(x);
  else
    solve_plain(x);
  machine_.fetch_right_sides(x, b);
}

void PanelLu::solve_plain(PanelView x) {
  std::vector<Strip> all;
  for (int p = 0; p < num_panels_; ++p)
    for (const Strip s : strips_of(p)) all.push_back(s);
  std::vector<Transfer> order;
  for (const Strip s : all) order.push_back(lower(s));
  std::reverse(all.begin(), all.end());
  for (const Strip s : all) order.push_back(upper(s));
  expect(std::move(order));
  for (int p = 0; p < num_panels_; ++p) apply(p, x);
  for (const Strip s : all) {
    solve_upper(machine_, false, borrow(upper(s)), s.first, x);
    release(upper(s));
  }
}

/// A^-H = P_0' L_0^-H P_1' L_1^-H ... U^-H.
void PanelLu::solve_adjoint(PanelView x) {
  std::vector<Transfer> order;
  for (int p = 0; p < num_panels_; ++p)
    for (const Strip s : strips_of(p)) order.push_back(upper(s));
  for (int p = num_panels_ - 1; p >= 0; --p) {
    const auto strips = strips_of(p);
    for (auto s = strips.rbegin(); s != strips.rend(); ++s) order.push_back(lower(*s));
  }
  expect(std::move(order));
  for (int p = 0; p < num_panels_; ++p) {
    for (const Strip s : strips_of(p)) {
      solve_upper(machine_, true, borrow(upper(s)), s.first, x);
      release(upper(s));
    }
  }
  for (int p = num_panels_ - 1; p >= 0; --p) {
    const auto strips = strips_of(p);
    for (auto s = strips.rbegin(); s != strips.rend(); ++s) {
      solve_lower(machine_, true, borrow(lower(*s)), s->first, x);
      release(lower(*s));
    }
    machine_.move_rows(x, p, true);
  }
}

}  // namespace curlew::linalg
