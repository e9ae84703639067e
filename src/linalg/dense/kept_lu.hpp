// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions of dense matrices that resemble each other.

#include <memory>
#include <optional>

#include "linalg/dense/lu.hpp"

namespace curlew::linalg {

class HostSingleLu;

/// Solutions of matrices that resemble each other, as those of the frequencies of a band: GMRES with the
/// factors of one of them, which stay until another needs too many steps.
class KeptLu {
 public:
  KeptLu();
  ~KeptLu();
  /// As solve_dense with `mixed`; empty where that does not converge, for small matrices and many columns: b
  /// is then as before.
  std::optional<LuReport> solve(const DenseMatrix& a, Complex* b, int num_rhs);

 private:
  std::unique_ptr<HostSingleLu> factors_;
  Offset size_ = 0;
};

}  // namespace curlew::linalg
