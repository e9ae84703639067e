// SPDX-License-Identifier: BSD-3-Clause
// Tasks that meet at a barrier: batches are reproducible, every task ends, and every failure is reported.

#include "linalg/krylov/batch_barrier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace curlew::linalg {
namespace {

using Requests = std::vector<BatchBarrier::Request>;

TEST(BatchBarrier, TasksMeetStepByStepUntilEachHasEnded) {
  BatchBarrier meeting;
  std::vector<int> sizes;
  std::vector<int> doubled(4, 0);
  const auto body = [&](int task) {  // task t asks t + 1 times
    for (int step = 0; step <= task; ++step) {
      const int from = 10 * task + step;
      int to = 0;
      meeting.ask({task, 0, &from, &to});
      doubled[std::size_t(task)] += to == 2 * from ? 1 : 0;
    }
  };
  const auto serve = [&](const Requests& requests) {
    sizes.push_back(int(requests.size()));
    EXPECT_TRUE(std::ranges::is_sorted(requests, {}, &BatchBarrier::Request::task));
    for (const auto& r : requests) *static_cast<int*>(r.to) = 2 * *static_cast<const int*>(r.from);
  };

  meeting.run(4, body, serve);

  EXPECT_EQ(sizes, (std::vector<int>{4, 3, 2, 1}));
  EXPECT_EQ(doubled, (std::vector<int>{1, 2, 3, 4}));
}

TEST(BatchBarrier, DifferentOperationsAreServedApart) {
  BatchBarrier meeting;
  std::vector<std::pair<int, std::size_t>> served;

  meeting.run(
      3,
      [&](int task) {
        meeting.ask({task, task == 1 ? 1 : 0, nullptr, nullptr});
      },
      [&](const Requests& requests) { served.emplace_back(requests[0].operation, requests.size()); });

  EXPECT_EQ(served, (std::vector<std::pair<int, std::size_t>>{{0, 2}, {1, 1}}));
}

TEST(BatchBarrier, WhatATaskThrowsArrivesAfterTheOthersHaveEnded) {
  BatchBarrier meeting;
  int served = 0;
  const auto body = [&](int task) {
    meeting.ask({task, 0, nullptr, nullptr});
    if (task == 1) throw std::runtime_error("task");
    meeting.ask({task, 0, nullptr, nullptr});
  };

  EXPECT_THROW(meeting.run(3, body, [&](const Requests& r) { served += int(r.size()); }), std::runtime_error);

  EXPECT_EQ(served, 5);
}

TEST(BatchBarrier, WhatServeThrowsEndsAllAndLeavesItUsable) {
  BatchBarrier meeting;
  const auto body = [&](int task) {
    while (true) meeting.ask({task, 0, nullptr, nullptr});
  };
  int left = 3;

  EXPECT_THROW(meeting.run(2, body,
                           [&](const Requests&) {
                             if (--left == 0) throw std::domain_error("serve");
                           }),
               std::domain_error);

  meeting.run(
      2,
      [&](int task) {
        meeting.ask({task, 0, nullptr, nullptr});
      },
      [&](const Requests&) { ++left; });
  EXPECT_EQ(left, 1);
}

}  // namespace
}  // namespace curlew::linalg
