// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Right-hand sides in groups, each of which is made, solved, kept and used as a whole.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "linalg/krylov/options.hpp"

namespace curlew::ie {

/// How a group was solved, and sizes of the operator that it was solved with.
struct GroupReport {
  std::vector<linalg::KrylovReport> krylov;  ///< by right-hand side
  Offset num_points = 0, near_entries = 0;

  bool converged() const;
};

/// Starts and search directions begin anew in each group. Its solutions are then the same bit for bit
/// whichever groups were solved before it, on whichever device, in whichever run.
struct SolutionGroups {
  std::vector<Index> sizes;  ///< right-hand sides of each group that is to be solved
  /// Of the whole problem, groups solved earlier included: they decide how it is iterated.
  Index total = 0;
  /// The right-hand sides of a group [size, unknowns], which its solutions take the place of. Asked by any
  /// thread, of each group once.
  std::function<Complex*(std::size_t group)> begin;
  /// The solutions are there; one thread at a time.
  std::function<void(std::size_t group, const GroupReport& report)> end;
};

/// Keeps solved groups for a later run with --resume.
class GroupStore {
 public:
  virtual ~GroupStore() = default;
  /// Right-hand sides that a group has at most.
  virtual Index largest() const = 0;
  /// @param numbers right-hand sides of the group @param[out] x [numbers, unknowns]
  /// @returns nothing if it is not kept, x is then as it was
  virtual std::optional<GroupReport> find(std::size_t group, std::span<const Index> numbers,
                                          std::span<Complex> x) = 0;
  virtual void keep(std::size_t group, std::span<const Index> numbers, std::span<const Complex> x,
                    const GroupReport& report) = 0;
};

}  // namespace curlew::ie
