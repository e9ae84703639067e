// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sampling/sketch.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random_bits.hpp"
#include "base/types.hpp"
#include "linalg/dense/tall_products.hpp"

namespace curlew::linalg {
namespace {

template <class Matrix>
Matrix signed_sums(const Eigen::Ref<const Matrix>& columns) {
  const Eigen::Index n = columns.rows(), block = tall_block;
  const Matrix zero = Matrix::Zero(sketch_rows, columns.cols());
  std::vector<Matrix> parts(std::size_t((n + block - 1) / block), zero);
  each_tall_block(n, [&](Eigen::Index first, Eigen::Index rows) {
    Matrix& part = parts[std::size_t(first / block)];
    for (Eigen::Index i = first; i < first + rows; ++i) {
      const std::uint64_t bits = random_bits(std::uint64_t(i));
      for (Eigen::Index c = 0; c < columns.cols(); ++c)
        for (Eigen::Index j = 0; j < sketch_rows; ++j)
          part(j, c) += (bits >> j) & 1 ? columns(i, c) : -columns(i, c);
    }
  });
  Matrix out = zero;
  for (const auto& part : parts) out += part;
  return out / std::sqrt(double(sketch_rows));
}

}  // namespace

Eigen::MatrixXcd sketch(const Eigen::Ref<const Eigen::MatrixXcd>& columns) {
  return signed_sums<Eigen::MatrixXcd>(columns);
}

Eigen::MatrixXd sketch(const Eigen::Ref<const Eigen::MatrixXd>& columns) {
  return signed_sums<Eigen::MatrixXd>(columns);
}

}  // namespace curlew::linalg
