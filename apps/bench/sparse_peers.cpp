// SPDX-License-Identifier: BSD-3-Clause
#include "bench/sparse_peers.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace curlew::bench {
namespace {

template <class R>
constexpr cudaDataType type_of = sizeof(R) == 8 ? CUDA_C_64F : CUDA_C_32F;

void check(cusparseStatus_t status, const char* what) {
  if (status != CUSPARSE_STATUS_SUCCESS) {
    throw NumericalError(fmt::format("cuSPARSE: {} ({})", cusparseGetErrorString(status), what));
  }
}

/// cuSPARSE's own Sliced ELL: column by column inside slices of `height` rows, padded with column -1.
template <class R>
struct SlicedArrays {
  static constexpr Index height = 32;
  std::vector<Index> offsets{0}, columns;
  std::vector<std::complex<R>> values;

  explicit SlicedArrays(const linalg::Csr<std::complex<R>>& a) {
    for (Index first = 0; first < a.num_rows; first += height) {
      Offset width = 0;
      for (Index i = first; i < std::min(a.num_rows, first + height); ++i) {
        width = std::max(width, a.row_offsets[i + 1] - a.row_offsets[i]);
      }
      const std::size_t start = columns.size();
      columns.resize(start + width * height, -1);
      values.resize(start + width * height);
      for (Index i = first; i < std::min(a.num_rows, first + height); ++i) {
        for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
          const std::size_t at = start + (k - a.row_offsets[i]) * height + (i - first);
          columns[at] = a.columns[k];
          values[at] = a.values[k];
        }
      }
      offsets.push_back(Index(columns.size()));
    }
  }
};

template <class R>
cuda::Buffer<complex<R>> upload(const std::vector<std::complex<R>>& v) {
  cuda::Buffer<complex<R>> buffer(v.size());
  buffer.upload(reinterpret_cast<const complex<R>*>(v.data()));
  return buffer;
}

template <class R>
std::vector<Index> row_indices(const linalg::Csr<std::complex<R>>& a) {
  std::vector<Index> rows(a.nnz());
  for (Index i = 0; i < a.num_rows; ++i) {
    std::fill(rows.begin() + a.row_offsets[i], rows.begin() + a.row_offsets[i + 1], i);
  }
  return rows;
}

}  // namespace

template <class R>
CusparseProduct<R>::CusparseProduct(const linalg::Csr<std::complex<R>>& a, Format format,
                                    cusparseSpMVAlg_t algorithm)
    : rows_(a.num_rows),
      columns_(a.num_cols),
      algorithm_(algorithm),
      dummy_x_(a.num_cols),
      dummy_y_(a.num_rows) {
  check(cusparseCreate(&handle_), "cusparseCreate");
  constexpr auto index = CUSPARSE_INDEX_32I;
  constexpr auto base = CUSPARSE_INDEX_BASE_ZERO;
  if (format == Format::sliced_ell) {
    const SlicedArrays<R> s(a);
    offsets_ = cuda::Buffer<Index>(s.offsets);
    indices_ = cuda::Buffer<Index>(s.columns);
    values_ = upload(s.values);
    check(cusparseCreateSlicedEll(&matrix_, rows_, columns_, a.nnz(), Offset(s.values.size()), s.height,
                                  offsets_.data(), indices_.data(), values_.data(), index, index, base,
                                  type_of<R>),
          "cusparseCreateSlicedEll");
  } else {
    indices_ = cuda::Buffer<Index>(a.columns);
    values_ = upload(a.values);
    if (format == Format::csr) {
      offsets_ = cuda::Buffer<Index>(std::vector<Index>(a.row_offsets.begin(), a.row_offsets.end()));
      check(cusparseCreateCsr(&matrix_, rows_, columns_, a.nnz(), offsets_.data(), indices_.data(),
                              values_.data(), index, index, base, type_of<R>),
            "cusparseCreateCsr");
    } else {
      offsets_ = cuda::Buffer<Index>(row_indices(a));
      check(cusparseCreateCoo(&matrix_, rows_, columns_, a.nnz(), offsets_.data(), indices_.data(),
                              values_.data(), index, base, type_of<R>),
            "cusparseCreateCoo");
    }
  }
  check(cusparseCreateDnVec(&x_, columns_, dummy_x_.data(), type_of<R>), "cusparseCreateDnVec");
  check(cusparseCreateDnVec(&y_, rows_, dummy_y_.data(), type_of<R>), "cusparseCreateDnVec");
  prepare();
}

template <class R>
void CusparseProduct<R>::prepare() {
  const complex<R> one(1), zero(0);
  std::size_t bytes = 0;
  check(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, x_, &zero, y_,
                                type_of<R>, algorithm_, &bytes),
        "cusparseSpMV_bufferSize");
  workspace_ = cuda::Buffer<char>(std::max<std::size_t>(bytes, 1));
  check(cusparseSpMV_preprocess(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, x_, &zero, y_,
                                type_of<R>, algorithm_, workspace_.data()),
        "cusparseSpMV_preprocess");
}

template <class R>
CusparseProduct<R>::~CusparseProduct() {
  cusparseDestroyDnVec(x_);
  cusparseDestroyDnVec(y_);
  cusparseDestroySpMat(matrix_);
  cusparseDestroy(handle_);
}

template <class R>
void CusparseProduct<R>::apply(const complex<R>* x, complex<R>* y, const linalg::DeviceQueue& queue) const {
  const complex<R> one(1), zero(0);
  check(cusparseSetStream(handle_, static_cast<cudaStream_t>(queue.stream)), "cusparseSetStream");
  check(cusparseDnVecSetValues(x_, const_cast<complex<R>*>(x)), "cusparseDnVecSetValues");
  check(cusparseDnVecSetValues(y_, y), "cusparseDnVecSetValues");
  check(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, x_, &zero, y_, type_of<R>,
                     algorithm_, const_cast<char*>(workspace_.data())),
        "cusparseSpMV");
}

template <class R>
std::vector<NamedCusparse<R>> cusparse_products(const linalg::Csr<std::complex<R>>& a) {
  using Product = CusparseProduct<R>;
  struct Variant {
    const char* name;
    typename Product::Format format;
    cusparseSpMVAlg_t algorithm;
  };
  const Variant variants[] = {{"cuSPARSE CSR 1", Product::Format::csr, CUSPARSE_SPMV_CSR_ALG1},
                              {"cuSPARSE CSR 2", Product::Format::csr, CUSPARSE_SPMV_CSR_ALG2},
                              {"cuSPARSE COO 1", Product::Format::coo, CUSPARSE_SPMV_COO_ALG1},
                              {"cuSPARSE COO 2", Product::Format::coo, CUSPARSE_SPMV_COO_ALG2},
                              {"cuSPARSE Sliced ELL", Product::Format::sliced_ell, CUSPARSE_SPMV_SELL_ALG1}};
  std::vector<NamedCusparse<R>> out;
  for (const Variant& v : variants) {
    try {
      out.push_back({v.name, std::make_unique<Product>(a, v.format, v.algorithm)});
    } catch (const NumericalError&) {
      continue;  // not offered for this type
    }
  }
  return out;
}

template class CusparseProduct<double>;
template class CusparseProduct<float>;
template std::vector<NamedCusparse<double>> cusparse_products(const linalg::Csr<Complex>&);
template std::vector<NamedCusparse<float>> cusparse_products(const linalg::Csr<ComplexF>&);

}  // namespace curlew::bench
