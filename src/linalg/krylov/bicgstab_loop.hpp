// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// BiCGSTAB with right preconditioning, its vector work fused into five sweeps.
// Source: H. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631; Y. Saad, Iterative Methods (2003),
// alg. 7.7. Bytes of an iteration besides the two products, in vectors: p-update 4, (r0, v) 2, s-update 3,
// (t, s) 2, x and r with their sums 8; M pointwise adds 2 writes and 2 reads.

#include "linalg/krylov/method.hpp"

namespace curlew::linalg {

template <class B, class R>
class BicgstabMethod final : public Method<B, R> {
 public:
  using V = complex<R>;
  explicit BicgstabMethod(KrylovContext<B, R>& context)
      : c_(context),
        shadow_(c_.vector()),
        p_(c_.vector()),
        v_(c_.vector()),
        t_(c_.vector()),
        p_hat_(c_.hat_vector()),
        s_hat_(c_.hat_vector()) {}

  void start() override {
    KrylovState* const s = c_.state;
    const V* r = c_.r.data();
    V *shadow = shadow_.data(), *p = p_.data(), *v = v_.data();
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          shadow[i] = r[i], p[i] = V(), v[i] = V();
          sums[0].re += square(r[i]);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          s->rho = sums[0], s->beta = Sum(), s->omega = Sum(1), s->alpha = Sum(1);
        });
  }

  void iterate() override {
    update_p();
    update_s();
    update_x();
  }

  /// p = r + beta (p - omega v), v = A M p, alpha = rho / (r0, v)
  void update_p() {
    const KrylovState* const s = c_.state;
    const V *r = c_.r.data(), *v = v_.data(), *d = c_.diagonal();
    V *p = p_.data(), *hat = p_hat_.data();
    c_.backend.map(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i) {
          const V next = r[i] + narrow<R>(s->beta) * (p[i] - narrow<R>(s->omega) * v[i]);
          return Preconditioned<R>{next, d != nullptr ? d[i] * next : V()};
        },
        [=] CURLEW_LAMBDA(Offset i, Preconditioned<R> next) {
          p[i] = next.value;
          if (d != nullptr) hat[i] = next.hat;
        });
    c_.precondition(p, hat);
    c_.backend.apply(c_.a, c_.hat_of(p, p_hat_), v_.data());
    KrylovState* const state = c_.state;
    const V* shadow = shadow_.data();
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0] += inner(shadow[i], v[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) { state->alpha = state->divide(state->rho, sums[0]); });
  }

  /// s = r - alpha v (in r), t = A M s, omega = (t, s) / (t, t)
  void update_s() {
    KrylovState* const s = c_.state;
    const V *v = v_.data(), *d = c_.diagonal(), *t = t_.data();
    V *r = c_.r.data(), *hat = s_hat_.data();
    c_.backend.map(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i) {
          const V next = r[i] - narrow<R>(s->alpha) * v[i];
          return Preconditioned<R>{next, d != nullptr ? d[i] * next : V()};
        },
        [=] CURLEW_LAMBDA(Offset i, Preconditioned<R> next) {
          r[i] = next.value;
          if (d != nullptr) hat[i] = next.hat;
        });
    c_.precondition(r, hat);
    c_.backend.apply(c_.a, c_.hat_of(r, s_hat_), t_.data());
    c_.backend.template sweep<2>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          sums[0] += inner(t[i], r[i]);
          sums[1].re += square(t[i]);
        },
        // t = 0 is no breakdown yet: s may have vanished with it.
        [=] CURLEW_LAMBDA(const Sum* sums) {
          s->omega = sums[1].re == 0 && is_finite(sums[0]) ? Sum() : s->divide(sums[0], sums[1]);
        });
  }

  /// x += alpha M p + omega M s, r = s - omega t, beta = rho' / rho alpha / omega
  void update_x() {
    KrylovState* const state = c_.state;
    const V *p = c_.hat_of(p_.data(), p_hat_), *q = c_.hat_of(c_.r.data(), s_hat_), *t = t_.data(),
            *shadow = shadow_.data();
    V *x = c_.x.data(), *r = c_.r.data();
    c_.backend.template sweep<2>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          x[i] += narrow<R>(state->alpha) * p[i] + narrow<R>(state->omega) * q[i];
          const V next = r[i] - narrow<R>(state->omega) * t[i];
          r[i] = next;
          sums[0] += inner(shadow[i], next);
          sums[1].re += square(next);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          state->finish_iteration(sums[1].re);
          if (state->stop != running) return;
          const Sum ratio = state->divide(sums[0], state->rho);
          state->beta = ratio * state->divide(state->alpha, state->omega);
          state->rho = sums[0];
        });
  }

 private:
  KrylovContext<B, R>& c_;
  typename B::template Vector<R> shadow_, p_, v_, t_, p_hat_, s_hat_;
};

}  // namespace curlew::linalg
