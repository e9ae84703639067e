// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solved groups of right-hand sides, kept in memory in place of a run's folder.

#include <algorithm>
#include <map>

#include "ie/operator/solution_groups.hpp"

namespace curlew::ie {

/// Saved groups of a run.
class KeptInMemory final : public GroupStore {
 public:
  explicit KeptInMemory(Index largest) : largest_(largest) {}
  Index largest() const override { return largest_; }
  std::optional<GroupReport> find(std::size_t group, std::span<const Index> numbers,
                                  std::span<Complex> x) override {
    const auto known = groups.find(group);
    if (known == groups.end()) return std::nullopt;
    if (!std::ranges::equal(known->second.numbers, numbers)) return std::nullopt;
    std::ranges::copy(known->second.x, x.begin());
    return known->second.report;
  }
  void keep(std::size_t group, std::span<const Index> numbers, std::span<const Complex> x,
            const GroupReport& report) override {
    ++times_kept;
    groups[group] = {{numbers.begin(), numbers.end()}, {x.begin(), x.end()}, report};
  }

  struct Group {
    std::vector<Index> numbers;
    std::vector<Complex> x;
    GroupReport report;
  };
  std::map<std::size_t, Group> groups;
  int times_kept = 0;

 private:
  Index largest_;
};

}  // namespace curlew::ie
