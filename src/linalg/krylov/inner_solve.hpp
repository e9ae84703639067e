// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An iteration that preconditions another one. The inner one uses low-accuracy products A', which are cheap
// and, unlike products of decreasing accuracy, belong to one fixed operator: directions p and images A' p are
// exact pairs and can be recycled for all right-hand sides. The outer one, with products of the requested
// accuracy, is flexible GMRES over the results of the inner one. Its convergence is that of A A'^-1, whose
// eigenvalues are near 1. Sources: Saad (1993), SIAM J. Sci. Comput. 14, 461 (iterations as preconditioners);
// van der Vorst and Vuik (1994), Numer. Linear Algebra Appl. 1, 369 (GMRESR: GCR around an inner iteration).

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

  /// z = A'^-1 v to the accuracy that the outer iteration can use. @param v of norm 1 @param outer state of
  /// the outer iteration, which continues to `tolerance`; the inner one continues its counts and trace
  /// @returns the state at the end
  KrylovState solve(const V* v, V* z, const KrylovState& outer, double tolerance) {
    KrylovState s{};
    s.norm_b = 1 / outer.residual;  // so that residuals are relative to the outer right-hand side
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

  // Public because GPU lambdas are not allowed in private functions.
  void load(const V* v) {
    V *r = c_.r.data(), *x = c_.x.data();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) { r[i] = v[i], x[i] = V(); });
  }

 private:
  /// While it exists, products have low accuracy.
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

  /// Reduction of the outer residual: a smaller one would be lost in the error of A', a larger one would cost
  /// outer products.
  static constexpr double gain = 0.1, least_gain = 0.5;
  static constexpr double own_share = 0.85;  ///< share of the tolerance in the last step

  std::function<void(double)> allow_error_;
  typename B::template Shared<KrylovState> state_;
  KrylovContext<B, R> c_;
  KeptDirectionsMethod<B, R, float> method_;
};

}  // namespace curlew::linalg
