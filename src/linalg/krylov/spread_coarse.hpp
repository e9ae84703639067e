// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The coarse level of a distributed system, factorised by MUMPS on all processes, and terms of low rank on
// it.

#include <memory>

#include "linalg/direct/mumps.hpp"
#include "linalg/krylov/low_rank.hpp"
#include "linalg/krylov/spread_rows.hpp"

namespace curlew::linalg {

/// U V on the coarse level: each process has its rows of U and its columns of V.
class SpreadTerm {
 public:
  SpreadTerm() = default;
  /// @param term of the full system, nonzero on its coarse level only
  SpreadTerm(const SpreadRows& rows, const LowRank& term);
  /// -W V of the same term, with which (A + U V)⁻¹ = (I - W V) A⁻¹ (Woodbury)
  /// @param solved [own coarse unknowns, rank] A⁻¹ U
  SpreadTerm inverse(const std::vector<Complex>& solved) const;
  /// y += U V x; x and y may be the same. @param x, y [local coarse unknowns]
  void add(const Complex* x, Complex* y) const;
  bool is_empty() const { return own_.is_empty(); }

 private:
  const ProcessGroup* group_ = nullptr;
  LowRank own_;
};

/// A + U V of all levels. @param a, term stored by reference
class SpreadSum final : public LinearOperator<Complex> {
 public:
  SpreadSum(const LinearOperator<Complex>& a, const SpreadTerm& term) : a_(a), term_(term) {}
  Index size() const override { return a_.size(); }
  void apply(const Complex* x, Complex* y) const override {
    a_.apply(x, y);
    term_.add(x, y);
  }

 private:
  const LinearOperator<Complex>& a_;
  const SpreadTerm& term_;
};

/// Gathers distributed vectors on process 0, and scatters them; process by process, to avoid the memory of a
/// further full vector on process 0.
class Gathering {
 public:
  /// @param own indices of the local values in the full vector, on each process
  Gathering(const ProcessGroup& group, const std::vector<Index>& own);
  /// @param x local values @param[out] whole full vector on process 0
  void gather(const Complex* x, Complex* whole) const;
  void scatter(const Complex* whole, Complex* x) const;

 private:
  std::size_t count_of(int process) const;

  const ProcessGroup* group_;
  std::size_t own_;
  std::vector<Index> numbers_;           // on process 0: indices of all, by process
  std::vector<std::size_t> begin_;       // first index of each process on process 0; else empty
  mutable std::vector<Complex> values_;  // on process 0: of one process
};

/// z = (A00 + U V)⁻¹ r, after factor().
class SpreadCoarse final : public LinearOperator<Complex> {
 public:
  /// Rows and matrix are not used after construction. @param a rows of this process
  SpreadCoarse(const SpreadRows& rows, const Csr<Complex>& a, const LowRank& term,
               const DirectOptions& options);
  /// Orders the unknowns and factorises. @param term as in the constructor @throws as MUMPS, and
  /// ResourceError if the factors do not fit, on all processes
  void factor(const LowRank& term);
  Index size() const override { return size_; }
  void apply(const Complex* r, Complex* z) const override;
  const DirectInfo& info() const { return solver_->info(); }  ///< after factor()
  /// Seconds of all calls of apply so far.
  double apply_seconds() const { return apply_seconds_; }

 private:
  void order();
  void factor_matrix();
  void solve(Complex* whole, Index columns) const;
  /// A00⁻¹ U of the local rows, column-major
  std::vector<Complex> solved_term(const LowRank& term) const;

  const ProcessGroup* group_;
  Index size_, unknowns_ = 0;   // of this process; of all processes
  std::vector<Index> numbers_;  // [all unknowns] number on the coarse level, -1 above it
  std::unique_ptr<Gathering> gathering_;
  std::unique_ptr<SharedMumps> solver_;
  Csr<Complex> matrix_;  // until factor()
  SpreadTerm own_term_, correction_;
  DirectOptions options_;
  mutable std::vector<Complex> whole_;  // on process 0
  mutable double apply_seconds_ = 0;
};

}  // namespace curlew::linalg
