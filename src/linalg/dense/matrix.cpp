// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/matrix.hpp"

#include <sys/mman.h>

#include <new>

#include "base/threads.hpp"

namespace curlew::linalg {

DenseMatrix::DenseMatrix(Offset rows, Offset cols, const char* what) : rows_(rows), cols_(cols) {
  constexpr std::size_t page = std::size_t(1) << 21;
  const std::size_t bytes = std::size_t(rows) * std::size_t(cols) * sizeof(Complex);
  if (bytes == 0) return;
  require_memory(bytes, what);
  const std::size_t whole = (bytes + page - 1) / page * page;
  data_.reset(static_cast<Complex*>(std::aligned_alloc(page, whole)));
  if (!data_) throw std::bad_alloc();
  madvise(data_.get(), whole, MADV_HUGEPAGE);  // 4 KiB pages would cost as much as the fill
}

}  // namespace curlew::linalg
