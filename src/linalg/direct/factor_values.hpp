// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Values of a matrix and of right-hand sides converted for factors of another number type: in single
// precision, or real if the matrix has no imaginary part.

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/huge_pages.hpp"
#include "base/types.hpp"

namespace curlew::linalg {

/// Whether T has a real and an imaginary part.
template <class T>
constexpr bool has_two_parts = !std::is_floating_point_v<T>;

/// T is the number type of matrix and vectors, F that of the factors. If F has less precision, the matrix and
/// each right-hand side are scaled to about 1 by powers of two, to be within its range. If only F is real, a
/// right-hand side becomes two real ones, of which zero ones are omitted.
template <class T, class F>
class FactorValues {
 public:
  static constexpr bool are_same = std::is_same_v<T, F>;
  static constexpr bool are_shorter = sizeof(F) / (has_two_parts<F> ? 2 : 1) < sizeof(double);
  /// What the factors have that differs from the matrix, behind the name of a library.
  static std::string in_words() {
    return std::string(are_shorter ? ", single precision" : "") +
           (has_two_parts<T> && !has_two_parts<F> ? ", real" : "");
  }

  /// Values of a matrix, which are not changed and must outlive the result. @param agree makes exponents of
  /// several processes equal
  F* of_matrix(const std::vector<T>& values, const std::function<void(int&)>& agree = {}) {
    if constexpr (are_same) {
      return const_cast<F*>(values.data());  // solvers do not write them
    } else {
      const Whole* from = as_whole(values.data());
      if (are_shorter) matrix_exponent_ = exponent_of(from, values.size());
      if (are_shorter && agree) agree(matrix_exponent_);
      matrix_.resize(values.size());
      convert(from, values.size(), matrix_exponent_, matrix_.data());
      return matrix_.data();
    }
  }
  void drop_matrix() { matrix_ = {}; }

  /// The columns to be solved. @param x [unknowns, num_rhs], must outlive them @param unknowns of a column on
  /// this process
  F* of_columns(T* x, std::size_t unknowns, Index num_rhs) {
    unknowns_ = unknowns;
    count_ = std::size_t(num_rhs);
    if constexpr (are_same) {
      return x;
    } else {
      choose_parts(as_whole(x), unknowns, count_);
      count_ = parts_.size();
      if (columns_.size() < unknowns * count_) columns_ = huge_vector<F>(unknowns * count_);
      exponents_.assign(count_, 0);
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < count_; ++c) {
        if (are_shorter) exponents_[c] = exponent_of(parts_[c], unknowns);
        convert(parts_[c], unknowns, exponents_[c], columns_.data() + c * unknowns);
      }
      return columns_.data();
    }
  }
  /// Number of columns.
  Index num_columns() const {
    return Index(count_);
  }
  /// Copies solutions to the place of the right-hand sides.
  void give_back() {
    if constexpr (!are_same) {
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < count_; ++c) {
        const double scale = std::ldexp(1.0, exponents_[c] - matrix_exponent_);
        const F* from = columns_.data() + c * unknowns_;
        for (std::size_t i = 0; i < unknowns_; ++i) parts_[c][i * apart] = scale * Whole(from[i]);
      }
      if (count_ > few_columns) columns_ = {};
    }
  }

 private:
  static constexpr bool takes_parts = has_two_parts<T> && !has_two_parts<F>;
  using Whole = std::conditional_t<takes_parts, double, T>;  // real or complex type of F
  static constexpr std::size_t apart = takes_parts ? 2 : 1;
  static constexpr std::size_t few_columns = 4;  // number of columns whose memory is reused
  static constexpr int least_exponent = -1000;   // 2^1000 is finite

  static const Whole* as_whole(const T* values) {
    return reinterpret_cast<const Whole*>(values);
  }
  static Whole* as_whole(T* values) {
    return reinterpret_cast<Whole*>(values);
  }

  /// Exponent of the power of two above all values; small if all are zero, 0 if one is infinite.
  static int exponent_of(const Whole* values, std::size_t n) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Whole value = values[i * apart];
      largest = std::max({largest, std::abs(std::real(value)), std::abs(std::imag(value))});
    }
    if (!std::isfinite(largest)) return 0;
    return largest > 0 ? std::max(std::ilogb(largest) + 1, least_exponent) : least_exponent;
  }
  /// Values divided by 2^exponent.
  static void convert(const Whole* values, std::size_t n, int exponent, F* to) {
    const double scale = std::ldexp(1.0, -exponent);
    for (std::size_t i = 0; i < n; ++i) to[i] = F(values[i * apart] * scale);
  }
  void choose_parts(Whole* x, std::size_t unknowns, std::size_t num_rhs) {
    parts_.clear();
    for (std::size_t part = 0; part < apart * num_rhs; ++part) {
      Whole* first = x + part / apart * apart * unknowns + part % apart;
      bool is_wanted = !takes_parts;
      for (std::size_t i = 0; i < unknowns && !is_wanted; ++i) is_wanted = first[i * apart] != 0.0;
      if (is_wanted) parts_.push_back(first);
    }
  }

  std::vector<F> matrix_, columns_;
  int matrix_exponent_ = 0;
  std::vector<Whole*> parts_;   // first numbers of the columns, each [unknowns], `apart` apart
  std::vector<int> exponents_;  // of them
  std::size_t unknowns_ = 0, count_ = 0;
};

}  // namespace curlew::linalg
