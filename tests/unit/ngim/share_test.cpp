// SPDX-License-Identifier: BSD-3-Clause
// The division of a sum over several devices, on the CPU: which grids each makes and which it needs.

#include "ngim/share.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "clouds.hpp"
#include "ngim/tree.hpp"

namespace curlew::ngim {
namespace {

std::vector<SourceRange> sources_of(const Tree& tree) {
  std::vector<SourceRange> sources;
  for (const Box& box : tree.boxes) sources.push_back({box.source_begin, box.num_sources()});
  return sources;
}

/// The upward pass with a number in the place of a grid: how many sources a box holds. Each device works as
/// the GPU does: it makes its own boxes, takes those of the others, and makes the coarse levels itself.
class Devices {
 public:
  Devices(const Tree& tree, int first_grid_level, int count)
      : tree_(tree),
        first_(first_grid_level),
        shares_(divide_boxes(tree.level_begin, sources_of(tree), first_grid_level, count)),
        grids_(std::size_t(count), std::vector<Offset>(tree.boxes.size(), 0)),
        charges_(std::size_t(count), 0) {
    for (int d = 0; d < count; ++d) make_own(d);
    const auto made = grids_;
    for (int d = 0; d < count; ++d)
      for (int other = 0; other < count; ++other)
        if (other != d) receive(d, other, made[std::size_t(other)]);
    for (int d = 0; d < count; ++d) make_coarse(d);
  }
  const BoxShares& shares() const { return shares_; }
  const std::vector<Offset>& grids(int device) const { return grids_[std::size_t(device)]; }
  /// Sources that a device sums on grids.
  Offset charges(int device) const { return charges_[std::size_t(device)]; }

 private:
  void add_children(int device, Index begin, Index end) {
    auto& grid = grids_[std::size_t(device)];
    for (Index b = begin; b < end; ++b)
      for (const Index child : tree_.boxes[b].children)
        if (child != no_box) grid[b] += grid[child];
  }
  void make_own(int device) {
    for (const Index leaf : leaves_of_share(shares_, device, tree_.level_begin, tree_.leaves, first_)) {
      grids_[std::size_t(device)][leaf] += tree_.boxes[leaf].num_sources();
      charges_[std::size_t(device)] += tree_.boxes[leaf].num_sources();
    }
    for (int l = tree_.num_levels() - 2; l >= std::max(first_, shares_.first_level); --l)
      add_children(device, shares_.begin[l][device], shares_.begin[l][device + 1]);
  }
  void receive(int device, int other, const std::vector<Offset>& made) {
    for (const auto& begin : shares_.begin)
      for (Index b = begin.empty() ? 0 : begin[other]; !begin.empty() && b < begin[other + 1]; ++b)
        grids_[std::size_t(device)][b] = made[b];
  }
  void make_coarse(int device) {
    for (int l = std::min(shares_.first_level, tree_.num_levels() - 1) - 1; l >= first_; --l)
      add_children(device, tree_.level_begin[l], tree_.level_begin[l + 1]);
  }

  const Tree& tree_;
  int first_;
  BoxShares shares_;
  std::vector<std::vector<Offset>> grids_;  // [device][box]
  std::vector<Offset> charges_;
};

void expect_complete(const Tree& tree, int first_grid_level, int count) {
  const Devices devices(tree, first_grid_level, count);
  for (int d = 0; d < count; ++d)
    for (std::size_t b = 0; b < tree.boxes.size(); ++b) {
      const Box& box = tree.boxes[b];
      const Offset expected = box.level < first_grid_level ? 0 : box.num_sources();
      ASSERT_EQ(devices.grids(d)[b], expected) << "device " << d << ", box " << b;
    }
}

TEST(BoxShares, GiveEveryDeviceAllGrids) {
  for (const auto& shape : {"cube", "graded", "sphere", "line", "clusters"})
    for (const Offset leaf : {3, 40}) {
      const Tree same = build_tree(cloud(shape, 9000), {}, true, [leaf](int, double) { return leaf; });
      const Tree two = build_tree(cloud(shape, 9000), cloud("graded", 700, 5), false,
                                  [leaf](int, double) { return leaf; });
      for (const int first : {2, 4})
        for (const int count : {1, 2, 3, 8}) {
          SCOPED_TRACE(testing::Message() << shape << leaf << " first " << first << " count " << count);
          expect_complete(same, first, count);
          expect_complete(two, first, count);
        }
    }
  const auto of_five = [](int, double) { return Offset(5); };
  expect_complete(build_tree(cloud("cube", 4), {}, true, of_five), 2, 2);  // no grids
  expect_complete(build_tree({}, {}, true, of_five), 2, 2);
}

/// Charges are summed once, and the pieces are of one size: few leaves are divided once more, whose level
/// must not be the one that is cut.
TEST(BoxShares, DivideTheChargesEvenly) {
  const Offset n = 200000;
  const Tree tree = build_tree(cloud("cube", int(n)), {}, true, [](int, double) { return Offset(64); });
  ASSERT_EQ(tree.num_levels(), 6);
  for (const int count : {2, 3, 8}) {
    const Devices devices(tree, 2, count);
    EXPECT_EQ(devices.shares().first_level, 4);  // 4096 boxes
    Offset sum = 0;
    for (int d = 0; d < count; ++d) {
      EXPECT_NEAR(double(devices.charges(d)), double(n) / count, 2.0 * double(n) / 4096) << d;
      sum += devices.charges(d);
    }
    EXPECT_EQ(sum, n);
  }
}

/// Two small clusters far apart, one box each on many levels.
TEST(BoxShares, DivideClustersEvenly) {
  Points points = cloud("cube", 30000);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = 1e-4 * points[i] + (i % 3 == 0 ? 1.0 : 0.0) * Vec3<double>{1, 1, 1};
  const Tree tree = build_tree(points, {}, true, [](int, double) { return Offset(20); });
  ASSERT_EQ(tree.level_begin[11] - tree.level_begin[10], 2);
  const Devices devices(tree, 2, 2);
  for (int d = 0; d < 2; ++d) EXPECT_NEAR(double(devices.charges(d)), 15000, 500) << d;
}

/// The first level with grids is cut, however many boxes it has.
TEST(BoxShares, CutTheFirstLevelWithGridsWhereItIsFine) {
  const Tree tree = build_tree(cloud("cube", 60000), {}, true, [](int, double) { return Offset(2); });
  ASSERT_GT(tree.level_begin[6] - tree.level_begin[5], 4096);
  const Devices devices(tree, 5, 2);
  EXPECT_EQ(devices.shares().first_level, 5);
  EXPECT_TRUE(devices.shares().begin[4].empty());
}

}  // namespace
}  // namespace curlew::ngim
