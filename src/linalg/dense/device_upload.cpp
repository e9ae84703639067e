// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/device_upload.hpp"

#include "base/copy_rows.hpp"
#include "base/staged_upload.hpp"

namespace curlew::linalg {

void upload(const DenseMatrix& a, complex<double>* to) {
  const auto entries = std::size_t(a.rows()) * std::size_t(a.cols());
  const auto* from = reinterpret_cast<const complex<double>*>(a.data());
  constexpr std::size_t most = std::size_t(1) << 21;  // 32 MiB
  cuda::staged_upload(to, entries, most, [&](complex<double>* piece, std::size_t first, std::size_t count) {
    const std::size_t bytes = count * sizeof(Complex);
    copy_rows(piece, bytes, from + first, bytes, bytes, 1);
  });
}

}  // namespace curlew::linalg
