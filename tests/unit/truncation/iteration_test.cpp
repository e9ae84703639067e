// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/iteration.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/error.hpp"

namespace curlew::truncation {
namespace {

/// F(b) = L b + c with a matrix of a given spectral radius.
class MatrixMap final : public InterfaceMap {
 public:
  MatrixMap(Eigen::Index n, Index count, double radius) : count_(count) {
    std::srand(3);
    linear_ = Eigen::MatrixXcd::Random(n, n);
    linear_ *= radius / linear_.eigenvalues().cwiseAbs().maxCoeff();
    constant_ = Eigen::MatrixXcd::Random(n, count);
  }
  std::size_t size() const override { return std::size_t(linear_.rows()); }
  Index count() const override { return count_; }
  void apply(const std::vector<Complex>& b, std::vector<Complex>& image) override {
    product(b, image);
    Eigen::Map<Eigen::MatrixXcd>(image.data(), linear_.rows(), count_) += constant_;
  }
  void apply_linear(std::vector<Complex>& b, double /*share*/, std::vector<Complex>& image) override {
    image.resize(b.size());
    product(b, image);
  }
  void product(const std::vector<Complex>& b, std::vector<Complex>& image) {
    const auto n = linear_.rows(), columns = Eigen::Index(b.size()) / n;
    Eigen::Map<Eigen::MatrixXcd> to(image.data(), n, columns);
    to = linear_ * Eigen::Map<const Eigen::MatrixXcd>(b.data(), n, columns);
    products += columns;
  }
  double error(const std::vector<Complex>& b) const {
    const auto n = linear_.rows();
    const Eigen::MatrixXcd exact = (Eigen::MatrixXcd::Identity(n, n) - linear_).lu().solve(constant_);
    return (Eigen::Map<const Eigen::MatrixXcd>(b.data(), n, count_) - exact).norm() / exact.norm();
  }

  std::vector<Complex> constant() const override {
    return is_constant_known ? std::vector<Complex>(constant_.data(), constant_.data() + constant_.size())
                             : std::vector<Complex>();
  }
  void clear_constant(Eigen::Index column) { constant_.col(column).setZero(); }

  Eigen::Index products = 0;  ///< columns that were applied
  bool is_constant_known = false;

 private:
  Index count_;
  Eigen::MatrixXcd linear_, constant_;
};

TEST(Iteration, BothMethodsSolveAllColumns) {
  for (const auto acceleration : {Acceleration::none, Acceleration::gmres}) {
    MatrixMap map(40, 3, 0.5);
    std::vector<Complex> b(120, 0.0);
    const auto report = iterate(map, b, {acceleration, 1e-10, 100});
    EXPECT_TRUE(report.converged);
    EXPECT_LT(report.true_residual, 1e-9);
    EXPECT_LT(map.error(b), 1e-8);
  }
}

TEST(Iteration, DivergenceIsFoundAndGmresDoesNotMind) {
  MatrixMap map(30, 2, 1.6);
  std::vector<Complex> b(60, 0.0);
  EXPECT_THROW(iterate(map, b, {Acceleration::none, 1e-6, 100}), NumericalError);
  b.assign(60, 0.0);
  const auto report = iterate(map, b, {Acceleration::gmres, 1e-8, 40});
  EXPECT_TRUE(report.converged);
  EXPECT_LT(map.error(b), 1e-6);
}

/// 30 columns span a space of 30: two steps of all are enough where one column needs many, and a column that
/// is another's double costs nothing.
TEST(Iteration, ColumnsHelpEachOther) {
  MatrixMap one(30, 1, 0.9), many(30, 30, 0.9);
  std::vector<Complex> b(30, 0.0), all(900, 0.0);
  const auto alone = iterate(one, b, {Acceleration::gmres, 1e-9, 100});
  const auto together = iterate(many, all, {Acceleration::gmres, 1e-9, 100});
  EXPECT_GE(alone.iterations, 20);
  EXPECT_LE(together.iterations, 3);
  EXPECT_LT(many.error(all), 1e-6);
  EXPECT_LT(many.products, 30 * 4 + 1);
}

/// A zero column, as for a part of a symmetric problem that a wave does not have.
TEST(Iteration, ColumnsOfNothingStayNothing) {
  for (const Eigen::Index nothing : {0, 1, 2}) {
    MatrixMap map(30, 3, 0.7);
    map.is_constant_known = true;
    map.clear_constant(nothing);
    std::vector<Complex> b = map.constant();
    const auto report = iterate(map, b, {Acceleration::gmres, 1e-10, 100});
    EXPECT_TRUE(report.converged) << nothing;
    EXPECT_LT(map.error(b), 1e-8) << nothing;
    EXPECT_EQ(std::norm(b[std::size_t(30 * nothing)]), 0) << nothing;
  }
}

TEST(Iteration, TheObserverSeesIteratesToGoOnFrom) {
  MatrixMap map(40, 2, 0.7);
  std::vector<Complex> b(80, 0.0), kept;
  const auto stop_at_five = [&](int iterations, double,
                                const std::function<std::vector<Complex>()>& current) {
    if (iterations < 5) return;
    kept = current();
    throw Interrupted();
  };
  EXPECT_THROW(iterate(map, b, {Acceleration::gmres, 1e-10, 100}, stop_at_five), Interrupted);
  const double halfway = map.error(kept);
  EXPECT_LT(halfway, map.error(std::vector<Complex>(80, 0.0)));
  iterate(map, kept, {Acceleration::gmres, 1e-10, 100});
  EXPECT_LT(map.error(kept), 1e-8);
}

TEST(Iteration, WithoutConvergenceItSaysSo) {
  MatrixMap map(40, 1, 0.9);
  std::vector<Complex> b(40, 0.0);
  const auto report = iterate(map, b, {Acceleration::none, 1e-12, 4});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 4);
  EXPECT_EQ(report.history.size(), 4U);
}

}  // namespace
}  // namespace curlew::truncation
