// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/device_upload.hpp"

#include <algorithm>

#include "base/staged_upload.hpp"

namespace curlew::linalg {

void upload(const DenseMatrix& a, complex<double>* to) {
  const auto entries = std::size_t(a.rows()) * std::size_t(a.cols());
  const auto* from = reinterpret_cast<const complex<double>*>(a.data());
  cuda::StagedUpload<complex<double>> staged(std::size_t(1) << 17);  // 2 MiB
  staged.run(to, entries, [&](complex<double>* piece, std::size_t first, std::size_t count) {
    std::copy_n(from + first, count, piece);
  });
}

}  // namespace curlew::linalg
