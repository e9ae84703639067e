// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/low_rank.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "linalg/dense/decompositions.hpp"
#include "linalg/krylov/random_vector.hpp"
#include "linalg/sparse/crs_operator.hpp"
#include "linalg/vector/host_backend.hpp"

namespace curlew::linalg {
namespace {

class MatrixAndTerm final : public LinearOperator<Complex> {
 public:
  MatrixAndTerm(const LinearOperator<Complex>& a, const LowRank& term)
      : a_(a), term_(term), left_(term_.left), right_(term_.right) {}
  Index size() const override { return a_.size(); }
  void apply(const Complex* x, Complex* y) const override { apply_many(x, size(), y, size(), 1); }
  void apply_many(const Complex* x, Offset ldx, Complex* y, Offset ldy, Index n) const override {
    using V = complex<double>;
    steps_.apply(backend_, a_, left_, right_, reinterpret_cast<const V*>(x), ldx, reinterpret_cast<V*>(y),
                 ldy, n);
  }

 private:
  const LinearOperator<Complex>& a_;
  LowRank term_;
  CrsOperator<Complex> left_, right_;
  mutable HostBackend backend_;
  mutable SumSteps<HostBackend> steps_;
};

class CoarseWithTerm final : public CoarseSolver<LinearOperator<Complex>> {
 public:
  CoarseWithTerm(std::shared_ptr<CoarseSolver<LinearOperator<Complex>>> inner, const LowRank& term)
      : inner_(std::move(inner)), term_(term) {}
  void factor(const Csr<Complex>& a) override {
    inner_->factor(a);
    std::vector<Complex> u = dense(term_.left), x(u.size());
    inner_->apply_many(u.data(), size(), x.data(), size(), term_.left.num_cols);
    term_ = inverse_term(term_, x);
    left_.emplace(term_.left), right_.emplace(term_.right);
  }
  const DirectInfo& info() const override { return inner_->info(); }
  Index coarse_functions() const override { return inner_->coarse_functions(); }
  Index size() const override { return inner_->size(); }
  void apply(const Complex* r, Complex* z) const override { apply_many(r, size(), z, size(), 1); }
  void apply_many(const Complex* r, Offset ldr, Complex* z, Offset ldz, Index n) const override {
    using V = complex<double>;
    steps_.apply_after(backend_, *inner_, *left_, *right_, reinterpret_cast<const V*>(r), ldr,
                       reinterpret_cast<V*>(z), ldz, n);
  }

 private:
  std::shared_ptr<CoarseSolver<LinearOperator<Complex>>> inner_;
  LowRank term_;  // U V, then -W V
  std::optional<CrsOperator<Complex>> left_, right_;
  mutable HostBackend backend_;
  mutable SumSteps<HostBackend> steps_;
};

/// The same numbers in every run. @param first of them
std::vector<Complex> random_vector(Index n, Offset first) {
  std::vector<Complex> x(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const complex<double> value = random_entry<double>(first + i);
    x[std::size_t(i)] = {value.re, value.im};
  }
  return x;
}

/// y = U V x
std::vector<Complex> product(const LowRank& term, const std::vector<Complex>& x) {
  std::vector<Complex> few(std::size_t(term.right.num_rows)), y(x.size());
  multiply(term.right, x.data(), few.data());
  multiply(term.left, few.data(), y.data());
  return y;
}

Complex dot(const std::vector<Complex>& x, const std::vector<Complex>& y) {
  Complex sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

LowRank first_rows(const LowRank& term, Index n) {
  if (term.is_empty()) return {};
  const Index rank = term.right.num_rows;
  return {block(term.left, 0, n, 0, rank), block(term.right, 0, rank, 0, n)};
}

LowRank inverse_term(const LowRank& term, const std::vector<Complex>& x,
                     const std::function<void(Complex* y, std::size_t n)>& sum_up) {
  const Index n = term.left.num_rows, rank = term.right.num_rows;
  Eigen::MatrixXcd vx(rank, rank);
  multiply(term.right, x.data(), vx.data(), rank);
  if (sum_up) sum_up(vx.data(), std::size_t(vx.size()));
  const Eigen::MatrixXcd sum = Eigen::MatrixXcd::Identity(rank, rank) + vx;
  const Eigen::MatrixXcd w = Eigen::Map<const Eigen::MatrixXcd>(x.data(), n, rank) *
                             solve(sum, Eigen::MatrixXcd::Identity(rank, rank));
  LowRank inverse{{}, term.right};
  Csr<Complex>& left = inverse.left;
  left.num_rows = n, left.num_cols = rank;
  left.row_offsets.resize(std::size_t(n) + 1);
  left.columns.reserve(std::size_t(n) * std::size_t(rank)), left.values.reserve(left.columns.capacity());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < rank; ++j) left.columns.push_back(j), left.values.push_back(-w(i, j));
    left.row_offsets[std::size_t(i) + 1] = left.row_offsets[std::size_t(i)] + rank;
  }
  return inverse;
}

LowRank permute(const LowRank& term, std::span<const Index> order) {
  std::vector<Index> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[std::size_t(order[i])] = Index(i);
  const auto renumbered = [&](const Csr<Complex>& a, bool rows) {
    Coo<Complex> out;
    out.num_rows = a.num_rows, out.num_cols = a.num_cols;
    for (Index i = 0; i < a.num_rows; ++i)
      for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k) {
        const Index j = a.columns[std::size_t(k)];
        out.add(rows ? place[std::size_t(i)] : i, rows ? j : place[std::size_t(j)], a.values[std::size_t(k)]);
      }
    return to_csr(out);
  };
  return {renumbered(term.left, true), renumbered(term.right, false)};
}

double asymmetry(const LowRank& term) {
  if (term.is_empty()) return 0;
  const Index n = term.left.num_rows;
  const auto x = random_vector(n, 0), y = random_vector(n, n);
  const Complex one = dot(x, product(term, y)), other = dot(y, product(term, x));
  const double size = std::max(std::abs(one), std::abs(other));
  return size == 0 ? 0 : std::abs(one - other) / size;
}

std::vector<Complex> dense(const Csr<Complex>& a) {
  std::vector<Complex> columns(std::size_t(a.num_rows) * std::size_t(a.num_cols));
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      columns[std::size_t(a.columns[std::size_t(k)]) * std::size_t(a.num_rows) + std::size_t(i)] =
          a.values[std::size_t(k)];
  return columns;
}

std::shared_ptr<CoarseSolver<LinearOperator<Complex>>> with_term(
    std::shared_ptr<CoarseSolver<LinearOperator<Complex>>> inner, const LowRank& term) {
  if (term.is_empty()) return inner;
  return std::make_shared<CoarseWithTerm>(std::move(inner), term);
}

std::unique_ptr<LinearOperator<Complex>> make_sum(const LinearOperator<Complex>& a, const LowRank& term) {
  return std::make_unique<MatrixAndTerm>(a, term);
}

}  // namespace curlew::linalg
