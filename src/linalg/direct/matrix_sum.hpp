// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A = Σ g_t T_t on one pattern: the system of a frequency sweep, with constant terms and changing factors.
// The terms are added in one pass over the entries, on the host or where a solver stores its values.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Entries of a term, by their indices in the arrays of the pattern.
struct MatrixTerm {
  bool has_all_places = true;
  std::vector<Offset> places;  ///< ascending, if few; else empty: entry k has index k
  std::vector<double> re, im;  ///< im is empty if the term is real
};

class MatrixSum {
 public:
  /// @param a has the pattern of the terms; its values become those of the sum. Outlives the sum.
  explicit MatrixSum(Csr<Complex>& a);

  /// Adds a term. @param t rows of the pattern, or empty ones; may be the matrix that the sum was made with
  void add_term(const Csr<Complex>& t);
  /// @param factors [terms]
  void set_factors(std::vector<Complex> factors);

  const std::vector<MatrixTerm>& terms() const { return terms_; }
  const std::vector<Complex>& factors() const { return factors_; }
  /// The matrix, with any values.
  const Csr<Complex>& pattern() const { return a_; }
  /// The matrix; adds the terms if not yet done for the current factors.
  const Csr<Complex>& matrix() const;
  /// Unique number of this sum in the process.
  std::uint64_t number() const { return number_; }

 private:
  Csr<Complex>& a_;
  std::uint64_t number_;
  std::vector<MatrixTerm> terms_;
  std::vector<Complex> factors_;
  mutable bool is_added_ = false;
};

/// A direct solver that stores the terms with its factors and adds them there.
class SumSolver {
 public:
  virtual ~SumSolver() = default;
  /// As DirectSolver::factor of a.matrix().
  virtual void factor_sum(const MatrixSum& a) = 0;
};

}  // namespace curlew::linalg
