// SPDX-License-Identifier: BSD-3-Clause
#include "base/process_group.hpp"

#include <gtest/gtest.h>

#include "thread_group.hpp"

namespace curlew::test {
namespace {

TEST(ProcessGroup, Process0DecidesForAll) {
  std::vector<int> as_first(3), unlike_first(3);

  on_processes(3, [&](const ProcessGroup& group) {
    as_first[std::size_t(group.rank())] = group.decide(group.rank() == 0);
    unlike_first[std::size_t(group.rank())] = group.decide(group.rank() != 0);
  });

  EXPECT_EQ(as_first, (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(unlike_first, (std::vector<int>{0, 0, 0}));
}

TEST(ProcessGroup, NoGroupIsTheFirstProcess) {
  ThreadGroup::Meeting two(2);
  const ThreadGroup first(two, 0), second(two, 1);

  EXPECT_TRUE(is_first(nullptr));
  EXPECT_TRUE(is_first(&first));
  EXPECT_FALSE(is_first(&second));
}

struct Turn {
  int count;
  double angle;
};
struct Shift {
  int count;
  double length;
};
struct End {};

TEST(GroupStep, IsKnownByItsTypeAndKeepsItsValues) {
  const GroupStep turn = Turn{-3, 0.5}, end = End{}, none;

  ASSERT_TRUE(turn.as<Turn>());
  EXPECT_EQ(turn.as<Turn>()->count, -3);
  EXPECT_EQ(turn.as<Turn>()->angle, 0.5);
  EXPECT_FALSE(turn.as<Shift>());
  EXPECT_FALSE(turn.is<End>());
  EXPECT_TRUE(end.is<End>());
  EXPECT_FALSE(none.is<End>());
}

}  // namespace
}  // namespace curlew::test
