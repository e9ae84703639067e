// SPDX-License-Identifier: BSD-3-Clause
#include "fields/pattern_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace curlew::fields {
namespace {

/// Errors r^p of the orders p: the bar of the last one covers it, by no more than the factor of safety.
TEST(OrderError, CoversTheRestOfAGeometricSeries) {
  for (const double r : {0.1, 0.3, 0.5}) {
    const auto error = [&](int p) { return std::pow(r, p); };
    const double of_third = order_error(error(2) - error(3), 3, r);
    EXPECT_GE(of_third, error(3)) << r;
    EXPECT_LE(of_third, 2.001 * error(3)) << r;
    for (const int p : {1, 2}) {
      const double bar = order_error(error(p) - error(p + 1), p, 0);
      EXPECT_GE(bar, 0.999 * error(p)) << r;
      EXPECT_LE(bar, 2.001 * error(p)) << r;
    }
  }
}

/// Errors r^p of passes in one direction: 1.5 times the remaining error. Changes of alternating sign give no
/// rate, and no rate slower than 2/3 is used.
TEST(LeftByRate, CoversTheRestOfAGeometricSeries) {
  const auto bar = [](double earlier, double before, double now) {
    return bar_of(left_by_rate({now}, {before}, {earlier}), 0, 0);
  };
  for (const double r : {0.3, 0.5, 0.6}) EXPECT_NEAR(bar(1, r, r * r), 1.5 * r * r, 1e-12) << r;
  EXPECT_NEAR(bar(1, 0.9, 0.81), 3 * 0.09, 1e-12);
  EXPECT_EQ(bar(1, 0.5, 0.7), 0);
}

/// Where fields are singular, errors fall as p^(-8/3) at edges of 90 degrees and p^(-2) at rims, slower than
/// the two differences say. Source: Babuska and Suri (1987), SIAM J. Numer. Anal. 24(4).
TEST(OrderError, CoversTheRestOfAnAlgebraicSeriesAtEdges) {
  for (const auto& [power, least] : {std::pair{8.0 / 3, edge_ratio}, std::pair{2.0, rim_ratio}}) {
    const auto error = [&](int p) { return std::pow(p, -power); };
    const double last = error(2) - error(3), ratio = last / (error(1) - error(2));
    const double bar = order_error(last, 3, ratio, least);
    EXPECT_GE(bar, 1.9 * error(3)) << power;  // with the factor of safety
    EXPECT_LE(bar, 2.1 * error(3)) << power;
    for (const int p : {1, 2}) {
      const double of_next = order_error(error(p) - error(p + 1), p, 0, least);
      EXPECT_NEAR(of_next, 2 * error(p), 0.04 * error(p)) << power << " order " << p;
    }
  }
}

/// E_theta and E_phi of two directions and the power; nothing changes but by the facets, by a tenth.
TEST(PatternError, CoversWhatFacetsChange) {
  const Quantities q{{3, 0}, {0, 2}, {0, 4}, {1, 0}, {0.5, 0}};
  Changes changes{1, Quantities(5), {}, {}};
  for (const Complex value : q) changes.by_shape.push_back(0.1 * value);

  const PatternError error = pattern_error(q, changes, 0, 2);
  ASSERT_EQ(error.field.size(), 2U);
  EXPECT_NEAR(error.strength[0], 5, 1e-14);
  EXPECT_NEAR(error.strength[1], std::sqrt(5.0), 1e-14);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GE(error.field[i], 0.1 * error.strength[i]);
    EXPECT_LE(error.field[i], 0.2 * error.strength[i]);
  }
  for (const double bar : {error.relative, error.shape, error.power}) {
    EXPECT_GE(bar, 0.1);
    EXPECT_LE(bar, 0.2);
  }
  EXPECT_EQ(error.order, 0);
}

/// The same by the order.
TEST(PatternError, CoversWhatTheOrderChanges) {
  const Quantities q{{3, 0}, {0, 4}, {0.5, 0}};
  Changes changes{2, {}, {}, {}};
  for (const Complex value : q) changes.by_order.push_back(0.1 * value);

  const PatternError error = pattern_error(q, changes, 0, 1);
  for (const double bar : {error.field.at(0) / 5, error.relative, error.order, error.power}) {
    EXPECT_GE(bar, 0.1);
    EXPECT_LE(bar, 0.21);
  }
  EXPECT_EQ(error.shape, 0);
}

/// Two passes that differ much in one direction only, and by chance hardly in another.
TEST(PatternError, IsInNoDirectionWiderThanTheBound) {
  const Quantities q{{3, 0}, {4, 0}, {1, 0}, {}, {}, {}, {1, 0}};
  const auto bound = uniform_error(q, 0, 3, 0.3, 0.1);
  const auto other = pattern_error(q, {1, {0.25, 0, 0.075, 0, 0, 0, 0}, {}, {}}, 0, 3);
  ASSERT_LT(other.relative, bound.relative);
  ASSERT_GT(other.field[0], 0.4);

  const auto error = narrower(bound, other);
  EXPECT_DOUBLE_EQ(error.field[0], 0.4);
  EXPECT_GE(error.field[1], 0.1);
  EXPECT_DOUBLE_EQ(error.field[2], other.field[2]);
  double sum = 0;
  for (const double bar : error.field) sum += bar * bar;
  EXPECT_DOUBLE_EQ(error.relative, std::sqrt(sum / 26));
  EXPECT_NEAR(error.order, 3 * error.shape, 1e-12);
}

}  // namespace
}  // namespace curlew::fields
