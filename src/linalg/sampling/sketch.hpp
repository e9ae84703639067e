// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Random signs turn long columns into short ones of nearly the same norm: residuals and dependences of fields
// then cost nothing. Source: Balabanov and Nouy (2019), Adv. Comput. Math. 45, randomized linear algebra for
// model reduction.

#include <Eigen/Core>

namespace curlew::linalg {

constexpr Eigen::Index sketch_rows = 48;

/// Sums of the rows with random signs, the same in every run, over sqrt(48).
/// @param columns [n, count] @return [48, count]
Eigen::MatrixXcd sketch(const Eigen::MatrixXcd& columns);

}  // namespace curlew::linalg
