// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Stored matrices as operators of the iterative loops, on the CPU.

#include "linalg/csr.hpp"
#include "linalg/linear_operator.hpp"
#include "linalg/sparse/packed.hpp"
#include "linalg/sparse/symmetric.hpp"

namespace curlew::linalg {

/// Compressed rows, stored by reference.
template <class T>
class CrsOperator final : public LinearOperator<T> {
 public:
  explicit CrsOperator(const Csr<T>& a) : a_(a) {}
  Index size() const override { return a_.num_rows; }
  void apply(const T* x, T* y) const override { multiply(a_, x, y); }

 private:
  const Csr<T>& a_;
};

/// The upper triangle of a symmetric matrix. Not thread-safe: the product uses member buffers.
template <class R>
class SymmetricOperator final : public LinearOperator<std::complex<R>> {
 public:
  explicit SymmetricOperator(const Csr<std::complex<R>>& a) : a_(a) {}
  Index size() const override { return a_.size(); }
  void apply(const std::complex<R>* x, std::complex<R>* y) const override { a_.multiply(x, y); }
  void apply_many(const std::complex<R>* x, Offset ldx, std::complex<R>* y, Offset ldy,
                  Index n) const override {
    a_.multiply(x, ldx, y, ldy, n);
  }

 private:
  mutable SymmetricCrs<R> a_;
};

}  // namespace curlew::linalg
