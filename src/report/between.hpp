// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// S between the frequencies where it was computed, as charts draw it.

#include <vector>

#include "base/types.hpp"

namespace curlew::report {

/// r(f) = sum_j w_j s_j / (f - f_j) / sum_j w_j / (f - f_j): s_j where it meets a value.
struct RationalFit {
  std::vector<double> f;
  std::vector<Complex> s, w;  ///< as many
  Complex operator()(double at) const;
};

/// Meets the worst value until all are met within the tolerance, or half of them; the weights are best for
/// the others. Source: Nakatsukasa, Sete and Trefethen (2018), SIAM J. Sci. Comput. 40(3), AAA.
/// @param f distinct @param s as many
RationalFit fit_rational(const std::vector<double>& f, const std::vector<Complex>& s, double tolerance);

struct Between {
  std::vector<double> f;            ///< [Hz], ascending
  std::vector<Complex> s;           ///< as many
  std::vector<std::size_t> points;  ///< those that were computed; empty: all, nothing is known between
};

/// About 400 values, if a fit of every second computed one predicts the others within 1e-4, and a fit of all
/// agrees with it between them; else those computed. @param f [Hz], ascending @param s as many
Between between(const std::vector<double>& f, const std::vector<Complex>& s);

}  // namespace curlew::report
