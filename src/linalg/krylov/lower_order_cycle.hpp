// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Two levels of nodal elements: sweeps over the full matrix, and between them a correction in the lowest
// order. The basis need not be hierarchical (unlike multilevel.hpp): for sound, sweeps over only the higher
// functions of a hierarchical basis take twice the iterations (docs/measured/solvers.md). One source for both
// backends, included by the file of each. Source: Y. Saad, Iterative Methods for Sparse Linear Systems
// (2003), section 13.4 (two-grid cycle).

#include <functional>
#include <utility>

#include "linalg/krylov/coarse_correction.hpp"

namespace curlew::linalg {

/// z = M r. B is HostBackend or DeviceBackend.
template <class B>
class LowerOrderCycle {
 public:
  using V = complex<double>;
  /// Improves z in place, n columns. Arguments: forward, r, ldr, z, ldz, n.
  using Sweep = std::function<void(bool, const V*, Offset, V*, Offset, Index)>;

  LowerOrderCycle(CoarseCorrection<B> correction, Sweep sweep, int steps)
      : correction_(std::move(correction)), sweep_(std::move(sweep)), steps_(steps) {}
  Index size() const { return correction_.matrix->size(); }
  /// The sweeps after the correction run backward: M is as symmetric as the matrices.
  void apply(B& backend, const V* r, Offset ldr, V* z, Offset ldz, Index n) {
    const Offset rows = size();
    backend.sweep(rows * n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const Offset column = i / rows;
      z[column * ldz + i - column * rows] = V();
    });
    for (int step = 0; step < steps_; ++step) sweep_(true, r, ldr, z, ldz, n);
    correction_.apply(backend, r, ldr, z, ldz, n);
    for (int step = 0; step < steps_; ++step) sweep_(false, r, ldr, z, ldz, n);
  }

 private:
  CoarseCorrection<B> correction_;
  Sweep sweep_;
  int steps_;
};

}  // namespace curlew::linalg
