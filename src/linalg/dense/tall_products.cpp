// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/tall_products.hpp"

#include <vector>

namespace curlew::linalg {
namespace {

template <class Sum, class A, class B>
Sum sum_of_blocks(const A& a, const B& b) {
  std::vector<Sum> parts(std::size_t((a.rows() + tall_block - 1) / tall_block));
  each_tall_block(a.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    parts[std::size_t(first / tall_block)].noalias() =
        a.middleRows(first, rows).transpose() * b.middleRows(first, rows);
  });
  Sum sum = Sum::Zero(a.cols(), b.cols());
  for (const Sum& part : parts) sum += part;
  return sum;
}

}  // namespace

Eigen::MatrixXcd tall_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                              const Eigen::Ref<const Eigen::MatrixXcd>& b) {
  return sum_of_blocks<Eigen::MatrixXcd>(a, b);
}

Eigen::MatrixXcd tall_product(const Eigen::Ref<const Eigen::MatrixXcd>& a,
                              const Eigen::Ref<const Eigen::MatrixXcd>& b) {
  return sum_of_blocks<Eigen::MatrixXcd>(a, b);
}

Eigen::MatrixXd tall_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                             const Eigen::Ref<const Eigen::MatrixXd>& b) {
  return sum_of_blocks<Eigen::MatrixXd>(a, b);
}

Eigen::MatrixXcd combine_columns(const Eigen::Ref<const Eigen::MatrixXcd>& a, const Eigen::MatrixXcd& c) {
  Eigen::MatrixXcd y(a.rows(), c.cols());
  combine_columns(a, c, y);
  return y;
}

void combine_columns(const Eigen::Ref<const Eigen::MatrixXcd>& a, const Eigen::MatrixXcd& c,
                     Eigen::Ref<Eigen::MatrixXcd> y) {
  each_tall_block(a.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    y.middleRows(first, rows).noalias() = a.middleRows(first, rows) * c;
  });
}

}  // namespace curlew::linalg
