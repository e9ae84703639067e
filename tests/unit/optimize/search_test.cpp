// SPDX-License-Identifier: BSD-3-Clause
// Minimax problems whose answers are known in closed form.
#include "optimize/search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

namespace curlew::optimize {
namespace {

/// Values of two variables by a formula, derivatives exact or by differences; counts what is evaluated.
struct Formula {
  using Values = std::vector<Complex> (*)(const std::vector<double>&);
  Values values;
  bool exact = true;
  double forbidden = 2;  ///< no values where x[0] is greater
  int evaluations = 0;

  Response derive(const std::vector<double>& x) {
    Response r{values(x), {}, {}};
    const double h = 1e-6;
    r.derivatives.resize(r.values.size() * x.size());
    for (std::size_t j = 0; j < x.size(); ++j) {
      auto high = x, low = x;
      high[j] += h, low[j] -= h;
      const auto a = values(low), b = values(high);
      for (std::size_t i = 0; i < a.size(); ++i) r.derivatives[i * x.size() + j] = (b[i] - a[i]) / (2 * h);
    }
    return r;
  }
  Evaluations evaluations_of() {
    return {[this](const std::vector<double>& x) -> std::optional<Response> {
              ++evaluations;
              if (x[0] > forbidden) return std::nullopt;
              Response r = derive(x);
              r.exact.assign(r.values.size(), exact);
              if (!exact) std::fill(r.derivatives.begin(), r.derivatives.end(), Complex(0));
              return r;
            },
            [this](const std::vector<double>& x, Response& r) {
              evaluations += int(x.size());
              r.derivatives = derive(x).derivatives;
            }};
  }
};

/// x^2 - (a + b x) on a grid of [0, 1].
std::vector<Complex> parabola_and_line(const std::vector<double>& x) {
  std::vector<Complex> values;
  for (int i = 0; i <= 20; ++i) {
    const double t = 0.05 * i;
    values.emplace_back(t * t - (x[0] - 0.5) - 2 * x[1] * t);
  }
  return values;
}

/// Rosenbrock's residuals, least at u = v = 1, x = (u + 2) / 4.
std::vector<Complex> rosenbrock(const std::vector<double>& x) {
  const double u = 4 * x[0] - 2, v = 4 * x[1] - 2;
  return {10 * (v - u * u), 1 - u};
}

std::vector<Limit> magnitudes_below(std::size_t count, double bound) {
  std::vector<Limit> limits;
  for (std::size_t i = 0; i < count; ++i) limits.push_back({i, Side::below, bound, 1, true});
  return limits;
}

/// Chebyshev: the best line leaves 1/8, at 0, 1/2 and 1. One step of a linear problem in a box that holds it.
TEST(Search, LineNearestToAParabola) {
  Formula formula{parabola_and_line};
  const auto found = search(formula.evaluations_of(), magnitudes_below(21, 0), {0.5, 0.5},
                            {.max_evaluations = 10, .first_step = 1, .ends_when_met = false});
  EXPECT_EQ(found.end, SearchEnd::no_better);
  EXPECT_NEAR(found.worst, 0.125, 1e-6);
  EXPECT_NEAR(found.x[0] - 0.5, -0.125, 1e-5);
  EXPECT_NEAR(2 * found.x[1], 1, 1e-5);
  EXPECT_EQ(found.evaluations, 2);
}

/// A number far off in units of its tolerance: the step that meets it, at 0.3, is in the box.
TEST(BestStep, OfLimitsThatAreMissedByThousands) {
  const Response response{{Complex(1.3e8)}, {Complex(-1e8)}, {true}};
  std::vector<Limit> limits{{0, Side::below, 1e8 + 1e4, 1e4, false}, {0, Side::above, 1e8 - 1e4, 1e4, false}};
  EXPECT_NEAR(best_step(response, limits, {-0.5}, {0.5})[0], 0.3, 1e-4);
  EXPECT_NEAR(best_step(response, limits, {-0.1}, {0.1})[0], 0.1, 1e-6);
}

TEST(Search, CurvedValleyWithDerivatives) {
  Formula formula{rosenbrock};
  const auto found = search(formula.evaluations_of(), magnitudes_below(2, 1e-3), {0.2, 0.75},
                            {.max_evaluations = 40, .least_step = 1e-6});
  EXPECT_EQ(found.end, SearchEnd::met);
  EXPECT_NEAR(found.x[0], 0.75, 1e-3);
  EXPECT_NEAR(found.x[1], 0.75, 1e-3);
  EXPECT_EQ(found.evaluations, formula.evaluations);
}

/// Broyden's formula keeps differences from being taken at each step.
TEST(Search, CurvedValleyByDifferences) {
  Formula formula{rosenbrock, false};
  const auto found = search(formula.evaluations_of(), magnitudes_below(2, 1e-3), {0.2, 0.75},
                            {.max_evaluations = 80, .least_step = 1e-6});
  EXPECT_EQ(found.end, SearchEnd::met);
  EXPECT_NEAR(found.x[0], 0.75, 1e-3);
  EXPECT_EQ(found.evaluations, formula.evaluations);
}

/// A circle: the point of largest real part with |z| <= 1/2. Sides and parts of limits both count.
TEST(Search, OneNumberAboveAnotherBelow) {
  Formula formula{[](const std::vector<double>& x) {
    const Complex z(2 * x[0] - 1, 2 * x[1] - 1);
    return std::vector<Complex>{z, z};
  }};
  const std::vector<Limit> limits{{0, Side::below, 0.5, 1, true}, {1, Side::above, 0.5, 1, false}};
  const auto found = search(formula.evaluations_of(), limits, {0.2, 0.9},
                            {.first_step = 1, .least_step = 1e-5, .ends_when_met = false});
  EXPECT_NEAR(found.worst, 0, 1e-4);
  EXPECT_NEAR(2 * found.x[0] - 1, 0.5, 1e-3);
  EXPECT_NEAR(found.x[1], 0.5, 1e-2);
}

TEST(Search, StepsBackFromPointsWithoutValues) {
  Formula formula{rosenbrock};
  formula.forbidden = 0.6;  // the answer is at 0.75
  const auto found = search(formula.evaluations_of(), magnitudes_below(2, 1e-3), {0.5, 0.5},
                            {.max_evaluations = 60, .least_step = 1e-3});
  EXPECT_EQ(found.end, SearchEnd::no_better);
  EXPECT_LE(found.x[0], 0.6);
  EXPECT_GT(found.x[0], 0.59);
  formula.forbidden = 0.1;
  EXPECT_THROW(search(formula.evaluations_of(), magnitudes_below(2, 1e-3), {0.5, 0.5}, {}), NumericalError);
}

TEST(Search, StopsAtTheNumberOfEvaluations) {
  Formula formula{rosenbrock, false};
  const auto found =
      search(formula.evaluations_of(), magnitudes_below(2, 1e-3), {0.2, 0.75}, {.max_evaluations = 5});
  EXPECT_EQ(found.end, SearchEnd::max_evaluations);
  EXPECT_LE(formula.evaluations, 5);
}

}  // namespace
}  // namespace curlew::optimize
