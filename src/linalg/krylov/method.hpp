// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by all methods: operators, vectors, and the preconditioner, which is fused with vector operations if
// it is diagonal.

#include <functional>

#include "linalg/krylov/state.hpp"

namespace curlew::linalg {

/// A value and, under a pointwise preconditioner, its product with it.
template <class R>
struct Preconditioned {
  complex<R> value, hat;
};

/// The system and what every method keeps. R is the real type of vectors.
template <class B, class R>
struct KrylovContext {
  using V = complex<R>;
  B& backend;
  const typename B::template Operator<R>& a;
  const typename B::template Operator<R>* m;
  Offset n;
  typename B::template Vector<R> x, b, r;
  KrylovState* state;  // in the backend's memory
  /// True if the host has found that the iteration has stopped. Looks only where iterations are not recorded:
  /// a method that queues several steps at once then saves those behind the last.
  std::function<bool()> has_stopped{};
  std::function<void(const V* p, V* hat)> inner{};  ///< an iteration that is M, or empty
  std::function<KrylovState()> look{};              ///< the state, behind all that is queued
  bool is_recorded = false;                         ///< iterations are recorded once and replayed
  int shadow = -1;                                  ///< tfqmr: number of the random vector; -1: the residual

  /// d of a pointwise preconditioner, or null
  const V* diagonal() const { return m != nullptr ? B::diagonal(*m) : nullptr; }
  /// Where M p will lie: p itself without a preconditioner.
  V* hat_of(V* p, typename B::template Vector<R>& hat) const { return m == nullptr ? p : hat.data(); }
  /// Completes hat = M p where the sweep could not.
  void precondition(const V* p, V* hat) {
    if (inner)
      inner(p, hat);
    else if (m != nullptr && diagonal() == nullptr)
      backend.apply(*m, p, hat);
  }
  typename B::template Vector<R> vector() { return backend.template vector<R>(n); }
  typename B::template Vector<R> hat_vector() { return backend.template vector<R>(m == nullptr ? 0 : n); }
};

/// One Krylov method: start from the residual in context.r, iterate until state->stop, add what is owed to x.
template <class B, class R>
class Method {
 public:
  virtual ~Method() = default;
  virtual void start() = 0;
  /// Queues one iteration (GMRES: one cycle). Counts it in the state.
  virtual void iterate() = 0;
  /// After the last iteration, outside of the skip flag.
  virtual void flush() {}
  /// Nothing that was kept for later right-hand sides can be trusted.
  virtual void forget() {}
};

}  // namespace curlew::linalg
