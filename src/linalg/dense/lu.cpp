// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/lu.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "linalg/dense/condition.hpp"
#include "linalg/dense/kept_lu.hpp"
#include "linalg/dense/lapack.hpp"
#include "linalg/dense/sampled_residual.hpp"

namespace curlew::linalg {
namespace {

constexpr int few_columns = 4;  // above, products of matrices refine all of them together
constexpr int most_steps = 60;
constexpr Offset mixed_from = 500;  // below it the conversion takes as long as single precision saves

double norm2(const Complex* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::norm(v[i]);
  return std::sqrt(sum);
}

void check_info(int info, Offset n) {
  if (info > 0) throw NumericalError(fmt::format("the matrix is singular: pivot {} of {} is zero", info, n));
}

/// R = B - A X, and the largest relative column norm.
double residuals(const DenseMatrix& a, const std::vector<Complex>& b, const Complex* x, int num_rhs,
                 std::vector<Complex>& r) {
  const int n = int(a.rows());
  const Complex minus = -1, one = 1;
  r = b;
  zgemm_("N", "N", &n, &num_rhs, &n, &minus, a.data(), &n, x, &n, &one, r.data(), &n);
  double worst = 0;
  for (int c = 0; c < num_rhs; ++c) {
    const double size = norm2(&b[std::size_t(c) * std::size_t(n)], n);
    if (size > 0)
      worst = std::max(worst, norm2(&r[std::size_t(c) * std::size_t(n)], n) / size);
    else if (norm2(&r[std::size_t(c) * std::size_t(n)], n) > 0)
      worst = HUGE_VAL;
  }
  return std::isfinite(worst) ? worst : HUGE_VAL;
}

}  // namespace

/// The factors in single precision.
class HostSingleLu {
 public:
  explicit HostSingleLu(const DenseMatrix& a)
      : n_(int(a.rows())), lu_(std::size_t(a.rows() * a.rows())), pivots_(std::size_t(n_)) {
#pragma omp parallel for
    for (Offset j = 0; j < a.cols(); ++j) {
      for (Offset i = 0; i < a.rows(); ++i) lu_[std::size_t(i + j * a.rows())] = ComplexF(a(i, j));
    }
    int info = 0;
    cgetrf_(&n_, &n_, lu_.data(), &n_, pivots_.data(), &info);
    singular_ = info > 0;
  }
  bool singular() const {
    return singular_;
  }
  /// Each column is scaled to 1 first: residuals underflow in single precision otherwise.
  void solve(Complex* b, int num_rhs, const char* trans = "N") const {
    const auto n = std::size_t(n_), m = std::size_t(num_rhs);
    std::vector<ComplexF> f(n * m);
    std::vector<double> scale(m);
    for (std::size_t c = 0; c < m; ++c) {
      scale[c] = norm2(b + c * n, n_);
      for (std::size_t i = 0; i < n; ++i)
        f[c * n + i] = scale[c] > 0 ? ComplexF(b[c * n + i] / scale[c]) : ComplexF(0);
    }
    if (const int one = 1; num_rhs == 1 && *trans == 'N') {  // cgetrs copies the factors for one column, too
      for (std::size_t i = 0; i < n; ++i) std::swap(f[i], f[std::size_t(pivots_[i] - 1)]);
      ctrsv_("L", "N", "U", &n_, lu_.data(), &n_, f.data(), &one);
      ctrsv_("U", "N", "N", &n_, lu_.data(), &n_, f.data(), &one);
    } else {
      int info = 0;
      cgetrs_(trans, &n_, &num_rhs, lu_.data(), &n_, pivots_.data(), f.data(), &n_, &info);
    }
    for (std::size_t c = 0; c < m; ++c) {
      for (std::size_t i = 0; i < n; ++i) b[c * n + i] = scale[c] * Complex(f[c * n + i]);
    }
  }

 private:
  int n_;
  std::vector<ComplexF> lu_;
  std::vector<int> pivots_;
  bool singular_ = false;
};

namespace {

/// A x = b by GMRES with factors of A or of a matrix like it, restarted until the residual reaches
/// refined_residual or stops falling; in that case it must be below 4 rounding errors of |A| |x|. @param norm
/// of A
/// @param most steps @returns steps, or nothing
std::optional<int> iterate(const DenseMatrix& a, const HostSingleLu& lu, double norm, const Complex* b,
                           Complex* x, int most) {
  constexpr int cycle = 30;
  constexpr double rounding = 1e-15;
  const int n = int(a.rows()), one = 1;
  const Complex plus = 1, minus = -1, zero = 0;
  const auto size = std::size_t(n);
  const double right = norm2(b, n);
  std::fill(x, x + n, Complex());
  if (right == 0) return 0;
  std::vector<Complex> r(b, b + n);
  Eigen::MatrixXcd v(n, cycle + 1), z(n, cycle);
  int steps = 0;
  for (double last = HUGE_VAL;;) {
    const double now = norm2(r.data(), n), limit = refined_residual * right;
    if (now <= limit) return steps;
    if (!(now < 0.5 * last) || steps >= most) {
      if (now <= rounding * norm * norm2(x, n)) return steps;
      return std::nullopt;
    }
    last = now;
    Eigen::MatrixXcd h = Eigen::MatrixXcd::Zero(cycle + 1, cycle);
    Eigen::VectorXcd y, start = Eigen::VectorXcd::Zero(cycle + 1);
    start[0] = now;
    v.col(0) = Eigen::Map<const Eigen::VectorXcd>(r.data(), n) / now;
    int used = 0;
    for (double left = 1; used < cycle && steps < most && left > std::max(1e-9, 0.3 * limit / now);) {
      const int j = used++;
      ++steps;
      z.col(j) = v.col(j);
      lu.solve(&z(0, j), 1);
      zgemv_("N", &n, &n, &plus, a.data(), &n, &z(0, j), &one, &zero, &v(0, j + 1), &one);
      for (int pass = 0; pass < 2; ++pass) {
        const Eigen::VectorXcd along = v.leftCols(used).adjoint() * v.col(used);
        v.col(used) -= v.leftCols(used) * along;
        h.col(j).head(used) += along;
      }
      const double length = v.col(used).norm();
      h(used, j) = length;
      y = h.topLeftCorner(used + 1, used).householderQr().solve(start.head(used + 1));
      left = (start.head(used + 1) - h.topLeftCorner(used + 1, used) * y).norm() / now;
      if (!(length > 0) || !std::isfinite(length)) break;
      v.col(used) /= length;
    }
    Eigen::Map<Eigen::VectorXcd>(x, n) += z.leftCols(used) * y;
    std::copy(b, b + size, r.begin());
    zgemv_("N", &n, &n, &minus, a.data(), &n, x, &one, &plus, r.data(), &one);
  }
}

/// Solves by GMRES, or returns nothing where it does not reach its limit; b is then as before.
std::optional<LuReport> refine(const DenseMatrix& a, const HostSingleLu& lu, double norm, Complex* b,
                               int num_rhs, int most) {
  LuReport report;
  report.method = "LU in single precision, refined in double";
  const Timer timer;
  const auto n = std::size_t(a.rows());
  std::vector<Complex> x(n * std::size_t(num_rhs)), r;
  const std::vector<Complex> right(b, b + x.size());
  for (int c = 0; c < num_rhs; ++c) {
    const auto steps = iterate(a, lu, norm, b + std::size_t(c) * n, &x[std::size_t(c) * n], most);
    if (!steps) return std::nullopt;
    report.refinements = std::max(report.refinements, *steps);
  }
  std::copy(x.begin(), x.end(), b);
  report.residual = residuals(a, right, b, num_rhs, r);
  report.solve_seconds = timer.seconds();
  return report;
}

/// Solves by refinement, or returns nothing where it does not reach refined_residual; b is then as before.
std::optional<LuReport> solve_mixed(const DenseMatrix& a, double norm, Complex* b, int num_rhs,
                                    bool with_condition) {
  LuReport report;
  report.method = "LU in single precision, refined in double";
  Timer timer;
  const HostSingleLu lu(a);
  report.factor_seconds = timer.seconds();
  if (lu.singular()) return std::nullopt;
  timer.restart();
  const auto total = std::size_t(a.rows()) * std::size_t(num_rhs);
  const std::vector<Complex> right(b, b + total);
  std::vector<Complex> x(right), r;
  lu.solve(x.data(), num_rhs);
  double last = HUGE_VAL;
  for (int step = 0;; ++step) {
    const double now = residuals(a, right, x.data(), num_rhs, r);
    // Continues below the requested residual as long as a step gains a digit.
    if (now > 0.1 * last || now < 1e-15 || step == 30) {
      if (std::min(now, last) > refined_residual) {
        std::copy(right.begin(), right.end(), b);
        return std::nullopt;
      }
      if (now < last) std::copy(x.begin(), x.end(), b);
      report.residual = std::min(now, last);
      break;
    }
    std::copy(x.begin(), x.end(), b);
    last = now;
    lu.solve(r.data(), num_rhs);
    for (std::size_t i = 0; i < total; ++i) x[i] += r[i];
    report.refinements = step + 1;
  }
  report.residual = residuals(a, right, b, num_rhs, r);
  report.solve_seconds = timer.seconds();
  if (with_condition) {
    report.condition = norm * inverse_norm_estimate(a.rows(), [&](Complex* v, bool adjoint) {
                         lu.solve(v, 1, adjoint ? "C" : "N");
                       });
  }
  return report;
}

LuReport solve_full(DenseMatrix& a, double norm, Complex* b, int num_rhs, bool with_condition) {
  LuReport report;
  report.method = "LU in double precision";
  const int n = int(a.rows());
  const SampledResidual residual(a, b, num_rhs);
  Timer timer;
  std::vector<int> pivots(static_cast<std::size_t>(n));
  int info = 0;
  zgetrf_(&n, &n, a.data(), &n, pivots.data(), &info);
  check_info(info, n);
  report.factor_seconds = timer.seconds();
  timer.restart();
  zgetrs_("N", &n, &num_rhs, a.data(), &n, pivots.data(), b, &n, &info);
  report.solve_seconds = timer.seconds();
  report.residual = residual.of(b);
  if (with_condition) {
    const int one = 1;
    report.condition = norm * inverse_norm_estimate(n, [&](Complex* v, bool adjoint) {
                         zgetrs_(adjoint ? "C" : "N", &n, &one, a.data(), &n, pivots.data(), v, &n, &info);
                       });
  }
  return report;
}

}  // namespace

KeptLu::KeptLu() = default;
KeptLu::~KeptLu() = default;

std::optional<LuReport> KeptLu::solve(const DenseMatrix& a, Complex* b, int num_rhs) {
  const Offset n = a.rows();
  if (n < mixed_from || num_rhs > few_columns) return std::nullopt;
  const double norm = norm1(a);
  // A step reads matrix and factors: with so many the time of a factorisation is reached.
  const int most = int(n / 60);
  if (factors_ && size_ == n)
    if (auto found = refine(a, *factors_, norm, b, num_rhs, most)) {
      found->method = "factors of another frequency, refined in double";
      return found;
    }
  const Timer timer;
  factors_.reset();
  factors_ = std::make_unique<HostSingleLu>(a);
  size_ = n;
  const double seconds = timer.seconds();
  auto found = factors_->singular() ? std::nullopt : refine(a, *factors_, norm, b, num_rhs, most_steps);
  if (!found) factors_.reset();
  if (found) found->factor_seconds = seconds;
  return found;
}

std::size_t dense_workspace(Offset n, int num_rhs, LuPrecision precision) {
  const bool mixed =
      precision == LuPrecision::mixed || (precision == LuPrecision::automatic && n >= mixed_from);
  const auto rhs = std::size_t(n) * std::size_t(num_rhs) * sizeof(Complex);
  return mixed ? std::size_t(n * n) * sizeof(ComplexF) + 4 * rhs
               : std::size_t(64 * n) * sizeof(Complex) + rhs;
}

LuReport solve_dense(DenseMatrix& a, Complex* b, int num_rhs, LuPrecision precision, bool with_condition) {
  if (a.rows() != a.cols()) throw InputError("a dense system needs a square matrix");
  if (a.rows() == 0 || num_rhs == 0) return {};
  const double norm = norm1(a);
  if (precision == LuPrecision::mixed || (precision == LuPrecision::automatic && a.rows() >= mixed_from)) {
    require_memory(dense_workspace(a.rows(), num_rhs, LuPrecision::mixed), "the factors in single precision");
    if (const auto report = solve_mixed(a, norm, b, num_rhs, with_condition)) return *report;
    if (precision == LuPrecision::mixed) {
      throw NumericalError(
          "refinement from single precision does not converge: the matrix is too ill-conditioned");
    }
  }
  return solve_full(a, norm, b, num_rhs, with_condition);
}

}  // namespace curlew::linalg
