// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An iteration that preconditions another one. The inner one is on products A' as inaccurate as the plans
// allow, which are cheap and, unlike products that get looser as a residual falls, all of one fixed operator:
// directions and their images A' p are exact pairs of it and serve all right-hand sides. The outer one, on
// the products that were asked for, is flexible: it takes minimal residuals over whatever the inner one
// finds. Its convergence is that of A A'^-1, whose eigenvalues are near 1. Sources: Saad (1993), SIAM J. Sci.
// Comput. 14, 461 (iterations as preconditioners); van der Vorst and Vuik (1994), Numer. Linear Algebra Appl.
// 1, 369 (GMRESR: GCR around an inner iteration).

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "linalg/krylov/kept_directions_loop.hpp"
#include "linalg/krylov/options.hpp"
#include "linalg/krylov/relaxation.hpp"

namespace curlew::linalg {

template <class B, class R>
class InnerSolve {
 public:
  using V = complex<R>;
  using Operator = typename B::template Operator<R>;

  InnerSolve(B& backend, const Operator& a, const Operator* m, const KrylovOptions& options)
      : allow_error_(options.allow_error),
        state_(backend),
        c_{backend,
           a,
           m,
           a.size(),
           backend.template vector<R>(a.size()),
           {},
           backend.template vector<R>(a.size()),
           state_.data()},
        method_(c_, options.kept_directions, SecondPass::where_little_is_left) {
    c_.look = [this] { return state_.read(); };
    c_.has_stopped = [this] {
      check_interrupt();
      return state_.read().stop != running;
    };
  }
  InnerSolve(const InnerSolve&) = delete;
  InnerSolve& operator=(const InnerSolve&) = delete;

  void forget() { method_.forget(); }

  /// z = A'^-1 v, as near as the outer iteration can use it. @param v of length one @param outer continues to
  /// `tolerance`; iterations, their limit and trace continue from there @returns where they end
  KrylovState solve(const V* v, V* z, const KrylovState& outer, double tolerance) {
    KrylovState s{};
    s.norm_b = 1 / outer.residual;  // residuals are those of the outer right-hand side then
    s.tolerance = outer.residual * std::clamp(own_share * tolerance / outer.residual, gain, least_gain);
    s.iterations = outer.iterations, s.limit = outer.limit, s.trace = outer.trace;
    state_.write(s);
    load(v);
    {
      const Loosened loosened(*this);
      c_.backend.set_skip(&state_.data()->stop);
      method_.start();
      method_.iterate();
      c_.backend.set_skip(nullptr);
      method_.flush();
    }
    c_.backend.copy(c_.n, static_cast<const V*>(c_.x.data()), z);
    return state_.read();
  }

  // Public because lambdas for the GPU may not stand in private functions.
  void load(const V* v) {
    V *r = c_.r.data(), *x = c_.x.data();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) { r[i] = v[i], x[i] = V(); });
  }

 private:
  /// While it lives, products are as inaccurate as the plans allow.
  struct Loosened {
    explicit Loosened(const InnerSolve& of) : inner(of) { inner.allow(any_error); }
    ~Loosened() { inner.allow(0); }
    Loosened(const Loosened&) = delete;
    Loosened& operator=(const Loosened&) = delete;
    const InnerSolve& inner;
  };
  void allow(double error) const {
    if (allow_error_) allow_error_(error);
  }

  /// Of the outer residual: less of it would be lost in the error of A', more would cost outer products.
  static constexpr double gain = 0.1, least_gain = 0.5;
  static constexpr double own_share = 0.85;  ///< of the tolerance, in the last step: the rest is that error's

  std::function<void(double)> allow_error_;
  typename B::template Shared<KrylovState> state_;
  KrylovContext<B, R> c_;
  KeptDirectionsMethod<B, R, float> method_;
};

}  // namespace curlew::linalg
