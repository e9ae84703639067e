// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// GCR with recycled search directions: directions p and orthonormal images q = A p are used for all
// right-hand sides of an operator. A start minimises the residual over them without a product; slow modes,
// which GMRES finds again for every right-hand side, are found once. Sources: Farhat, Crivelli and Roux
// (1994), Comput. Methods Appl. Mech. Eng. 117, 195 (several right-hand sides); Jiranek and Rozloznik (2010),
// Numer. Algorithms 53, 93 (the next direction from the residual, or from the last image if the residual
// stagnates: as stable as GMRES).

#include <algorithm>
#include <vector>

#include "linalg/krylov/method.hpp"
#include "linalg/krylov/pending_directions.hpp"

namespace curlew::linalg {

/// When an image is orthogonalised a second time to earlier ones.
enum class SecondPass { always, where_little_is_left };

/// S is the real type of stored vectors: single precision halves the memory, with directions accurate to
/// about 1e-5. The driver checks the true residual.
template <class B, class R, class S>
class KeptDirectionsMethod final : public Method<B, R> {
 public:
  using V = complex<R>;
  using Group = VectorGroup<S>;
  using Pending = PendingDirections<B, R, S>;
  /// @param most stored directions; a new one then replaces the oldest @param second_pass with
  /// where_little_is_left images are orthogonal to about 1e-5, in half of the sweeps
  KeptDirectionsMethod(KrylovContext<B, R>& context, int most, SecondPass second_pass = SecondPass::always)
      : c_(context),
        most_(most),
        second_pass_(second_pass),
        direction_(c_.vector()),
        image_(c_.vector()),
        pending_(c_, most),
        coefficients_(c_.backend.template vector<double>(2 * Offset(most))),
        directions_(std::size_t(most)),
        images_(std::size_t(most)) {}

  /// Computes x and r from the recycled directions.
  void start() override {
    if (pending_.count() > 0) forget();  // left by an iteration that failed
    KrylovState* const s = c_.state;
    const int kept = count();
    V *r = c_.r.data(), *x = c_.x.data();
    for (int first = 0; first < kept; first += Group::most) project(r, first, true);
    for (int first = 0; first < kept; first += Group::most) subtract(r, first);
    for (int first = 0; first < kept; first += Group::most) add(x, first);
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0].re += square(r[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->begin(::sqrt(sums[0].re)); });
  }

  void iterate() override {
    while (!c_.has_stopped()) {
      if (pending_.is_full()) settle();
      make_direction();
      const int kept = count();
      for (int pass = 0; pass == 0 || (pass == 1 && wants_second_pass()); ++pass) {
        for (int first = 0; first < kept; first += Group::most) project(image_.data(), first, pass == 0);
        for (int first = 0; first < kept; first += Group::most) subtract(image_.data(), first);
      }
      measure_image();
      if (c_.has_stopped()) return;  // no new direction, or NaN
      keep();
      advance();
    }
  }

  void flush() override {
    if (pending_.count() > 0) settle();
  }
  void forget() override { made_ = 0, pending_.clear(); }

  // Public because GPU lambdas are not allowed in private functions.

  /// p = M r/|r|, or M q of the last image q; q = A p
  void make_direction() {
    KrylovState* const s = c_.state;
    const V *r = c_.r.data(), *d = c_.diagonal();
    const complex<S>* last = made_ > 0 ? images_[std::size_t((made_ - 1) % most_)].data() : nullptr;
    V *from = image_.data(), *p = direction_.data();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const V v =
          s->takes_image && last != nullptr ? V{R(last[i].re), R(last[i].im)} : R(s->coefficient.re) * r[i];
      from[i] = v;
      p[i] = d != nullptr ? d[i] * v : v;
    });
    c_.precondition(from, p);
    c_.backend.apply(c_.a, static_cast<const V*>(p), from);
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0].re += square(from[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->length = ::sqrt(sums[0].re); });
  }

  /// q_k^H v of a group of images, and their sum over the passes.
  void project(const V* v, int first, bool is_new) {
    const Group q = group(images_, first);
    Sum *once = coefficients_.data(), *all = once + most_;
    c_.backend.template sweep<Group::most>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const Sum vi = widen(v[i]);
          for (int k = 0; k < Group::most; ++k) sums[k] += conj(widen(q.v[k][i])) * vi;
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          for (int k = 0; k < q.count; ++k) {
            once[first + k] = sums[k];
            all[first + k] = is_new ? sums[k] : all[first + k] + sums[k];
          }
        });
  }

  /// v -= a group of images times the coefficients of the last pass.
  void subtract(V* v, int first) {
    const Group u = group(images_, first);
    const Sum* c = coefficients_.data() + first;
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      V vi = v[i];
      for (int k = 0; k < Group::most; ++k)
        vi -= narrow<R>(u.coefficient(c, k)) * V{R(u.v[k][i].re), R(u.v[k][i].im)};
      v[i] = vi;
    });
  }
  void add(V* x, int first) {
    const Group u = group(directions_, first);
    const Sum* c = coefficients_.data() + first;
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      V xi = x[i];
      for (int k = 0; k < Group::most; ++k)
        xi += narrow<R>(u.coefficient(c, k)) * V{R(u.v[k][i].re), R(u.v[k][i].im)};
      x[i] = xi;
    });
  }

  /// If the first orthogonalisation leaves a small part of an image, it contains rounding errors of the full
  /// image.
  bool wants_second_pass() {
    if (second_pass_ == SecondPass::always) return true;
    constexpr double little = 0.2;
    KrylovState* const s = c_.state;
    const V* q = image_.data();
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0].re += square(q[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->left = ::sqrt(sums[0].re); });
    const KrylovState now = c_.look();
    return !(now.left > little * now.length);
  }

  /// Norm of the rest of the image; stops if it is at rounding level.
  void measure_image() {
    KrylovState* const s = c_.state;
    const V* q = image_.data();
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0].re += square(q[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          const double left = ::sqrt(sums[0].re);
          constexpr double rounding = sizeof(S) == sizeof(float) ? 1e-6 : 1e-14;
          if (!is_finite(left) || !is_finite(s->length))
            s->stop = stop_not_finite;
          else if (left <= rounding * s->length)
            s->stop = stop_breakdown;
          s->length = left;
        });
  }

  /// Stores the image divided by its norm |q| in place of the oldest, the direction divided by |q| as
  /// pending, and the step along it.
  void keep() {
    const auto slot = std::size_t(made_ % most_);
    const int kept = count();
    if (Offset(images_[slot].size()) < c_.n) images_[slot] = c_.backend.template vector<S>(c_.n);
    KrylovState* const s = c_.state;
    const V *p = direction_.data(), *q = image_.data(), *r = c_.r.data();
    complex<S>*kept_p = pending_.next(), *kept_q = images_[slot].data();
    Sum* const step = pending_.next_step();
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const R scale = R(1 / s->length);
          const V pi = scale * p[i], qi = scale * q[i];
          kept_p[i] = {S(pi.re), S(pi.im)};
          kept_q[i] = {S(qi.re), S(qi.im)};
          sums[0] += conj(widen(kept_q[i])) * widen(r[i]);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->alpha = *step = sums[0]; });
    pending_.add(int(slot), coefficients_.data() + most_, kept);
    ++made_;
  }

  /// r -= alpha q
  void advance() {
    const auto slot = std::size_t((made_ - 1) % most_);
    KrylovState* const s = c_.state;
    const complex<S>* q = images_[slot].data();
    V* r = c_.r.data();
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const V ri = r[i] - narrow<R>(s->alpha) * V{R(q[i].re), R(q[i].im)};
          r[i] = ri;
          sums[0].re += square(ri);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          constexpr double stays = 0.99;  // ratio of residuals: a further step from it would hardly gain
          const double before = s->residual;
          s->finish_iteration(sums[0].re);
          s->takes_image = s->residual > stays * before;
          s->coefficient = Sum(1 / ::sqrt(sums[0].re));
        });
  }

 private:
  using Vectors = std::vector<typename B::template Vector<S>>;

  Group group(Vectors& vectors, int first) const { return Group::of(vectors, first, count()); }
  /// Adds pending directions to the recycled ones, and their steps to x.
  void settle() {
    const auto before = std::min<Offset>(made_ - pending_.count(), most_);
    pending_.settle(directions_, int(before), c_.x.data());
  }
  int count() const { return int(std::min<Offset>(made_, most_)); }

  KrylovContext<B, R>& c_;
  int most_;
  SecondPass second_pass_;
  Offset made_ = 0;  ///< number made since the last forget
  typename B::template Vector<R> direction_, image_;
  Pending pending_;
  typename B::template Vector<double> coefficients_;  // [2 most]: of the last pass, sum of all passes
  Vectors directions_, images_;                       // [most], number i in i % most
};

}  // namespace curlew::linalg
