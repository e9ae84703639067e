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

/// The system and data of every method. R is the real type of vectors.
template <class B, class R>
struct KrylovContext {
  using V = complex<R>;
  B& backend;
  const typename B::template Operator<R>& a;
  const typename B::template Operator<R>* m;
  Offset n;
  typename B::template Vector<R> x, b, r;
  KrylovState* state;  // in the backend's memory
  /// True if the host found that the iteration stopped. Checked only if iterations are not recorded: a method
  /// that queues several steps then omits those after the last.
  std::function<bool()> has_stopped{};
  std::function<void(const V* p, V* hat)> inner{};  ///< inner iteration used as M, or empty
  std::function<KrylovState()> look{};              ///< the state after all queued work
  bool is_recorded = false;                         ///< iterations are recorded once and replayed
  int shadow = -1;                                  ///< tfqmr: number of the random vector; -1: the residual

  /// d of a pointwise preconditioner, or null
  const V* diagonal() const { return m != nullptr ? B::diagonal(*m) : nullptr; }
  /// Location of M p: p itself without a preconditioner.
  V* hat_of(V* p, typename B::template Vector<R>& hat) const { return m == nullptr ? p : hat.data(); }
  /// Computes hat = M p if the sweep did not.
  void precondition(const V* p, V* hat) {
    if (inner)
      inner(p, hat);
    else if (m != nullptr && diagonal() == nullptr)
      backend.apply(*m, p, hat);
  }
  typename B::template Vector<R> vector() { return backend.template vector<R>(n); }
  typename B::template Vector<R> hat_vector() { return backend.template vector<R>(m == nullptr ? 0 : n); }
};

/// One Krylov method: start from the residual in context.r, iterate until state->stop, add the pending update
/// to x.
template <class B, class R>
class Method {
 public:
  virtual ~Method() = default;
  virtual void start() = 0;
  /// Queues one iteration (GMRES: one cycle). Counts it in the state.
  virtual void iterate() = 0;
  /// Called after the last iteration, ignoring the skip flag.
  virtual void flush() {}
  /// Discards data stored for later right-hand sides.
  virtual void forget() {}
};

}  // namespace curlew::linalg
