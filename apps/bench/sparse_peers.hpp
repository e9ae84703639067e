// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The vendor's sparse product as a peer: cuSPARSE with every format and algorithm that takes complex
// matrices.

#include <cusparse.h>

#include <memory>
#include <string>
#include <vector>

#include "base/cuda.hpp"
#include "linalg/csr.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::bench {

/// One format and algorithm of cuSPARSE as an operator. R is double or float.
template <class R>
class CusparseProduct final : public linalg::DeviceOperator<complex<R>> {
 public:
  enum class Format { csr, coo, sliced_ell };
  CusparseProduct(const linalg::Csr<std::complex<R>>& a, Format format, cusparseSpMVAlg_t algorithm);
  ~CusparseProduct() override;
  CusparseProduct(const CusparseProduct&) = delete;
  CusparseProduct& operator=(const CusparseProduct&) = delete;
  Index size() const override { return rows_; }
  void apply(const complex<R>* x, complex<R>* y, const linalg::DeviceQueue& queue) const override;

 private:
  void prepare();

  Index rows_, columns_;
  cusparseHandle_t handle_ = nullptr;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t x_ = nullptr, y_ = nullptr;
  cusparseSpMVAlg_t algorithm_;
  cuda::Buffer<Index> offsets_, indices_;
  cuda::Buffer<complex<R>> values_, dummy_x_, dummy_y_;
  cuda::Buffer<char> workspace_;
};

template <class R>
struct NamedCusparse {
  std::string name;
  std::unique_ptr<CusparseProduct<R>> product;
};
/// All that work for this matrix; those that cuSPARSE refuses are left out.
template <class R>
std::vector<NamedCusparse<R>> cusparse_products(const linalg::Csr<std::complex<R>>& a);

}  // namespace curlew::bench
