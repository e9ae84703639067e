// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A sparse matrix and a term of low rank, A + U V: a system with modal port terms. Krylov methods use the
// sum; A alone, which may be nearly singular, is never inverted.

#include <functional>
#include <memory>
#include <span>

#include "linalg/csr.hpp"
#include "linalg/krylov/coarse_solver.hpp"
#include "linalg/linear_operator.hpp"
#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

/// U V with few columns in U. Rows without entries cost nothing.
struct LowRank {
  Csr<Complex> left;   ///< U [n, rank]
  Csr<Complex> right;  ///< V [rank, n]
  bool is_empty() const { return right.num_rows == 0; }
};

/// Its part on the first n rows and columns.
LowRank first_rows(const LowRank& term, Index n);

/// The same for unknowns in another order: row i of the result is row order[i].
LowRank permute(const LowRank& term, std::span<const Index> order);

/// max |xᵀ (U V) y - yᵀ (U V) x| over the size of the two, for random vectors x and y: 0 to rounding
/// if U V is symmetric.
double asymmetry(const LowRank& term);

/// W = X (I + V X)⁻¹ for X = A⁻¹ U, so that (A + U V)⁻¹ = (I - W V) A⁻¹ (Woodbury).
/// @param x [n, rank] column-major
/// @param sum sums the entries of V X over the processes of a distributed matrix
/// @throws NumericalError if I + V X is singular
LowRank inverse_term(const LowRank& term, const std::vector<Complex>& x,
                     const std::function<void(Complex* y, std::size_t n)>& sum = {});

/// y = A x + U V x, and (I - W V) A x; one source for host and device. Included by the file of each backend.
template <class B>
class SumSteps {
 public:
  using V = complex<double>;
  using Operator = typename B::template Operator<double>;

  /// Allocates memory for n columns.
  void reserve(B& backend, Offset rank, Offset rows, Offset n) {
    if (Offset(few_.size()) < rank * n) few_ = backend.template vector<double>(rank * n);
    if (Offset(added_.size()) < rows * n) added_ = backend.template vector<double>(rows * n);
  }
  void apply(B& backend, const Operator& a, const Operator& left, const Operator& right, const V* x,
             Offset ldx, V* y, Offset ldy, Offset n) {
    backend.apply_many(a, x, ldx, y, ldy, Index(n));
    add(backend, left, right, x, ldx, y, ldy, n);
  }
  /// y = (I + U V) A x
  void apply_after(B& backend, const Operator& a, const Operator& left, const Operator& right, const V* x,
                   Offset ldx, V* y, Offset ldy, Offset n) {
    backend.apply_many(a, x, ldx, y, ldy, Index(n));
    add(backend, left, right, y, ldy, y, ldy, n);
  }
  /// y += U V x; x and y may be the same.
  void add(B& backend, const Operator& left, const Operator& right, const V* x, Offset ldx, V* y, Offset ldy,
           Offset n) {
    const Offset rows = left.size(), rank = right.size();
    reserve(backend, rank, rows, n);
    backend.apply_many(right, x, ldx, few_.data(), rank, Index(n));
    backend.apply_many(left, static_cast<const V*>(few_.data()), rank, added_.data(), rows, Index(n));
    const V* const added = added_.data();
    backend.sweep(rows * n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const Offset column = i / rows;
      y[column * ldy + i - column * rows] += added[i];
    });
  }

 private:
  typename B::template Vector<double> few_, added_;
};

/// The entries of a thin matrix, column-major.
std::vector<Complex> dense(const Csr<Complex>& a);

/// (A + U V)⁻¹ around a solver of A; the solver itself if the term is empty.
std::shared_ptr<CoarseSolver<LinearOperator<Complex>>> with_term(
    std::shared_ptr<CoarseSolver<LinearOperator<Complex>>> inner, const LowRank& term);
std::shared_ptr<CoarseSolver<DeviceOperator<complex<double>>>> with_term(
    std::shared_ptr<CoarseSolver<DeviceOperator<complex<double>>>> inner, const LowRank& term);

/// @param a stored by reference @param term copied
std::unique_ptr<LinearOperator<Complex>> make_sum(const LinearOperator<Complex>& a, const LowRank& term);
/// The same on the GPU. For builds with CUDA.
std::unique_ptr<DeviceOperator<complex<double>>> make_device_sum(const DeviceOperator<complex<double>>& a,
                                                                 const LowRank& term);

}  // namespace curlew::linalg
