// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/iteration.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "linalg/dense/decompositions.hpp"

namespace curlew::truncation {

namespace {

using Matrix = Eigen::MatrixXcd;
using Columns = Eigen::Map<const Matrix>;

Columns columns(const std::vector<Complex>& v, const InterfaceMap& map) {
  return Columns(v.data(), Eigen::Index(map.size()), map.count());
}

/// The largest ||a_c|| / size_c.
double largest_ratio(const Eigen::RowVectorXd& norms, const Eigen::RowVectorXd& sizes) {
  double largest = 0;
  for (Eigen::Index c = 0; c < norms.size(); ++c) {
    const double ratio = sizes[c] > 0 ? norms[c] / sizes[c] : norms[c];
    largest = std::isfinite(ratio) ? std::max(largest, ratio) : std::numeric_limits<double>::infinity();
  }
  return largest;
}

double relative_change(const std::vector<Complex>& b, const std::vector<Complex>& image,
                       const InterfaceMap& map) {
  const auto from = columns(b, map), to = columns(image, map);
  return largest_ratio((to - from).colwise().norm(), to.colwise().norm());
}

/// Increments of a diverging fixed-point iteration grow in absolute size; relative to the growing iterates
/// they do not.
void check_divergence(const std::vector<double>& increments) {
  const double least = *std::min_element(increments.begin(), increments.end());
  const double last = increments.back();
  if (std::isfinite(last) && last <= 10 * least) return;
  throw NumericalError(fmt::format(
      "the truncation diverges: in {} iterations the increment rose {:.1f}-fold; move the outer surface "
      "away from the inner one, make it convex, or take truncation.acceleration = \"gmres\"",
      increments.size(), last / least));
}

/// The true residual of b, by an evaluation that is not counted.
double measure(InterfaceMap& map, const std::vector<Complex>& b, IterationReport& report) {
  std::vector<Complex> image(b.size());
  map.apply(b, image);
  report.true_residual = relative_change(b, image, map);
  return report.true_residual;
}

void fixed_point(InterfaceMap& map, std::vector<Complex>& b, const IterationOptions& options,
                 const IterationObserver& observer, IterationReport& report) {
  std::vector<Complex> image(b.size());
  std::vector<double> increments;
  while (report.iterations < options.max_iterations && !report.converged) {
    map.apply(b, image);
    ++report.iterations;
    report.history.push_back(relative_change(b, image, map));
    increments.push_back((columns(image, map) - columns(b, map)).norm());
    check_divergence(increments);
    b.swap(image);
    report.converged = report.history.back() < options.tolerance;
    if (observer) observer(report.iterations, report.history.back(), [&] { return b; });
  }
  measure(map, b, report);
}

/// Orthonormal columns that span those given, up to parts of this length.
Matrix orthonormal(const Matrix& columns, double least) {
  const linalg::ColumnPivotedQr qr = linalg::column_pivoted_qr(columns);
  return qr.q.leftCols(qr.rank(least));
}

/// Columns of length 1; those of excitations that vanish in a symmetric part of the problem stay 0.
Matrix normalized(Matrix columns) {
  for (Eigen::Index c = 0; c < columns.cols(); ++c)
    if (const double size = columns.col(c).norm(); size > 0) columns.col(c) /= size;
  return columns;
}

/// The space that all columns search: directions P and their products Q = (I - L) P, which are orthonormal. L
/// is the same for all of them, so what one column finds out helps the others. For one column it is GMRES,
/// written as GCR.
class SharedSpace {
 public:
  SharedSpace(Matrix start, Matrix residual) : b_(std::move(start)), r_(std::move(residual)) {}

  double error() const { return largest_ratio(r_.colwise().norm(), sizes()); }
  /// What the error of image() is likely to be, L r: if L shortens the residual as it did the last
  /// directions.
  double predicted_error() const { return contraction_ * error(); }

  /// Orthonormal directions for the residuals that are above `tolerance`, without what is far below it.
  Matrix directions(double tolerance) const {
    const Eigen::RowVectorXd all = sizes();
    Matrix open(r_.rows(), r_.cols());
    Eigen::Index count = 0;
    for (Eigen::Index c = 0; c < r_.cols(); ++c)
      if (r_.col(c).norm() >= tolerance * all[c] && all[c] > 0) open.col(count++) = r_.col(c) / all[c];
    return orthonormal(open.leftCols(count), 0.1 * tolerance);
  }

  /// @param p directions @param product (I - L) p
  void extend(Matrix p, Matrix product) {
    contraction_ = largest_ratio((p - product).colwise().norm(), p.colwise().norm());
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough
      for (std::size_t i = 0; i < q_.size(); ++i) {
        const Matrix shares = q_[i].adjoint() * product;
        product -= q_[i] * shares;
        p -= p_[i] * shares;
      }
    }
    const linalg::ColumnPivotedQr qr = linalg::column_pivoted_qr(std::move(product));
    const Eigen::Index rank = qr.rank(1e-12 * std::abs(qr.r(0, 0)));
    q_.push_back(qr.q.leftCols(rank));
    const Matrix pivots = p(Eigen::all, qr.columns).leftCols(rank);
    p_.push_back(
        qr.r.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(pivots));
    const Matrix shares = q_.back().adjoint() * r_;
    b_ += p_.back() * shares;
    r_ -= q_.back() * shares;
  }

  /// F of the iterate, b + r: one step of the fixed point further, and free.
  std::vector<Complex> image() const {
    const Matrix sum = b_ + r_;
    return {sum.data(), sum.data() + sum.size()};
  }

 private:
  /// Norms of the images.
  Eigen::RowVectorXd sizes() const { return (b_ + r_).colwise().norm(); }

  Matrix b_, r_;
  double contraction_ = 1;
  std::vector<Matrix> p_, q_;
};

void gmres(InterfaceMap& map, std::vector<Complex>& b, const IterationOptions& options,
           const IterationObserver& observer, IterationReport& report) {
  std::vector<Complex> image = map.constant();
  const auto extend = [&](SharedSpace& space, const Matrix& p, double share) {
    std::vector<Complex> directions(p.data(), p.data() + p.size());
    map.apply_linear(directions, share, image);
    const auto n = p.rows(), count = Eigen::Index(directions.size()) / n;
    const Columns all(directions.data(), n, count);
    space.extend(all, all - Columns(image.data(), n, count));
  };
  const auto start = [&] {
    if (image.empty()) {
      image.resize(b.size());
      map.apply(b, image);
      return SharedSpace(columns(b, map), columns(image, map) - columns(b, map));
    }
    SharedSpace space(Matrix::Zero(Eigen::Index(map.size()), map.count()), columns(image, map));
    extend(space, orthonormal(normalized(columns(b, map)), 0.1 * options.tolerance), 1);
    return space;
  };
  SharedSpace space = start();
  const auto count_evaluation = [&] {
    ++report.iterations;
    report.history.push_back(space.error());
    if (!std::isfinite(report.history.back()))
      throw NumericalError("truncation: the iteration gave a NaN or an infinity");
    report.converged = report.history.back() < options.tolerance;
  };
  count_evaluation();
  while (report.iterations < options.max_iterations && !report.converged) {
    // The image may be accurate enough before the iterate is; the evaluation that checks this would be the
    // last one in any case.
    if (space.predicted_error() < options.tolerance) {
      b = space.image();
      if (measure(map, b, report) < options.tolerance) {
        report.converged = true;
        return;
      }
      count_evaluation();
    }
    extend(space, space.directions(options.tolerance), report.history.back());
    count_evaluation();
    if (observer) observer(report.iterations, report.history.back(), [&] { return space.image(); });
  }
  b = space.image();
  measure(map, b, report);
}

}  // namespace

IterationReport iterate(InterfaceMap& map, std::vector<Complex>& b, const IterationOptions& options,
                        const IterationObserver& observer) {
  IterationReport report;
  if (options.acceleration == Acceleration::gmres)
    gmres(map, b, options, observer, report);
  else
    fixed_point(map, b, options, observer, report);
  return report;
}

}  // namespace curlew::truncation
