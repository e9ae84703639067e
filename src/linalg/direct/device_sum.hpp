// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The terms of a matrix on the GPU and their sum there (matrix_sum.hpp). For builds with CUDA.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/complex.hpp"
#include "base/cuda.hpp"
#include "base/types.hpp"

namespace curlew::linalg {

class DeviceSum {
 public:
  using Z = complex<double>;

  struct Term {
    cuda::Buffer<int> places;     ///< each once; empty: entry k has index k
    cuda::Buffer<double> re, im;  ///< im is empty if the term is real
  };

  /// @param number of the MatrixSum with these terms
  explicit DeviceSum(std::uint64_t number) : number_(number), broken_(1) {}
  std::uint64_t number() const { return number_; }
  void add_term(Term&& term) { terms_.push_back(std::move(term)); }

  /// values = Σ factors[t] T_t; waits for it. @param values device memory @param factors [terms]
  /// @return false if a value is not finite
  bool add_up(std::span<const Complex> factors, cuda::Buffer<Z>& values);

 private:
  std::uint64_t number_;
  std::vector<Term> terms_;
  cuda::Buffer<int> broken_;
};

}  // namespace curlew::linalg
