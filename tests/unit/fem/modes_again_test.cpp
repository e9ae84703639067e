// SPDX-License-Identifier: BSD-3-Clause
// Modes of two solutions in pairs, and changes of which one vanishes by chance.

#include "fem/error/modes_again.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::fem {
namespace {

using fields::Quantities;

/// Solver for a spectrum: the modes above a target, at least `count`.
FindModes finder(const std::vector<double>& spectrum) {
  return [=](double target, int count) {
    Quantities found;
    for (const double f : spectrum)
      if (f > target && int(found.size()) < count) found.emplace_back(f);
    return found;
  };
}

TEST(ModesAgain, AreThoseReportedWhereTheTargetCutsOthers) {
  // At the other order the first mode lies below the target, 10, and a neighbour just above the range of
  // search.
  const Quantities reported{10.05, 11, 12};
  EXPECT_EQ(modes_again(reported, 10, finder({5, 9.6, 9.95, 10.9, 11.8, 13})),
            (Quantities{9.95, 10.9, 11.8}));
  // A mode that came from below is not taken for the first one.
  EXPECT_EQ(modes_again({10.5, 11}, 10, finder({9.98, 10.1, 10.45, 10.95, 14})), (Quantities{10.45, 10.95}));
  // With many modes below, more are requested.
  std::vector<double> dense;
  for (int i = 0; i < 40; ++i) dense.push_back(9.6 + 0.01 * i);
  dense.insert(dense.end(), {10.2, 11.1, 12.3});
  EXPECT_EQ(modes_again({10.2, 11, 12}, 10.19, finder(dense)), (Quantities{10.2, 11.1, 12.3}));
  // One was lost in the run.
  EXPECT_EQ(modes_again({10.5, 12}, 0, finder({10.4, 11, 12.1})).size(), 2U);
  EXPECT_THROW(modes_again({10.5, 12}, 10, finder({10.4})), NumericalError);
}

/// Errors of a box go as f^(2p + 1) (Boffi 2010). Where two orders agree by chance, the other changes are
/// used.
TEST(BelievedChanges, DoNotVanishByChance) {
  const std::vector<double> f{1, 1.5, 2, 2.5, 3};
  std::vector<double> second, third;
  for (const double x : f) second.push_back(1e-3 * std::pow(x, 3)), third.push_back(1e-5 * std::pow(x, 5));
  EXPECT_EQ(believed_changes(third, {}, f, 2), third);  // unchanged where no change is small by chance
  auto chance = third;
  chance[2] = 1e-12;
  const auto believed = believed_changes(chance, second, f, 3);
  for (std::size_t i = 0; i < f.size(); ++i) {
    EXPECT_GE(believed[i], 0.29 * third[i]) << i;
    EXPECT_LE(believed[i], third[i] * (1 + 1e-12)) << i;
  }
  EXPECT_EQ(believed_changes({1e-12}, {1e-3}, {2.0}, 3),
            (std::vector<double>{5e-5}));  // one mode: a ratio of 0.05
}

}  // namespace
}  // namespace curlew::fem
