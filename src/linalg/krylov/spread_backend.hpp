// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Vectors distributed over processes: loops run over the local part, sums over all processes.

#include <algorithm>

#include "base/process_group.hpp"
#include "linalg/vector/host_backend.hpp"

namespace curlew::linalg {

class SpreadBackend : public HostBackend {
 public:
  explicit SpreadBackend(const ProcessGroup& group) : group_(group) {}

  template <int NS, class Body, class Finish>
  void sweep(Offset n, Body body, Finish finish) {
    HostBackend::sweep<NS>(n, body, [&](const Sum* own) {
      Sum all[std::max(NS, 1)];
      std::copy_n(own, NS, all);
      group_.sum(&all[0].re, 2 * std::size_t(NS));
      finish(all);
    });
  }
  template <class Body>
  void sweep(Offset n, Body body) {
    HostBackend::sweep(n, body);
  }

 private:
  const ProcessGroup& group_;
};

}  // namespace curlew::linalg
