// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/pivoted_qr.hpp"

#include <algorithm>

namespace curlew::ngim {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

namespace {

constexpr Index panel_width = 32, block_size = 64;

/// f(first, count) for blocks of n rows or columns, by all threads.
template <class F>
void for_blocks(Index n, F&& f) {
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < n; j += block_size) f(j, std::min(block_size, n - j));
}

}  // namespace

PivotedQr::PivotedQr(MatrixXcd a) : a_(std::move(a)) {
  q_.resize(a_.rows(), std::min(a_.rows(), a_.cols()));
  norms_ = a_.colwise().squaredNorm();
  first_ = norms_.maxCoeff();
}

int PivotedQr::next_pivot() const {
  Index pivot = 0;
  norms_.maxCoeff(&pivot);
  return int(pivot);
}

/// Orthogonalises the pivot against the directions so far, twice, so that Q stays orthogonal to rounding.
VectorXcd PivotedQr::new_direction(int pivot, Index panel_begin, const MatrixXcd& rows) const {
  const Index rank = Index(pivots_.size()), in_panel = rank - panel_begin;
  VectorXcd v = a_.col(pivot);
  v.noalias() -= q_.middleCols(panel_begin, in_panel) * rows.col(pivot).head(in_panel);
  VectorXcd left(rank);
  for_blocks(rank, [&](Index j, Index count) {
    left.segment(j, count).noalias() = q_.middleCols(j, count).adjoint() * v;
  });
  for_blocks(v.size(), [&](Index i, Index count) {
    v.segment(i, count).noalias() -= q_.middleRows(i, count).leftCols(rank) * left;
  });
  return v.normalized();
}

void PivotedQr::extend(double error) {
  const Index n = a_.cols(), most = q_.cols();
  const double enough = error * error * first_;
  MatrixXcd rows(panel_width, n);  // of R, of the present panel
  while (Index(pivots_.size()) < most) {
    const Index begin = Index(pivots_.size()), width = std::min(panel_width, most - begin);
    for (Index i = 0; i < width; ++i) {
      const int pivot = next_pivot();
      if (norms_[pivot] <= enough) break;
      q_.col(begin + i) = new_direction(pivot, begin, rows);
      pivots_.push_back(pivot);
      for_blocks(n, [&](Index j, Index count) {
        rows.row(i).segment(j, count).noalias() = q_.col(begin + i).adjoint() * a_.middleCols(j, count);
        norms_.segment(j, count) -= rows.row(i).segment(j, count).cwiseAbs2().transpose();
      });
      for (const int taken : pivots_) norms_[taken] = -1;
    }
    const Index taken = Index(pivots_.size()) - begin;
    if (taken == 0) return;
    for_blocks(n, [&](Index j, Index count) {
      a_.middleCols(j, count).noalias() -=
          q_.middleCols(begin, taken) * rows.topRows(taken).middleCols(j, count);
      norms_.segment(j, count) = a_.middleCols(j, count).colwise().squaredNorm();
    });
    for (const int pivot : pivots_) norms_[pivot] = -1;
  }
}

MatrixXcd PivotedQr::interpolation(const MatrixXcd& pivot_columns, const MatrixXcd& f) const {
  const auto q = q_.leftCols(Index(pivots_.size()));
  const MatrixXcd r = q.adjoint() * pivot_columns;
  MatrixXcd p(r.rows(), f.cols());
  for_blocks(f.cols(), [&](Index j, Index count) {
    p.middleCols(j, count).noalias() = q.adjoint() * f.middleCols(j, count);
    r.triangularView<Eigen::Upper>().solveInPlace(p.middleCols(j, count));
  });
  return p;
}

}  // namespace curlew::ngim
