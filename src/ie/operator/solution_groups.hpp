// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Groups of right-hand sides, each of which is assembled, solved, saved and used together.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "linalg/krylov/options.hpp"

namespace curlew::ie {

/// Report of a solved group, and sizes of its operator.
struct GroupReport {
  std::vector<linalg::KrylovReport> krylov;  ///< by right-hand side
  Offset num_points = 0, near_entries = 0;

  bool converged() const;
};

/// Initial guesses and search directions are not shared between groups. Solutions of a group then have the
/// same bits regardless of other groups, device and run.
struct SolutionGroups {
  std::vector<Index> sizes;  ///< number of right-hand sides of each group to be solved
  /// Right-hand sides of the full problem, including groups solved earlier: they determine options of the
  /// iteration.
  Index total = 0;
  /// The right-hand sides of a group [size, unknowns], which its solutions replace. Called by any thread,
  /// once per group.
  std::function<Complex*(std::size_t group)> begin;
  /// Called when solutions are complete, by one thread at a time.
  std::function<void(std::size_t group, const GroupReport& report)> end;
};

/// Saves solved groups for a later run with --resume.
class GroupStore {
 public:
  virtual ~GroupStore() = default;
  /// Largest number of right-hand sides of a group.
  virtual Index largest() const = 0;
  /// @param numbers right-hand sides of the group @param[out] x [numbers, unknowns]
  /// @returns empty if not saved; x is then unchanged
  virtual std::optional<GroupReport> find(std::size_t group, std::span<const Index> numbers,
                                          std::span<Complex> x) = 0;
  virtual void keep(std::size_t group, std::span<const Index> numbers, std::span<const Complex> x,
                    const GroupReport& report) = 0;
};

}  // namespace curlew::ie
