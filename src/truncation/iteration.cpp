// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/iteration.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"

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

/// The increments of a fixed point that diverges grow, though relative to iterates that grow as well they do
/// not.
void check_divergence(const std::vector<double>& increments) {
  const double least = *std::min_element(increments.begin(), increments.end());
  const double last = increments.back();
  if (std::isfinite(last) && last <= 10 * least) return;
  throw NumericalError(fmt::format(
      "the truncation diverges: in {} iterations the increment rose {:.1f}-fold; move the outer surface "
      "away from the inner one, make it convex, or take truncation.acceleration = \"gmres\"",
      increments.size(), last / least));
}

void fixed_point(InterfaceMap& map, std::vector<Complex>& b, const IterationOptions& options,
                 const IterationObserver& observer, IterationReport& report) {
  std::vector<Complex> image(b.size());
  std::vector<double> increments;
  while (report.iterations < options.max_iterations && !report.converged) {
    map.apply(b, false, image);
    ++report.iterations;
    report.history.push_back(relative_change(b, image, map));
    increments.push_back((columns(image, map) - columns(b, map)).norm());
    check_divergence(increments);
    b.swap(image);
    report.converged = report.history.back() < options.tolerance;
    if (observer) observer(report.iterations, report.history.back(), [&] { return b; });
  }
}

/// One GMRES per column; all columns take the same number of steps.
class ManyGmres {
 public:
  ManyGmres(const Matrix& residual, int max_steps)
      : n_(residual.rows()), h_(std::size_t(residual.cols()), Matrix::Zero(max_steps + 1, max_steps)) {
    beta_ = residual.colwise().norm();
    basis_.push_back(residual * inverse(beta_).asDiagonal());
  }
  const Matrix& newest() const { return basis_.back(); }

  /// Takes in (I - L) of the newest basis vectors.
  void extend(Matrix w) {
    const auto j = Eigen::Index(basis_.size()) - 1;
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough
      for (Eigen::Index i = 0; i <= j; ++i) {
        for (Eigen::Index c = 0; c < w.cols(); ++c) {
          const Complex p = basis_[std::size_t(i)].col(c).dot(w.col(c));
          h_[std::size_t(c)](i, j) += p;
          w.col(c) -= p * basis_[std::size_t(i)].col(c);
        }
      }
    }
    const Eigen::RowVectorXd below = w.colwise().norm();
    for (Eigen::Index c = 0; c < w.cols(); ++c) h_[std::size_t(c)](j + 1, j) = below[c];
    basis_.push_back(w * inverse(below).asDiagonal());
  }

  /// The correction that makes the residual least, and the norms of what remains.
  Matrix correction(Eigen::RowVectorXd& remaining) const {
    const auto steps = Eigen::Index(basis_.size()) - 1;
    Matrix sum = Matrix::Zero(n_, beta_.size());
    remaining = beta_;
    if (steps == 0) return sum;
    for (Eigen::Index c = 0; c < beta_.size(); ++c) {
      const Eigen::VectorXcd y = coefficients(c, steps, remaining[c]);
      for (Eigen::Index i = 0; i < steps; ++i) sum.col(c) += y[i] * basis_[std::size_t(i)].col(c);
    }
    return sum;
  }
  Eigen::RowVectorXd remaining() const {
    Eigen::RowVectorXd norms = beta_;
    for (Eigen::Index c = 0; c < beta_.size(); ++c)
      coefficients(c, Eigen::Index(basis_.size()) - 1, norms[c]);
    return norms;
  }

 private:
  static Eigen::RowVectorXcd inverse(const Eigen::RowVectorXd& norms) {
    Eigen::RowVectorXcd inverse(norms.size());
    for (Eigen::Index c = 0; c < norms.size(); ++c) inverse[c] = norms[c] > 0 ? 1 / norms[c] : 0.0;
    return inverse;
  }
  Eigen::VectorXcd coefficients(Eigen::Index c, Eigen::Index steps, double& remaining) const {
    const Matrix h = h_[std::size_t(c)].topLeftCorner(steps + 1, steps);
    Eigen::VectorXcd g = Eigen::VectorXcd::Zero(steps + 1);
    g[0] = beta_[c];
    const Eigen::VectorXcd y = h.completeOrthogonalDecomposition().solve(g);
    remaining = (g - h * y).norm();
    return y;
  }

  Eigen::Index n_;
  Eigen::RowVectorXd beta_;
  std::vector<Matrix> basis_;
  std::vector<Matrix> h_;  // Hessenberg, by column
};

void gmres(InterfaceMap& map, std::vector<Complex>& b, const IterationOptions& options,
           const IterationObserver& observer, IterationReport& report) {
  std::vector<Complex> image(b.size()), vector(b.size());
  map.apply(b, false, image);
  ++report.iterations;
  report.history.push_back(relative_change(b, image, map));
  const Eigen::RowVectorXd first_size = columns(image, map).colwise().norm();
  ManyGmres krylov(columns(image, map) - columns(b, map), options.max_iterations);
  const Matrix start = columns(b, map);
  const auto current = [&] {
    Eigen::RowVectorXd remaining;
    const Matrix sum = start + krylov.correction(remaining);
    return std::vector<Complex>(sum.data(), sum.data() + sum.size());
  };
  report.converged = report.history.back() < options.tolerance;
  while (report.iterations < options.max_iterations && !report.converged) {
    const Matrix& v = krylov.newest();
    std::copy(v.data(), v.data() + v.size(), vector.begin());
    map.apply(vector, true, image);
    ++report.iterations;
    krylov.extend(columns(vector, map) - columns(image, map));
    report.history.push_back(largest_ratio(krylov.remaining(), first_size));
    if (!std::isfinite(report.history.back()))
      throw NumericalError("the truncation met a number that is not finite");
    report.converged = report.history.back() < options.tolerance;
    if (observer) observer(report.iterations, report.history.back(), current);
  }
  b = current();
}

}  // namespace

IterationReport iterate(InterfaceMap& map, std::vector<Complex>& b, const IterationOptions& options,
                        const IterationObserver& observer) {
  IterationReport report;
  if (options.acceleration == Acceleration::gmres)
    gmres(map, b, options, observer, report);
  else
    fixed_point(map, b, options, observer, report);
  std::vector<Complex> image(b.size());
  map.apply(b, false, image);
  report.true_residual = relative_change(b, image, map);
  return report;
}

}  // namespace curlew::truncation
