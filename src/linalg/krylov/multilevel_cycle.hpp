// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cycle of multilevel.hpp, one source for both backends. Included by the file of each backend.

#include <algorithm>
#include <functional>
#include <type_traits>

#include "base/error.hpp"
#include "linalg/krylov/multilevel.hpp"
#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

/// Columns of a matrix with leading dimension `stride`.
template <class V>
struct Columns {
  V* data;
  Offset stride;
  CURLEW_HD V& operator()(Offset row, Offset column) const { return data[column * stride + row]; }
  Columns from(Offset row) const { return {data + row, stride}; }
  operator Columns<const V>() const requires(!std::is_const_v<V>) { return {data, stride}; }
};

/// Adapts a body of (row, column) to a single index. Not a lambda, since GPU lambdas cannot be nested.
template <class Body>
struct EachOf {
  Offset rows, columns;
  Body body;
  CURLEW_HD void operator()(Offset i, Sum*) const {
    const Offset column = columns == 1 ? 0 : i / rows;
    body(i - column * rows, column);
  }
};

/// Applied to several columns at once, so that a matrix is read once for all.
template <class B, class R>
class MultilevelCycle {
 public:
  using V = complex<R>;
  using Host = Csr<std::complex<R>>;
  using Operator = typename B::template Operator<R>;
  using Vector = typename B::template Vector<R>;
  /// Copies a block into the memory of the backend.
  using Upload = std::function<std::unique_ptr<Operator>(const Host&)>;
  /// A sweep over the diagonal block of one order. Arguments: forward, r, z (improved in place), number of
  /// columns.
  using Sweep = std::function<void(bool, Columns<const V>, Columns<V>, Index)>;
  using MakeSweep = std::function<Sweep(const Host&)>;

  struct Level {
    Sweep sweep;
    std::unique_ptr<Operator> to_lower, from_lower;
    Index columns = 0;  // number of columns with allocated memory
    Vector product;     // [end, columns]
    Vector residual;    // [end, columns]
  };

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
      reserve(level, l, 1);
      levels_.push_back(std::move(level));
    }
  }

  /// Builds the cycle from existing levels above the lowest, without memory for columns.
  MultilevelCycle(B& backend, const std::vector<Index>& offsets, const Operator& coarse,
                  const MultilevelOptions& options, std::vector<Level> levels)
      : backend_(backend),
        options_(options),
        offsets_(offsets),
        coarse_(coarse),
        levels_(std::move(levels)) {}

  Index size() const { return offsets_.back(); }

  /// Z = M R, n columns
  void apply(Columns<const V> r, Columns<V> z, Index n) { solve(int(levels_.size()), r, z, n); }

  /// An approximate solution of the system of the orders up to `level`: z = M r.
  void solve(int level, Columns<const V> r, Columns<V> z, Index n) {
    if (level == 0) {
      apply(coarse_, r, z, n);
      return;
    }
    Level& l = levels_[level - 1];
    reserve(l, level, n);
    const Index begin = offsets_[level], count = offsets_[level + 1] - begin;
    const Columns<V> own = z.from(begin), residual = residual_of(l, level);
    each(count, n, [=] CURLEW_LAMBDA(Offset i, Offset c) { own(i, c) = V(); });
    for (int step = 0; step < options_.smoothing_steps; ++step) l.sweep(true, r.from(begin), own, n);
    // Lower orders: r - A z with the current z.
    subtract(*l.to_lower, begin, own, r, residual, l, n);
    solve(level - 1, residual, z, n);
    subtract(*l.from_lower, count, z, r.from(begin), residual.from(begin), l, n);
    for (int step = 0; step < options_.smoothing_steps; ++step) l.sweep(false, residual.from(begin), own, n);
  }

  // Public because GPU lambdas are not allowed in private functions.
  void reserve(Level& l, int level, Index n) {
    if (l.columns >= n) return;
    const Offset end = offsets_[level + 1];
    l.product = backend_.template vector<R>(end * n);
    l.residual = backend_.template vector<R>(end * n);
    l.columns = n;
  }
  Columns<V> residual_of(Level& l, int level) const { return {l.residual.data(), offsets_[level + 1]}; }

  /// body(row, column) for all of `rows` rows and n columns
  template <class Body>
  void each(Offset rows, Offset n, Body body) {
    backend_.sweep(rows * n, EachOf<Body>{rows, n, body});
  }

  /// y = A x
  void apply(const Operator& a, Columns<const V> x, Columns<V> y, Index n) {
    backend_.apply_many(a, x.data, x.stride, y.data, y.stride, n);
  }

  /// to = r - A x
  void subtract(const Operator& a, Offset rows, Columns<const V> x, Columns<const V> r, Columns<V> to,
                Level& l, Index n) {
    const Columns<V> product{l.product.data(), rows};
    apply(a, x, product, n);
    each(rows, n, [=] CURLEW_LAMBDA(Offset i, Offset c) { to(i, c) = r(i, c) - product(i, c); });
  }

 private:
  B& backend_;
  MultilevelOptions options_;
  std::vector<Index> offsets_;
  const Operator& coarse_;
  std::vector<Level> levels_;
};

/// @throws InputError as the constructors
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
