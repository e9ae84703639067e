// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/nonlinear_pairs.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace curlew::linalg {
namespace {

using Matrix = Eigen::MatrixXcd;
using Vector = Eigen::VectorXcd;

constexpr int num_samples = 12;  // error 1e-14 for λ or sqrt(λ) over a factor of four in λ
constexpr int max_passes = 12;
constexpr int max_newton_steps = 30;
constexpr double least_width = 0.01;  // half of the interval of samples, of log λ

Matrix product(const Csr<Complex>& a, const Matrix& x) {
  Matrix y(x.rows(), x.cols());
  multiply(a, x.data(), y.data(), Index(x.cols()));
  return y;
}

/// The matrices at the points, as terms of themselves.
SplitMatrix samples_of(const std::function<Csr<Complex>(Complex)>& at, const std::vector<double>& points) {
  SplitMatrix split;
  for (std::size_t p = 0; p < points.size(); ++p) {
    split.terms.push_back(at(points[p]));
    split.factors.emplace_back(points.size(), 0.0)[p] = 1;
  }
  return split;
}

/// The polynomial of log λ through T at Chebyshev points: powers of λ are entire functions of log λ.
class SampledMatrix {
 public:
  SampledMatrix(const MatrixFunction& function, double low, double high) {
    const double middle = std::log(low * high) / 2, half = std::max(std::log(high / low) / 2, least_width);
    std::vector<double> values;
    for (int i = 0; i < num_samples; ++i) {
      points_.push_back(middle + half * std::cos(std::numbers::pi * (i + 0.5) / num_samples));
      values.push_back(std::exp(points_.back()));
    }
    split_ = function.split ? function.split(values) : samples_of(function.at, values);
    factors_.resize(Eigen::Index(split_.terms.size()), num_samples);
    for (std::size_t t = 0; t < split_.terms.size(); ++t)
      factors_.row(Eigen::Index(t)) = Eigen::Map<const Vector>(split_.factors[t].data(), num_samples);
  }
  const std::vector<Csr<Complex>>& terms() const { return split_.terms; }

  /// The terms' weights in T(λ).
  Vector weights(Complex value) const { return factors_ * samples(value); }
  /// The same in T'(λ).
  Vector slopes(Complex value) const {
    const Complex step = 1e-4 * least_width * value;
    return factors_ * (samples(value + step) - samples(value - step)) / (2.0 * step);
  }

 private:
  double point(int i) const { return points_[std::size_t(i)]; }
  Vector samples(Complex value) const {
    const Complex x = std::log(value);
    Vector w = Vector::Ones(num_samples);
    for (int i = 0; i < num_samples; ++i)
      for (int j = 0; j < num_samples; ++j)
        if (j != i) w[i] *= (x - point(j)) / (point(i) - point(j));
    return w;
  }

  std::vector<double> points_;  // log λ
  SplitMatrix split_;
  Matrix factors_;  // [terms, points]
};

/// A growing projection space, and the terms projected on it.
class Space {
 public:
  Space(const SampledMatrix& samples, bool is_symmetric)
      : samples_(samples), is_symmetric_(is_symmetric), projected_(samples.terms().size()) {}

  const Matrix& basis() const { return basis_; }

  void add(const Matrix& vectors) {
    const Eigen::Index old = basis_.cols();
    for (Eigen::Index i = 0; i < vectors.cols(); ++i) append(vectors.col(i));
    const Eigen::Index more = basis_.cols() - old;
    const Matrix left = is_symmetric_ ? Matrix(basis_.conjugate()) : basis_;
    for (std::size_t s = 0; s < projected_.size(); ++s) {
      const Matrix image = product(samples_.terms()[s], basis_.rightCols(more));
      Matrix& p = projected_[s];
      p.conservativeResize(basis_.cols(), basis_.cols());
      p.rightCols(more) = left.adjoint() * image;
      if (old == 0) continue;
      if (is_symmetric_)
        p.bottomLeftCorner(more, old) = p.topRightCorner(old, more).transpose();
      else
        p.bottomLeftCorner(more, old) =
            left.rightCols(more).adjoint() * product(samples_.terms()[s], basis_.leftCols(old));
    }
  }

  /// Newton's steps of one pair in the space. False if they do not converge.
  bool solve(Complex& value, Vector& y) const {
    Complex at = value;
    for (int step = 0; step < max_newton_steps; ++step) {
      const Matrix t = sum(samples_.weights(at));
      const Vector load = sum(samples_.slopes(at)) * y, next = t.partialPivLu().solve(load);
      if (!next.allFinite()) return step > 0 && (value = at, true);  // singular: an eigenvalue to rounding
      const Complex change = is_symmetric_ ? (y.transpose() * load)(0) / (load.transpose() * next)(0)
                                           : load.dot(y) / load.dot(next);
      at -= change;
      y = next.normalized();
      if (std::abs(change) > 0.5 * std::abs(value)) return false;
      if (std::abs(change) < 1e-14 * std::abs(at)) return value = at, true;
    }
    return false;
  }

 private:
  Matrix sum(const Vector& weights) const {
    Matrix t = weights[0] * projected_[0];
    for (std::size_t s = 1; s < projected_.size(); ++s) t += weights[Eigen::Index(s)] * projected_[s];
    return t;
  }
  /// Appends v unless it is in the space already.
  void append(Vector v) {
    if (const double size = v.norm(); size > 0) v /= size;
    for (int twice = 0; twice < 2; ++twice)
      if (basis_.cols() > 0) v -= basis_ * (basis_.adjoint() * v);
    if (!(v.norm() > 1e-9)) return;
    basis_.conservativeResize(v.size(), basis_.cols() + 1);
    basis_.rightCols(1) = v.normalized();
  }

  const SampledMatrix& samples_;
  bool is_symmetric_;
  Matrix basis_;
  std::vector<Matrix> projected_;
};

/// T(λ_i) x_i, or T'(λ_i) x_i, of all pairs.
Matrix combined(const SampledMatrix& samples, const std::vector<Vector>& weights, const Matrix& x) {
  Matrix sum = Matrix::Zero(x.rows(), x.cols());
  for (std::size_t t = 0; t < samples.terms().size(); ++t) {
    const Matrix image = product(samples.terms()[t], x);
    for (Eigen::Index i = 0; i < x.cols(); ++i)
      sum.col(i) += weights[std::size_t(i)][Eigen::Index(t)] * image.col(i);
  }
  return sum;
}

/// Pairs by Newton's method in the space of the start and of their own residuals.
class Correction {
 public:
  Correction(const SampledMatrix& samples, const NonlinearPairs& start, const Divide& divide,
             bool is_symmetric)
      : samples_(samples),
        divide_(divide),
        space_(samples, is_symmetric),
        values_(start.values),
        x_(Eigen::Map<const Matrix>(start.vectors.data(),
                                    Eigen::Index(start.vectors.size() / start.values.size()),
                                    Eigen::Index(start.values.size()))) {
    space_.add(x_);
  }

  void improve(double tolerance) {
    std::vector<Eigen::Index> open(std::size_t(x_.cols()));
    std::iota(open.begin(), open.end(), Eigen::Index(0));
    for (int pass = 0; pass < max_passes; ++pass) {
      for (const Eigen::Index i : open) {
        Vector y = space_.basis().adjoint() * x_.col(i);
        if (space_.solve(values_[std::size_t(i)], y)) x_.col(i) = space_.basis() * y;
      }
      if (pass == 0)
        for (const Eigen::Index i : open) scales_.push_back(scale(i));
      const Matrix r = residual(open);
      std::vector<Eigen::Index> still, columns;
      for (std::size_t k = 0; k < open.size(); ++k)
        if (r.col(Eigen::Index(k)).norm() > tolerance * scales_[std::size_t(open[k])])
          still.push_back(open[k]), columns.push_back(Eigen::Index(k));
      open = still;
      if (open.empty() || pass + 1 == max_passes) return;
      Matrix more = r(Eigen::all, columns);
      std::vector<Complex> values;
      for (const Eigen::Index i : open) values.push_back(values_[std::size_t(i)]);
      divide_(values, more.data());
      space_.add(more);
    }
  }
  const std::vector<Complex>& values() const { return values_; }
  const Matrix& vectors() const { return x_; }
  /// |λ T'x|
  double scale(Eigen::Index i) const {
    const Complex value = values_[std::size_t(i)];
    return std::abs(value) * combined(samples_, {samples_.slopes(value)}, x_.col(i)).norm();
  }

 private:
  Matrix residual(const std::vector<Eigen::Index>& pairs) const {
    std::vector<Vector> weights;
    for (const Eigen::Index i : pairs) weights.push_back(samples_.weights(values_[std::size_t(i)]));
    return combined(samples_, weights, x_(Eigen::all, pairs));
  }

  const SampledMatrix& samples_;
  const Divide& divide_;
  Space space_;
  std::vector<Complex> values_;
  Matrix x_;
  std::vector<double> scales_;
};

}  // namespace

NonlinearPairs correct_together(const MatrixFunction& function, const NonlinearPairs& start, double tolerance,
                                const Divide& divide) {
  if (start.values.empty()) return start;
  const auto [low, high] = std::ranges::minmax(start.values, {}, [](Complex z) { return z.real(); });
  const SampledMatrix samples(function, low.real(), high.real());
  Correction correction(samples, start, divide, function.is_symmetric);
  correction.improve(tolerance / 2);  // scales are those of the start
  NonlinearPairs result{correction.values(), {}, {}};
  const Matrix& x = correction.vectors();
  result.vectors.assign(x.data(), x.data() + x.size());
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    result.residuals.push_back(product(function.at(result.values[i]), x.col(Eigen::Index(i))).norm() /
                               correction.scale(Eigen::Index(i)));
  }
  return result;
}

}  // namespace curlew::linalg
