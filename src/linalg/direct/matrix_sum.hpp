// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A = Σ g_t T_t on one pattern: the system of a frequency sweep, whose terms stay while their factors change.
// Adding the terms is one pass over the entries, on the host or where a solver keeps its values.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Entries of a term, by their places in the arrays of the pattern.
struct MatrixTerm {
  bool has_all_places = true;
  std::vector<Offset> places;  ///< ascending, where it has few; else empty: entry k stands at place k
  std::vector<double> re, im;  ///< im is empty where the term is real
};

class MatrixSum {
 public:
  /// @param a has the pattern of the terms; its values become those of the sum. Outlives the sum.
  explicit MatrixSum(Csr<Complex>& a);

  /// Another term. @param t rows of the pattern, or empty ones; may be the matrix that the sum was made with
  void add_term(const Csr<Complex>& t);
  /// @param factors [terms]
  void set_factors(std::vector<Complex> factors);

  const std::vector<MatrixTerm>& terms() const { return terms_; }
  const std::vector<Complex>& factors() const { return factors_; }
  /// The matrix, with any values.
  const Csr<Complex>& pattern() const { return a_; }
  /// The matrix; adds the terms where that has not been done since the factors were set.
  const Csr<Complex>& matrix() const;
  /// Tells sums apart, also those that are no more.
  std::uint64_t number() const { return number_; }

 private:
  Csr<Complex>& a_;
  std::uint64_t number_;
  std::vector<MatrixTerm> terms_;
  std::vector<Complex> factors_;
  mutable bool is_added_ = false;
};

/// A direct solver that keeps the terms beside its factors and adds them there.
class SumSolver {
 public:
  virtual ~SumSolver() = default;
  /// As DirectSolver::factor of a.matrix().
  virtual void factor_sum(const MatrixSum& a) = 0;
};

}  // namespace curlew::linalg
