// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A dense complex matrix on the host, column-major, without initial values.

#include <cstdlib>
#include <memory>

#include "base/types.hpp"

namespace curlew::linalg {

class DenseMatrix {
 public:
  DenseMatrix() = default;
  /// @param what name in error messages @throws ResourceError with needed and available memory if it does not
  /// suffice
  DenseMatrix(Offset rows, Offset cols, const char* what = "dense matrix");

  Offset rows() const { return rows_; }
  Offset cols() const { return cols_; }
  Complex* data() { return data_.get(); }
  const Complex* data() const { return data_.get(); }
  Complex* column(Offset j) { return data_.get() + j * rows_; }
  const Complex* column(Offset j) const { return data_.get() + j * rows_; }
  Complex& operator()(Offset i, Offset j) { return data_.get()[i + j * rows_]; }
  Complex operator()(Offset i, Offset j) const { return data_.get()[i + j * rows_]; }

 private:
  struct Free {
    void operator()(Complex* p) const { std::free(p); }
  };
  Offset rows_ = 0, cols_ = 0;
  std::unique_ptr<Complex, Free> data_;
};

}  // namespace curlew::linalg
