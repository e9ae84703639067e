// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Groups of right-hand sides of the current frequency, kept for --resume. Of several processes process 0
// keeps and finds for all, as the others have no folder that lasts.

#include "base/process_group.hpp"
#include "ie/operator/solution_groups.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::ie {

/// The groups of one frequency.
class KeptGroups final : public GroupStore {
 public:
  /// @param sweep outlives this object @param largest right-hand sides in a group
  KeptGroups(const run::FrequencySweep& sweep, std::size_t number, Index largest,
             const ProcessGroup* processes)
      : sweep_(sweep), number_(number), largest_(largest), processes_(processes) {}

  Index largest() const override { return largest_; }
  std::optional<GroupReport> find(std::size_t group, std::span<const Index> numbers,
                                  std::span<Complex> x) override;
  void keep(std::size_t group, std::span<const Index> numbers, std::span<const Complex> x,
            const GroupReport& report) override;

  /// The same for results computed from the solutions, without the solutions.
  struct Results {
    GroupReport report;
    run::SolvedArrays arrays;
  };
  std::optional<Results> find_results(std::size_t group, std::span<const Index> numbers) const;
  void keep_results(std::size_t group, std::span<const Index> numbers, run::SolvedViews arrays,
                    const GroupReport& report) const;

 private:
  const run::FrequencySweep& sweep_;
  std::size_t number_;
  Index largest_;
  const ProcessGroup* processes_;
};

}  // namespace curlew::ie
