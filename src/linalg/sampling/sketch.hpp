// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Random sketches: random signs map long columns to short ones of nearly the same norm, so that residuals and
// linear dependences of fields are cheap. Source: Balabanov and Nouy (2019), Adv. Comput. Math. 45,
// randomized linear algebra for model reduction.

#include <Eigen/Core>

namespace curlew::linalg {

constexpr Eigen::Index sketch_rows = 48;

/// Sums of the rows with random signs, the same in every run, divided by sqrt(48).
/// @param columns [n, count] @return [48, count]
Eigen::MatrixXcd sketch(const Eigen::Ref<const Eigen::MatrixXcd>& columns);
Eigen::MatrixXd sketch(const Eigen::Ref<const Eigen::MatrixXd>& columns);

}  // namespace curlew::linalg
