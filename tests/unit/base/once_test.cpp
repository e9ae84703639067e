// SPDX-License-Identifier: BSD-3-Clause
// Small functions of base: disjoint sets, decibels, random bits, positions along the Morton curve.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/decibel.hpp"
#include "base/morton.hpp"
#include "base/random_bits.hpp"
#include "base/sets.hpp"

namespace curlew {
namespace {

TEST(Sets, JoinsAreThoseOfAFloodedGraph) {
  constexpr int n = 200;
  std::mt19937 random(1);
  std::vector<std::vector<int>> neighbours(n);
  Sets<int> sets(n);
  for (int i = 0; i < n / 2; ++i) {
    const int a = int(random() % n), b = int(random() % n);
    neighbours[std::size_t(a)].push_back(b), neighbours[std::size_t(b)].push_back(a);
    sets.join(a, b);
  }
  std::vector<int> part(n, -1);
  for (int seed = 0; seed < n; ++seed) {
    if (part[std::size_t(seed)] >= 0) continue;
    std::vector<int> stack{seed};
    while (!stack.empty()) {
      const int i = stack.back();
      stack.pop_back();
      if (part[std::size_t(i)] >= 0) continue;
      part[std::size_t(i)] = seed;  // the smallest of its part
      for (const int next : neighbours[std::size_t(i)]) stack.push_back(next);
    }
  }
  EXPECT_EQ(sets.roots(), part);
}

TEST(Sets, JoinTellsWhetherTheyWereApart) {
  Sets<long> sets(4);
  EXPECT_TRUE(sets.join(3, 1));
  EXPECT_FALSE(sets.join(1, 3));
  EXPECT_EQ(sets.root(3), 1);
}

TEST(Decibels, HaveOneLeastValue) {
  EXPECT_NEAR(power_decibel(2), 3.0103, 1e-4);
  EXPECT_NEAR(decibel(0.1), -20, 1e-12);
  EXPECT_NEAR(power_decibel(0), -300, 1e-9);
  EXPECT_NEAR(decibel(0), -300, 1e-9);
}

/// The first numbers of the reference implementation (Vigna, splitmix64.c) from the state 0.
TEST(RandomBits, AreThoseOfTheReference) {
  EXPECT_EQ(random_bits(0), 0xe220a8397b1dcdafU);
  EXPECT_EQ(random_bits(0x9e3779b97f4a7c15U), 0x6e789e6aa1b965f4U);
}

TEST(Morton, EveryThirdBitIsThatOfTheNumber) {
  for (const std::uint64_t n : {0x0UL, 0x1UL, 0x155555UL, 0x1fffffUL, 0x123456UL}) {
    std::uint64_t expected = 0;
    for (int bit = 0; bit < 21; ++bit) expected |= (n >> bit & 1) << (3 * bit);
    EXPECT_EQ(spread_bits(n), expected) << n;
  }
}

}  // namespace
}  // namespace curlew
