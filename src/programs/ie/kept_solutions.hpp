// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What ie-solve saves for --resume: solved frequencies, and groups of right-hand sides of the current one.
// With mpirun process 0 saves and reads for all, since the others have only temporary folders.

#include "ie/operator/solution_groups.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::programs {

/// FrequencySweep::find and keep.
std::optional<run::SolvedArrays> find_solution(const run::FrequencySweep& sweep, std::size_t number);
void keep_solution(const run::FrequencySweep& sweep, std::size_t number, const run::SolvedViews& arrays);

/// The groups of one frequency.
class KeptGroups final : public ie::GroupStore {
 public:
  /// @param sweep outlives this object @param largest right-hand sides in a group
  KeptGroups(const run::FrequencySweep& sweep, std::size_t number, Index largest)
      : sweep_(sweep), number_(number), largest_(largest) {}

  Index largest() const override { return largest_; }
  std::optional<ie::GroupReport> find(std::size_t group, std::span<const Index> numbers,
                                      std::span<Complex> x) override;
  void keep(std::size_t group, std::span<const Index> numbers, std::span<const Complex> x,
            const ie::GroupReport& report) override;

  /// The same for results computed from the solutions, without the solutions.
  struct Results {
    ie::GroupReport report;
    run::SolvedArrays arrays;
  };
  std::optional<Results> find_results(std::size_t group, std::span<const Index> numbers) const;
  void keep_results(std::size_t group, std::span<const Index> numbers, run::SolvedViews arrays,
                    const ie::GroupReport& report) const;

 private:
  const run::FrequencySweep& sweep_;
  std::size_t number_;
  Index largest_;
};

}  // namespace curlew::programs
