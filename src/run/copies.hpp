// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Frequencies of a run that copies of its process solve: when it is worth it, and what comes back beside the
// solutions, which stay on the disk. Private to this room.

#include <functional>
#include <memory>
#include <vector>

#include "run/carried.hpp"
#include "run/run_state.hpp"
#include "run/side_by_side.hpp"

namespace curlew::run {

/// Thrown in a copy when it has kept a solution and all that belongs to it.
struct SolutionDone {};

/// Whether this process can be copied and has the threads for it: no MPI, and --jobs 1 does not forbid it. A
/// GPU's context cannot be copied: asked apart.
bool can_copy(int jobs);

class Copies {
 public:
  using Solve = std::function<void(std::size_t number)>;

  /// @param numbers ascending, of the frequencies that are not solved yet
  /// @param solve throws SolutionDone; in a copy
  Copies(Run& run, std::vector<std::size_t> numbers, Solve solve, std::vector<Carried*> carried,
         std::vector<const Stages*> watched);
  ~Copies();
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  /// In one of them.
  bool is_copy() const { return is_copy_; }
  bool has_begun() const { return has_begun_; }
  /// Whether it is known, as this number's turn comes, how many fit: where memory is planned at the first
  /// frequency only, that one is solved here.
  bool may_begin(std::size_t number) const;
  /// Decides how many, says so, and starts them.
  void begin(std::size_t number);
  /// Waits for a number. @return false if this process has to solve it
  /// @throws what was thrown in the copy; Interrupted
  bool take(std::size_t number);

 private:
  nlohmann::json solve_in_copy(std::size_t number);
  void add(const nlohmann::json& value);

  Run& run_;
  std::vector<std::size_t> numbers_;
  Solve solve_;
  std::vector<Carried*> carried_;
  std::vector<const Stages*> watched_;
  bool is_copy_ = false, has_begun_ = false;
  std::unique_ptr<SideBySide> processes_;
};

}  // namespace curlew::run
