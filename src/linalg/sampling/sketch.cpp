// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sampling/sketch.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random_bits.hpp"
#include "base/types.hpp"
#include "linalg/dense/tall_products.hpp"

namespace curlew::linalg {

Eigen::MatrixXcd sketch(const Eigen::MatrixXcd& columns) {
  const Eigen::Index n = columns.rows(), block = tall_block;
  const Eigen::MatrixXcd zero = Eigen::MatrixXcd::Zero(sketch_rows, columns.cols());
  std::vector<Eigen::MatrixXcd> parts(std::size_t((n + block - 1) / block), zero);
  each_tall_block(n, [&](Eigen::Index first, Eigen::Index rows) {
    Eigen::MatrixXcd& part = parts[std::size_t(first / block)];
    for (Eigen::Index i = first; i < first + rows; ++i) {
      const std::uint64_t bits = random_bits(std::uint64_t(i));
      for (Eigen::Index c = 0; c < columns.cols(); ++c)
        for (Eigen::Index j = 0; j < sketch_rows; ++j)
          part(j, c) += (bits >> j) & 1 ? columns(i, c) : -columns(i, c);
    }
  });
  Eigen::MatrixXcd out = zero;
  for (const auto& part : parts) out += part;
  return out / std::sqrt(double(sketch_rows));
}

}  // namespace curlew::linalg
