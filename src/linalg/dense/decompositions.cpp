// SPDX-License-Identifier: BSD-3-Clause
// Source: Anderson et al. (1999), LAPACK Users' Guide, 3rd edition.
#include "linalg/dense/decompositions.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>

#include "base/error.hpp"
#include "linalg/dense/lapack.hpp"

namespace curlew::linalg {
namespace {

void require_success(int info, const char* what, Eigen::Index n) {
  if (info != 0) throw NumericalError(fmt::format("{} of a matrix of {} columns failed: {}", what, n, info));
}

/// Up to this size LAPACK on all threads of its BLAS takes as long as on the caller's, or up to a hundred
/// times longer where they have other work, as in loops over frequency.
constexpr Eigen::Index alone_up_to = 200;

/// By the calling thread alone.
template <class Matrix>
Matrix solve_alone(const Matrix& a, const Matrix& b) {
  if (a.size() == 0) return b;
  const Eigen::PartialPivLU<Matrix> lu(a);
  if ((lu.matrixLU().diagonal().array() == 0.0).any()) require_success(1, "LU", a.rows());
  return lu.solve(b);
}

/// Calls a LAPACK routine twice: for the size of its workspace, and with it.
template <class Call>
void with_workspace(const Call& call) {
  Complex size{};
  int query = -1;
  call(&size, &query);
  std::vector<Complex> work(std::size_t(std::max(1.0, size.real())));
  const int length = int(work.size());
  call(work.data(), &length);
}

/// @param gesv LAPACK's routine for these numbers
template <class Gesv, class M>
M solve_by(const Gesv& gesv, M a, M b) {
  if (a.rows() <= alone_up_to) return solve_alone(a, b);
  const int n = int(a.rows()), columns = int(b.cols());
  if (n == 0 || columns == 0) return b;
  std::vector<int> pivots(std::size_t(n), 0);
  int info = 0;
  gesv(&n, &columns, a.data(), &n, pivots.data(), b.data(), &n, &info);
  require_success(info, "LU", n);
  return b;
}

}  // namespace

Eigen::MatrixXcd solve(Eigen::MatrixXcd a, Eigen::MatrixXcd b) {
  return solve_by(zgesv_, std::move(a), std::move(b));
}

Eigen::MatrixXd solve(Eigen::MatrixXd a, Eigen::MatrixXd b) {
  return solve_by(dgesv_, std::move(a), std::move(b));
}

Svd svd(Eigen::MatrixXcd a) {
  const int m = int(a.rows()), n = int(a.cols()), k = std::min(m, n);
  Svd out{Eigen::MatrixXcd(m, k), Eigen::VectorXd(k), {}};
  Eigen::MatrixXcd vh(k, n);
  if (k == 0) return {out.u, out.s, vh.adjoint()};
  std::vector<double> real(5 * std::size_t(k));
  int info = 0;
  with_workspace([&](Complex* work, const int* length) {
    zgesvd_("S", "S", &m, &n, a.data(), &m, out.s.data(), out.u.data(), &m, vh.data(), &k, work, length,
            real.data(), &info);
  });
  require_success(info, "singular value decomposition", n);
  out.v = vh.adjoint();
  return out;
}

Eigh eigh(Eigen::MatrixXcd a) {
  const int n = int(a.rows());
  Eigen::VectorXd values(n);
  if (n == 0) return {values, a};
  std::vector<double> real(std::size_t(std::max(1, 3 * n - 2)));
  int info = 0;
  with_workspace([&](Complex* work, const int* length) {
    zheev_("V", "L", &n, a.data(), &n, values.data(), work, length, real.data(), &info);
  });
  require_success(info, "eigenvalues", n);
  return {values, std::move(a)};
}

Eigen::Index ColumnPivotedQr::rank(double least) const {
  Eigen::Index rows = 0;
  while (rows < r.rows() && std::abs(r(rows, rows)) > least) ++rows;
  return rows;
}

ColumnPivotedQr column_pivoted_qr(Eigen::MatrixXcd a) {
  const int m = int(a.rows()), n = int(a.cols()), k = std::min(m, n);
  ColumnPivotedQr out{Eigen::MatrixXcd(m, k), Eigen::MatrixXcd::Zero(k, n), {}};
  if (k == 0) {
    for (int c = 0; c < n; ++c) out.columns.push_back(c);
    return out;
  }
  std::vector<int> order(std::size_t(n), 0);
  std::vector<double> real(2 * std::size_t(n));
  std::vector<Complex> tau(std::size_t(k), Complex(0));
  int info = 0;
  with_workspace([&](Complex* work, const int* length) {
    zgeqp3_(&m, &n, a.data(), &m, order.data(), tau.data(), work, length, real.data(), &info);
  });
  require_success(info, "QR", n);
  for (const int column : order) out.columns.push_back(column - 1);
  out.r.triangularView<Eigen::Upper>() = a.topRows(k);
  out.q = a.leftCols(k);
  with_workspace([&](Complex* work, const int* length) {
    zungqr_(&m, &k, &k, out.q.data(), &m, tau.data(), work, length, &info);
  });
  require_success(info, "QR", n);
  return out;
}

}  // namespace curlew::linalg
