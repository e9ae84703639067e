// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The system of a sweep as terms that are assembled once and added at every frequency.

#include <vector>

#include "base/types.hpp"
#include "fem/system/system_terms.hpp"
#include "linalg/direct/matrix_sum.hpp"

namespace curlew::fem {

class SystemSum {
 public:
  /// @param terms from system_terms @param a with the pattern of the space, becomes the sum; must outlive it
  SystemSum(std::vector<SystemTerm> terms, linalg::Csr<Complex>& a);

  /// Factors of the terms at a frequency [Hz]. @param references [ports] admittances of the ports' terms
  std::vector<Complex> factors(double frequency, const std::vector<Complex>& references) const;
  void set(double frequency, const std::vector<Complex>& references) {
    sum_.set_factors(factors(frequency, references));
  }
  const linalg::MatrixSum& sum() const { return sum_; }

 private:
  std::vector<SystemTerm> terms_;
  linalg::MatrixSum sum_;
};

}  // namespace curlew::fem
