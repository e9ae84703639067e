// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/shared_lu.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/error.hpp"
#include "linalg/dense/panel_steps.hpp"

namespace curlew::linalg {

Offset shared_columns(Offset n, Offset width, int members, int member) {
  Offset columns = 0;
  for (Offset c = member * width; c < n; c += members * width) columns += std::min(width, n - c);
  return columns;
}

Offset shared_width(Offset n, int members) {
  return std::clamp<Offset>(n / (4 * members), 64, 512);
}

SharedLu::SharedLu(std::vector<PanelMember*> members, std::vector<FormColumns> forms, Offset n, Offset width)
    : members_(std::move(members)),
      forms_(std::move(forms)),
      n_(n),
      width_(width),
      num_panels_(int((n + width - 1) / width)),
      pivots_(std::size_t(n)),
      moves_(std::size_t(num_panels_)) {}

Offset SharedLu::width_of(int panel) const {
  return std::min(width_, n_ - first_of(panel));
}

/// Whole columns, with the owner.
PanelView SharedLu::panel_of(int panel) {
  return member(owner(panel)).own().block(0, panel / num_members() * width_, n_, width_of(panel));
}

PanelView SharedLu::below(int panel, PanelView whole) const {
  return whole.block(first_of(panel), 0, n_ - first_of(panel), width_of(panel));
}

/// Whole columns of a member's panels to the right of this one.
PanelView SharedLu::behind(int m, int panel) {
  const PanelView own = member(m).own();
  const Offset begin = std::min(own.columns, (panel + num_members() - m) / num_members() * width_);
  return own.block(0, begin, n_, own.columns - begin);
}

void SharedLu::fail() {
  {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  changed_.notify_all();
}

/// @throws what went wrong in any of them, when all have ended
void SharedLu::each_member(const std::function<void(int)>& work) {
  error_ = nullptr;
  std::vector<std::thread> threads;
  try {
    for (int m = 0; m < num_members(); ++m)
      threads.emplace_back([&, m] {
        try {
          member(m).run([&] { work(m); });
        } catch (...) {
          fail();
        }
      });
  } catch (...) {  // no thread can be started
    fail();
  }
  for (auto& thread : threads) thread.join();
  if (error_) std::rethrow_exception(error_);
}

void SharedLu::wait_for(int panel) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || published_ > panel; });
  if (error_) std::rethrow_exception(error_);
}

void SharedLu::publish(int panel) {
  const PanelView rows = below(panel, panel_of(panel));
  moves_[std::size_t(panel)] =
      factor_panel(member(owner(panel)), rows, first_of(panel), pivots_.data() + first_of(panel));
  {
    const std::lock_guard lock(mutex_);
    published_ = panel + 1;
  }
  changed_.notify_all();
}

/// Rows [first, n) of a published panel, in a member's memory.
/// @param received panels copied so far. The memory of the one before the last is reused: the work that reads
/// it was queued before the last copy
PanelView SharedLu::borrow(int m, int panel, int& received) {
  const PanelView from = below(panel, panel_of(panel));
  if (owner(panel) == m) return from;
  const PanelView to = below(panel, member(m).spare(received++ % 2));
  member(m).receive(from, to);
  return to;
}

void SharedLu::factor_share(int m) {
  PanelMember& machine = member(m);
  for (int p = m; p < num_panels_; p += num_members()) {
    check_interrupt();
    form(m, p, panel_of(p));
  }
  if (m == 0) publish(0);
  int received = 0;
  for (int p = 0; p < num_panels_; ++p) {
    check_interrupt();
    wait_for(p);
    PanelView rest = behind(m, p);
    const PanelView factors = rest.columns > 0 ? borrow(m, p, received) : PanelView{};
    machine.keep_moves(moves_[std::size_t(p)]);
    const auto update = [&](PanelView x) {
      machine.move_rows(x, p, false);
      solve_lower(machine, false, factors, first_of(p), x);
    };
    if (p + 1 < num_panels_ && owner(p + 1) == m) {
      const Offset next = width_of(p + 1);
      update(rest.block(0, 0, n_, next));
      publish(p + 1);
      rest = rest.block(0, next, n_, rest.columns - next);
    }
    if (rest.columns > 0) update(rest);
  }
}

void SharedLu::factor() {
  each_member([&](int m) { factor_share(m); });
}

/// The right-hand sides go from owner to owner.
void SharedLu::solve(Complex* b, int num_rhs, bool adjoint) {
  std::vector<PanelView> x;
  for (PanelMember* m : members_) m->run([&] { x.push_back(m->load_right_sides(b, num_rhs)); });
  int at = 0;
  const auto visit = [&](int panel, const auto& step) {
    check_interrupt();
    const int m = owner(panel);
    const PanelView here = x[std::size_t(m)];
    member(m).run([&] {
      if (m != at) member(m).receive(x[std::size_t(at)], here);
      step(member(m), panel_of(panel), here);
    });
    at = m;
  };
  const auto lower = [&](int p) {
    visit(p, [&](PanelMember& m, PanelView factors, PanelView own) {
      if (!adjoint) m.move_rows(own, p, false);
      solve_lower(m, adjoint, below(p, factors), first_of(p), own);
      if (adjoint) m.move_rows(own, p, true);
    });
  };
  const auto upper = [&](int p) {
    visit(p, [&](PanelMember& m, PanelView factors, PanelView own) {
      const Offset end = first_of(p) + width_of(p);
      solve_upper(m, adjoint, factors.block(0, 0, end, factors.columns), first_of(p), own);
    });
  };
  for (int p = 0; p < num_panels_; ++p) adjoint ? upper(p) : lower(p);
  for (int p = num_panels_ - 1; p >= 0; --p) adjoint ? lower(p) : upper(p);
  member(at).run([&] { member(at).fetch_right_sides(x[std::size_t(at)], b); });
}

double SharedLu::subtract_product(const Complex* x, Complex* rest, int count) {
  const auto size = std::size_t(n_ * count);
  std::vector<std::vector<Complex>> parts(members_.size(), std::vector<Complex>(size));
  std::vector<double> norms(members_.size());
  each_member([&](int m) {
    PanelMember& machine = member(m);
    auto& part = parts[std::size_t(m)];
    double& norm = norms[std::size_t(m)];
    std::vector<Complex> both(part);  // zeros
    both.insert(both.end(), x, x + size);
    const PanelView all = machine.load_right_sides(both.data(), 2 * count);
    const PanelView sum = all.block(0, 0, n_, count), known = all.block(0, count, n_, count);
    for (int p = m, i = 0; p < num_panels_; p += num_members(), i = 1 - i) {
      check_interrupt();
      const PanelView a = machine.spare(i).block(0, 0, n_, width_of(p));
      form(m, p, a);
      const double of_panel = machine.norm1(a);  // waits for the product before
      norm = std::isfinite(of_panel) ? std::max(norm, of_panel) : HUGE_VAL;
      machine.subtract_product(false, a, known.block(first_of(p), 0, width_of(p), count), sum);
    }
    machine.fetch_right_sides(sum, part.data());
  });
  for (const auto& part : parts)
    for (std::size_t i = 0; i < size; ++i) rest[i] += part[i];
  return *std::max_element(norms.begin(), norms.end());
}

}  // namespace curlew::linalg
