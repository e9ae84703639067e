// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cycle of multilevel.hpp, one text for both backends. Included by the file of each backend.

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "linalg/krylov/multilevel.hpp"
#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

template <class B, class R>
class MultilevelCycle {
 public:
  using V = complex<R>;
  using Host = Csr<std::complex<R>>;
  using Operator = typename B::template Operator<R>;
  using Vector = typename B::template Vector<R>;
  /// Brings a block into the memory of the backend.
  using Upload = std::function<std::unique_ptr<Operator>(const Host&)>;
  /// A sweep over one order's own block: forward, r, z (improved in place).
  using Sweep = std::function<void(bool, const V*, V*)>;
  using MakeSweep = std::function<Sweep(const Host&)>;

  MultilevelCycle(B& backend, const Host& a, const std::vector<Index>& offsets, const Operator& coarse,
                  const MultilevelOptions& options, const Upload& upload, const MakeSweep& make_sweep)
      : backend_(backend), options_(options), offsets_(offsets), coarse_(coarse) {
    const int levels = int(offsets.size()) - 1;
    for (int l = 1; l < levels; ++l) {
      const Index begin = offsets[l], end = offsets[l + 1];
      Level level;
      level.sweep = make_sweep(block(a, begin, end, begin, end));
      level.to_lower = upload(block(a, 0, begin, begin, end));
      level.from_lower = upload(block(a, begin, end, 0, begin));
      const bool is_w = options.cycle == MultilevelOptions::Cycle::w;
      if (is_w && l > 1) level.lower = upload(block(a, 0, begin, 0, begin));
      level.product = backend.template vector<R>(end);
      level.residual = backend.template vector<R>(end);
      level.correction = backend.template vector<R>(begin);
      levels_.push_back(std::move(level));
    }
  }

  Index size() const { return offsets_.back(); }

  /// z = M r
  void apply(const V* r, V* z) { solve(int(levels_.size()), r, z); }

  /// An approximate solution of the system of the orders up to `level`: z = M r.
  void solve(int level, const V* r, V* z) {
    if (level == 0) {
      backend_.apply(coarse_, r, z);
      return;
    }
    Level& l = levels_[level - 1];
    const Index begin = offsets_[level], count = offsets_[level + 1] - begin;
    clear(count, z + begin);
    for (int step = 0; step < options_.smoothing_steps; ++step) l.sweep(true, r + begin, z + begin);
    // Lower orders: r - A z of what is there already, once or (W) twice.
    residual_below(l, begin, r, z + begin);
    solve(level - 1, l.residual.data(), z);
    if (l.lower != nullptr) second_visit(level, l, begin, z);
    residual_above(l, begin, count, r, z);
    for (int step = 0; step < options_.smoothing_steps; ++step)
      l.sweep(false, l.residual.data() + begin, z + begin);
  }

  // Public because lambdas for the GPU may not stand in private functions.
  struct Level {
    Sweep sweep;
    std::unique_ptr<Operator> to_lower, from_lower;
    std::unique_ptr<Operator> lower;  // all orders below, for the W cycle
    Vector product;                   // [end]
    Vector residual;                  // [end]
    Vector correction;                // [begin]
  };

  void clear(Index count, V* z) {
    backend_.sweep(count, [=] CURLEW_LAMBDA(Offset i, Sum*) { z[i] = V(); });
  }

  /// residual of the lower orders: r - A_lower,own z
  void residual_below(Level& l, Index begin, const V* r, const V* z) {
    V *residual = l.residual.data(), *product = l.product.data();
    backend_.apply(*l.to_lower, z, product);
    backend_.sweep(begin, [=] CURLEW_LAMBDA(Offset i, Sum*) { residual[i] = r[i] - product[i]; });
  }

  /// residual of the own order without the own part: r - A_own,lower z_lower
  void residual_above(Level& l, Index begin, Index count, const V* r, const V* z) {
    V *residual = l.residual.data() + begin, *product = l.product.data();
    backend_.apply(*l.from_lower, z, product);
    const V* own = r + begin;
    backend_.sweep(count, [=] CURLEW_LAMBDA(Offset i, Sum*) { residual[i] = own[i] - product[i]; });
  }

  /// The orders below once more, on the residual that the first visit has left (W cycle).
  void second_visit(int level, Level& l, Index begin, V* z) {
    V *residual = l.residual.data(), *product = l.product.data(), *correction = l.correction.data();
    backend_.apply(*l.lower, static_cast<const V*>(z), product);
    backend_.sweep(begin, [=] CURLEW_LAMBDA(Offset i, Sum*) { residual[i] = residual[i] - product[i]; });
    solve(level - 1, residual, correction);
    backend_.sweep(begin, [=] CURLEW_LAMBDA(Offset i, Sum*) { z[i] += correction[i]; });
  }

 private:
  B& backend_;
  MultilevelOptions options_;
  std::vector<Index> offsets_;
  const Operator& coarse_;
  std::vector<Level> levels_;
};

/// @throws InputError for what the constructors refuse
inline void check_multilevel(Index rows, Index cols, const std::vector<Index>& offsets, Index coarse,
                             const MultilevelOptions& o) {
  const bool fits =
      offsets.size() >= 2 && offsets.size() <= 4 && offsets.front() == 0 && offsets.back() == rows;
  if (rows != cols || !fits || !std::is_sorted(offsets.begin(), offsets.end())) {
    throw InputError("multilevel: the orders must divide a square matrix into one to three blocks");
  }
  if (coarse != offsets[1])
    throw InputError("multilevel: the coarse solver must have the size of the lowest order");
  if (o.smoothing_steps < 1) throw InputError("multilevel: smoothing steps must be positive");
}

}  // namespace curlew::linalg
