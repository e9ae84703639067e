// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Frequencies of a run that copies (forks) of its process solve: when that is worthwhile, and which data
// return. Solutions are passed through files. Private to this module.

#include <functional>
#include <memory>
#include <vector>

#include "run/carried.hpp"
#include "run/run_state.hpp"
#include "run/side_by_side.hpp"

namespace curlew::run {

/// Thrown in a copy after it saved a solution and its data.
struct SolutionDone {};

/// Whether this process can be copied and has threads for it: no other processes, and not --jobs 1. GPU
/// contexts, which cannot be copied, are checked separately.
bool can_copy(int jobs, const ProcessGroup* processes);

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

  /// Whether this process is a copy.
  bool is_copy() const { return is_copy_; }
  bool has_begun() const { return has_begun_; }
  /// Whether the number of copies can be chosen when this frequency is next: if memory is only known after
  /// the first one, that is solved here.
  bool may_begin(std::size_t number) const;
  /// Chooses and logs the number of copies, and starts them.
  void begin(std::size_t number);
  /// Waits for a frequency. @return false if this process has to solve it
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
