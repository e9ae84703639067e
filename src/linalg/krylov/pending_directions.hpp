// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Directions of the last steps that are not yet orthogonalised to earlier ones. Orthogonalising one direction
// takes a sweep over all stored vectors; eight together take only about twice as long.

#include <algorithm>
#include <vector>

#include "linalg/krylov/method.hpp"
#include "linalg/krylov/vector_group.hpp"

namespace curlew::linalg {

/// R is the real type of the iteration, S that of stored vectors.
template <class B, class R, class S>
class PendingDirections {
 public:
  using V = complex<R>;
  using Vector = typename B::template Vector<S>;
  using Group = VectorGroup<S>;
  static constexpr int most = Group::most;
  struct Slots {
    int of[most];
  };

  /// @param kept largest number of recycled directions
  PendingDirections(KrylovContext<B, R>& context, int kept)
      : c_(context),
        kept_(kept),
        of_kept_(c_.backend.template vector<double>(Offset(most) * kept)),
        of_pending_(c_.backend.template vector<double>(most * most)),
        steps_(c_.backend.template vector<double>(most)),
        vectors_(most) {}

  int count() const { return int(slots_.size()); }
  bool is_full() const { return count() == std::min(most, kept_); }
  void clear() { slots_.clear(); }

  /// Memory for the next direction, divided by the norm of its image, and for the step along it.
  complex<S>* next() {
    Vector& v = vectors_[std::size_t(count())];
    if (Offset(v.size()) < c_.n) v = c_.backend.template vector<S>(c_.n);
    return v.data();
  }
  Sum* next_step() { return steps_.data() + count(); }

  /// Accepts the written direction. @param slot its index among the recycled ones @param taken [num_kept]
  /// coefficients of its image on existing images
  void add(int slot, const Sum* taken, int num_kept) {
    const int number = count();
    Slots slots{};
    std::copy(slots_.begin(), slots_.end(), slots.of);
    KrylovState* const s = c_.state;
    Sum *of_kept = of_kept_.data() + Offset(number) * kept_, *of_pending = of_pending_.data() + number * most;
    c_.backend.sweep(num_kept, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      of_kept[i] = Sum(1 / s->length) * taken[i];
      for (int e = 0; e < number; ++e) {
        if (slots.of[e] != int(i)) continue;
        of_pending[e] = of_kept[i];
        of_kept[i] = Sum();
      }
    });
    slots_.push_back(slot);
  }

  /// Moves all to the recycled directions, and adds their steps to x. @param directions [kept] @param before
  /// number of existing ones
  void settle(std::vector<Vector>& directions, int before, V* x) {
    const Group pending = Group::of(vectors_, 0, count());
    for (int first = 0; first < before; first += most)
      subtract(pending, Group::of(directions, first, before), of_kept_.data() + first);
    Group settled;
    for (const int slot : slots_) {
      Vector& to = directions[std::size_t(slot)];
      if (Offset(to.size()) < c_.n) to = c_.backend.template vector<S>(c_.n);
      settled.add(to.data());
    }
    subtract_each_other(pending, settled, x);
    slots_.clear();
  }

  // Public because GPU lambdas are not allowed in private functions.

  void subtract(const Group& pending, const Group& kept, const Sum* of_kept) {
    const int stride = kept_;
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      V of[most];
      for (int k = 0; k < most; ++k) of[k] = V{R(kept.v[k][i].re), R(kept.v[k][i].im)};
      for (int d = 0; d < pending.count; ++d) {
        const Sum* c = of_kept + Offset(d) * stride;
        V v{R(pending.v[d][i].re), R(pending.v[d][i].im)};
        for (int k = 0; k < most; ++k) v -= narrow<R>(kept.coefficient(c, k)) * of[k];
        pending.v[d][i] = {S(v.re), S(v.im)};
      }
    });
  }

  void subtract_each_other(const Group& pending, const Group& settled, V* x) {
    const Sum *of_pending = of_pending_.data(), *steps = steps_.data();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      V v[most], xi = x[i];
      for (int d = 0; d < most; ++d) {
        if (d >= pending.count) continue;
        v[d] = V{R(pending.v[d][i].re), R(pending.v[d][i].im)};
        for (int e = 0; e < d; ++e) v[d] -= narrow<R>(of_pending[d * most + e]) * v[e];
        settled.v[d][i] = {S(v[d].re), S(v[d].im)};
        xi += narrow<R>(steps[d]) * v[d];
      }
      x[i] = xi;
    });
  }

 private:
  KrylovContext<B, R>& c_;
  int kept_;
  typename B::template Vector<double> of_kept_;     // [most, kept]
  typename B::template Vector<double> of_pending_;  // [most, most]
  typename B::template Vector<double> steps_;       // [most]
  std::vector<Vector> vectors_;                     // [most]
  std::vector<int> slots_;                          // of those that are pending
};

}  // namespace curlew::linalg
