// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// TFQMR with right preconditioning; one iteration is two half steps and two products.
// Source: R. Freund, SIAM J. Sci. Comput. 14 (1993) 470; Y. Saad, Iterative Methods (2003), alg. 7.8.
// The bound tau sqrt(m + 1) is used as residual; the driver checks the true one.

#include "linalg/krylov/method.hpp"
#include "linalg/krylov/random_vector.hpp"

namespace curlew::linalg {

/// theta, eta and tau after a half step with |w|^2 = w2, and the factor of d in the next one.
CURLEW_HD void quasi_minimise(KrylovState& s, double w2) {
  s.theta = s.tau > 0 ? ::sqrt(w2) / s.tau : 0;
  const double c2 = 1 / (1 + s.theta * s.theta);
  s.tau *= s.theta * ::sqrt(c2);
  s.eta = c2 * s.alpha;
  ++s.half_steps;
}

template <class B, class R>
class TfqmrMethod final : public Method<B, R> {
 public:
  using V = complex<R>;
  explicit TfqmrMethod(KrylovContext<B, R>& context)
      : c_(context),
        shadow_(c_.vector()),
        w_(c_.vector()),
        u_(c_.vector()),
        au_(c_.vector()),
        v_(c_.vector()),
        d_(c_.vector()),
        y_(c_.vector()),
        hat_(c_.hat_vector()) {}

  void start() override {
    KrylovState* const s = c_.state;
    const int number = c_.shadow;
    const Offset first = number * c_.n;
    const V *r = c_.r.data(), *m = c_.diagonal();
    V *shadow = shadow_.data(), *w = w_.data(), *u = u_.data(), *d = d_.data(), *y = y_.data(),
      *v = v_.data(), *hat = hat_.data();
    c_.backend.template sweep<2>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          shadow[i] = number < 0 ? r[i] : random_entry<R>(first + i);
          w[i] = u[i] = r[i];
          d[i] = y[i] = v[i] = V();
          if (m != nullptr) hat[i] = m[i] * r[i];
          sums[0] += inner(shadow[i], r[i]);
          sums[1].re += square(r[i]);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          s->rho = sums[0];
          s->tau = ::sqrt(sums[1].re);
          s->theta = 0, s->half_steps = 0;
          s->eta = s->coefficient = Sum();
        });
    multiply_u();
    finish_v(false);
  }

  void iterate() override {
    even_half();
    odd_half();
    next_u();
    multiply_u();
    finish_v(true);
  }

  void flush() override {
    V *x = c_.x.data(), *y = y_.data(), *hat = hat_.data();
    const V* m = c_.diagonal();
    c_.precondition(y, hat);
    const V* z = c_.m != nullptr && m == nullptr ? hat : y;
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) { x[i] += m != nullptr ? m[i] * z[i] : z[i]; });
  }

  /// w -= alpha A u, d = u + (theta^2 eta / alpha) d, u -= alpha v, then A M u
  void even_half() {
    KrylovState* const s = c_.state;
    const V *m = c_.diagonal(), *au = au_.data(), *v = v_.data();
    V *w = w_.data(), *u = u_.data(), *d = d_.data(), *hat = hat_.data();
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const V alpha = narrow<R>(s->alpha), old = u[i];
          const V wi = w[i] - alpha * au[i], ui = old - alpha * v[i];
          d[i] = old + narrow<R>(s->coefficient) * d[i];
          w[i] = wi, u[i] = ui;
          if (m != nullptr) hat[i] = m[i] * ui;
          sums[0].re += square(wi);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          quasi_minimise(*s, sums[0].re);
          s->coefficient = s->divide(s->theta * s->theta * s->eta, s->alpha);
        });
    multiply_u();
  }

  /// y += eta d, w -= alpha A u, d = u + (theta^2 eta / alpha) d, beta = (r0, w) / rho
  void odd_half() {
    KrylovState* const s = c_.state;
    const V *au = au_.data(), *u = u_.data(), *shadow = shadow_.data();
    V *w = w_.data(), *d = d_.data(), *y = y_.data();
    c_.backend.template sweep<2>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const V di = d[i], wi = w[i] - narrow<R>(s->alpha) * au[i];
          y[i] += narrow<R>(s->eta) * di;
          d[i] = u[i] + narrow<R>(s->coefficient) * di;
          w[i] = wi;
          sums[0].re += square(wi);
          sums[1] += inner(shadow[i], wi);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          quasi_minimise(*s, sums[0].re);
          s->beta = s->divide(sums[1], s->rho);
          s->rho = sums[1];
        });
  }

  /// y += eta d, u = w + beta u, v = beta (A u_old + beta v)
  void next_u() {
    KrylovState* const s = c_.state;
    const V *m = c_.diagonal(), *au = au_.data(), *w = w_.data(), *d = d_.data();
    V *u = u_.data(), *v = v_.data(), *y = y_.data(), *hat = hat_.data();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const V beta = narrow<R>(s->beta), ui = w[i] + beta * u[i];
      y[i] += narrow<R>(s->eta) * d[i];
      v[i] = beta * (au[i] + beta * v[i]);
      u[i] = ui;
      if (m != nullptr) hat[i] = m[i] * ui;
    });
  }

  void multiply_u() {
    c_.precondition(u_.data(), hat_.data());
    c_.backend.apply(c_.a, c_.hat_of(u_.data(), hat_), au_.data());
  }

  /// v += A u, alpha = rho / (r0, v). Not counted the first time, before any iteration.
  void finish_v(bool counts) {
    KrylovState* const s = c_.state;
    const V *au = au_.data(), *shadow = shadow_.data();
    V* v = v_.data();
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const V vi = v[i] + au[i];
          v[i] = vi;
          sums[0] += inner(shadow[i], vi);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          if (counts) s->finish_iteration(s->tau * s->tau, s->half_steps + 1);
          if (s->stop != running) return;
          s->alpha = s->divide(s->rho, sums[0]);
          if (counts && s->stop == running)
            s->coefficient = s->divide(s->theta * s->theta * s->eta, s->alpha);
        });
  }

 private:
  KrylovContext<B, R>& c_;
  typename B::template Vector<R> shadow_, w_, u_, au_, v_, d_, y_, hat_;
};

}  // namespace curlew::linalg
