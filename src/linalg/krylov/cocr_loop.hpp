// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// COCR, conjugate residuals for complex symmetric A (A = A^T, no conjugation) with a symmetric
// preconditioner: one product per iteration.
// Source: T. Sogabe, S.-L. Zhang, J. Comput. Appl. Math. 199 (2007) 297.

#include "linalg/krylov/method.hpp"

namespace curlew::linalg {

template <class B, class R>
class CocrMethod final : public Method<B, R> {
 public:
  using V = complex<R>;
  explicit CocrMethod(KrylovContext<B, R>& context)
      : c_(context), z_(c_.vector()), az_(c_.vector()), p_(c_.vector()), q_(c_.vector()), mq_(c_.vector()) {}

  void start() override {
    KrylovState* const s = c_.state;
    precondition(c_.r.data(), z_.data());
    c_.backend.apply(c_.a, static_cast<const V*>(z_.data()), az_.data());
    const V *z = z_.data(), *az = az_.data();
    V *p = p_.data(), *q = q_.data();
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          p[i] = q[i] = V();
          sums[0] += bilinear(z[i], az[i]);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->rho = sums[0], s->beta = Sum(); });
  }

  /// p = z + beta p, q = A z + beta q (= A p), alpha = rho / q^T M q, x += alpha p, r -= alpha q,
  /// z -= alpha M q, beta = z^T A z / rho
  void iterate() override {
    KrylovState* const s = c_.state;
    V *z = z_.data(), *az = az_.data(), *p = p_.data(), *q = q_.data(), *mq = mq_.data(), *x = c_.x.data(),
      *r = c_.r.data();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const V beta = narrow<R>(s->beta);
      p[i] = z[i] + beta * p[i];
      q[i] = az[i] + beta * q[i];
    });
    precondition(q, mq);
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0] += bilinear(q[i], mq[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->alpha = s->divide(s->rho, sums[0]); });
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const V alpha = narrow<R>(s->alpha);
      x[i] += alpha * p[i];
      r[i] = r[i] - alpha * q[i];
      z[i] = z[i] - alpha * mq[i];
    });
    c_.backend.apply(c_.a, static_cast<const V*>(z), az);
    c_.backend.template sweep<2>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          sums[0] += bilinear(z[i], az[i]);
          sums[1].re += square(r[i]);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          s->finish_iteration(sums[1].re);
          if (s->stop != running) return;
          s->beta = s->divide(sums[0], s->rho);
          s->rho = sums[0];
        });
  }

  /// z = M r, a copy without a preconditioner
  void precondition(const V* r, V* z) {
    const V* d = c_.diagonal();
    c_.precondition(r, z);
    if (c_.m != nullptr && d == nullptr) return;
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) { z[i] = d != nullptr ? d[i] * r[i] : r[i]; });
  }

 private:
  KrylovContext<B, R>& c_;
  typename B::template Vector<R> z_, az_, p_, q_, mq_;
};

}  // namespace curlew::linalg
