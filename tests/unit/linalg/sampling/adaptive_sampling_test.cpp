// SPDX-License-Identifier: BSD-3-Clause
// Functions of frequency from few of their values.
#include "linalg/sampling/adaptive_sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "base/error.hpp"
#include "linalg/sampling/rational_interpolant.hpp"
#include "linalg/sampling/sketch.hpp"

namespace curlew::linalg {
namespace {

using Value = std::complex<double>;

/// A field with three poles beside the real axis, each with another pattern.
Eigen::VectorXcd resonant(double f) {
  Eigen::VectorXcd field = Eigen::VectorXcd::Zero(12);
  const Value poles[] = {{1.2, 0.01}, {1.5, 0.1}, {1.9, 0.002}};
  for (int p = 0; p < 3; ++p)
    for (int i = 0; i < 12; ++i) field[i] += std::polar(1.0, double((p + 1) * i * i)) / (f - poles[p]);
  return field;
}

/// A wave at points along a line of two to four wavelengths.
Eigen::VectorXcd travelling(double f) {
  Eigen::VectorXcd field(40);
  for (int i = 0; i < 40; ++i) field[i] = std::polar(1.0, -2 * M_PI * 2 * f * i / 39.0);
  return field;
}

class Model final : public SampledModel {
 public:
  Model(const std::vector<double>& points, Eigen::VectorXcd (*field)(double), std::size_t at_a_time = 1)
      : points_(points), field_(field), at_a_time_(at_a_time) {}
  std::size_t at_a_time() const override { return at_a_time_; }
  void begin(const std::vector<std::size_t>& points) override { begun.push_back(points); }
  double take(std::size_t i) override {
    values_.push_back(field_(points_[i]));
    weights_.add(points_[i], values_.back());
    return at_.empty() ? 0 : (at_[i] - values_.back()).norm() / values_.back().norm();
  }
  double scan() override {
    const auto last = at_;
    at_.clear(), indicators_.clear();
    double change = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const auto weights = weights_.at(points_[i]);
      Eigen::VectorXcd sum = Eigen::VectorXcd::Zero(values_[0].size());
      for (std::size_t j = 0; j < values_.size(); ++j) sum += weights.of_values[Eigen::Index(j)] * values_[j];
      at_.push_back(sum), indicators_.push_back(weights.indicator);
      if (!last.empty()) change = std::max(change, (sum - last[i]).norm() / sum.norm());
    }
    return change;
  }
  double indicator(std::size_t i) const override { return indicators_[i]; }
  double worst_error() const {
    double worst = 0;
    for (std::size_t i = 0; i < points_.size(); ++i)
      worst = std::max(worst, (at_[i] - field_(points_[i])).norm() / field_(points_[i]).norm());
    return worst;
  }

  std::vector<std::vector<std::size_t>> begun;

 private:
  const std::vector<double>& points_;
  Eigen::VectorXcd (*field_)(double);
  std::size_t at_a_time_;
  std::vector<Eigen::VectorXcd> values_, at_;
  std::vector<double> indicators_;
  RationalInterpolant weights_;
};

std::vector<double> octave(int count) {
  std::vector<double> points;
  for (int i = 0; i < count; ++i) points.push_back(1 + double(i) / (count - 1));
  return points;
}

TEST(AdaptiveSampling, FindsThreePolesByFourValuesAndTwoThatAgree) {
  const auto points = octave(201);
  Model model(points, resonant);
  const auto result = sample_adaptively(model, points, 1e-6, 20);

  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.taken.size(), 6U);
  EXPECT_LT(model.worst_error(), 1e-9);
}

TEST(AdaptiveSampling, OfATravellingWaveItsErrorIsTheEstimate) {
  const auto points = octave(101);
  Model model(points, travelling);
  const auto result = sample_adaptively(model, points, 1e-4, 40);

  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.taken.size(), 14U);
  EXPECT_LT(model.worst_error(), 1e-4);
}

/// No more values by pairs than one by one, but for half a pair: the second of two lies where the error will
/// be largest once the first is known.
TEST(AdaptiveSampling, TakesTwoAtATime) {
  for (const auto field : {resonant, travelling}) {
    const auto points = octave(201);
    Model one(points, field), two(points, field, 2);
    const auto singly = sample_adaptively(one, points, 1e-6, 40);
    const auto by_pairs = sample_adaptively(two, points, 1e-6, 40);

    EXPECT_TRUE(by_pairs.converged);
    EXPECT_LE(by_pairs.taken.size(), singly.taken.size() + 1);
    EXPECT_LT(two.worst_error(), 1e-6);
    EXPECT_EQ(two.begun.size(), by_pairs.taken.size() / 2);
    for (const auto& pair : two.begun) {
      ASSERT_EQ(pair.size(), 2U);
      EXPECT_GT(std::abs(points[pair[1]] - points[pair[0]]), 0.02);
    }
  }
}

TEST(AdaptiveSampling, SaysWhereItDoesNotConverge) {
  const auto points = octave(201);
  Model model(points, resonant);
  const auto result = sample_adaptively(model, points, 1e-6, 3);

  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.taken.size(), 3U);
  EXPECT_THROW(require_converged(result, 1e-6), NumericalError);
}

TEST(AdaptiveSampling, TakesAllOfFewPoints) {
  const auto points = octave(3);
  Model model(points, resonant);
  const auto result = sample_adaptively(model, points, 1e-6, 20);

  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.taken.size(), 3U);
  EXPECT_EQ(result.error_estimate, 0);
  EXPECT_EQ(model.worst_error(), 0);
}

/// The square of a length is kept to sqrt(2/48) of it, one standard deviation.
TEST(Sketch, KeepsLengthsAndIsTheSameOfRealColumns) {
  Eigen::MatrixXcd columns(9000, 2);
  for (Eigen::Index i = 0; i < columns.rows(); ++i)
    columns.row(i) << Value(std::sin(double(i * i)), 0), Value(std::cos(double(3 * i)), std::sin(double(i)));
  const Eigen::MatrixXcd of_complex = sketch(columns);
  const Eigen::MatrixXd of_real = sketch(Eigen::MatrixXd(columns.real()));
  EXPECT_LT((of_real - of_complex.real()).norm(), 1e-12 * of_real.norm());
  for (const Eigen::Index c : {0, 1})
    EXPECT_NEAR(of_complex.col(c).squaredNorm() / columns.col(c).squaredNorm(), 1, 4 * std::sqrt(2.0 / 48));
}

}  // namespace
}  // namespace curlew::linalg
