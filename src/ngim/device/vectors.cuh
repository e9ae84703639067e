// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Charge vectors in groups, and arrays of the host, for solvers on one or several devices.

#include <algorithm>

#include "base/cuda.hpp"

namespace curlew::ngim::device {

/// Calls run(first, count) for groups of up to `most` vectors; single vectors once reserve(count) reports
/// that there is no memory for several.
template <class Reserve, class Run>
void in_groups(Index num_vectors, int most, Reserve&& reserve, Run&& run) {
  for (Index v = 0; v < num_vectors;) {
    Index given = std::min<Index>(most, num_vectors - v);
    if (!reserve(given)) {
      given = most = 1;
      reserve(given);
    }
    run(v, given);
    v += given;
  }
}

struct Sizes {
  Offset sources, targets;
};

/// Solver::apply with arrays of the host; waits for the result.
template <class Solver>
void from_host(const Solver& solver, Sizes sizes, const Complex* charges, Index num_vectors,
               Complex* potential, Complex* gradient) {
  const auto n = std::size_t(sizes.sources), m = std::size_t(sizes.targets);
  for (Index v = 0; v < num_vectors;) {
    const Index given = std::min<Index>(solver.most_together(), num_vectors - v);
    cuda::Buffer<complex<double>> q(given * n), u(given * m), slopes(gradient != nullptr ? 3 * given * m : 0);
    q.upload(reinterpret_cast<const complex<double>*>(charges + v * n));
    solver.apply(q.data(), given, u.data(), gradient != nullptr ? slopes.data() : nullptr);
    u.download(reinterpret_cast<complex<double>*>(potential + v * m));
    if (gradient != nullptr) slopes.download(reinterpret_cast<complex<double>*>(gradient + 3 * v * m));
    v += given;
  }
}

}  // namespace curlew::ngim::device
