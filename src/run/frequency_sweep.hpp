// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The frequencies of a run, sequentially or several at once; Ctrl-C keeps finished ones, --resume continues.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/background.hpp"
#include "base/interrupt.hpp"
#include "base/timer.hpp"
#include "base/types.hpp"
#include "run/carried.hpp"
#include "run/run.hpp"

namespace curlew::io {
class H5File;
}

namespace curlew::run {

class Copies;

/// Saved arrays of a solution, by name.
using SolvedArrays = std::map<std::string, std::vector<Complex>>;
/// Views of the same, for writing.
using SolvedViews = std::map<std::string, std::span<const Complex>>;

/// Reports the memory of solutions waiting in FrequencySweep::each_behind. @param bytes of one
void plan_waiting(Run& run, std::size_t frequencies, std::size_t bytes);

/// Equal for two runs of the same inputs: config, options, content of the files read so far.
std::string identity_of(Run& run);

/// Saves each solution next to the results (solved_N.h5, its groups of right-hand sides solved_N_GROUP.h5)
/// until those are written. After an early end --resume writes all files again from saved and new solutions.
/// Solutions of other inputs (config, options, files read) are not used.
///
/// If cores and memory allow (at_once.hpp), copies of this process solve and save; this process reads the
/// solutions in the order of the frequencies and writes results, as in a resumed run. Therefore every `work`
/// calls finish_solution between solving and writing.
class FrequencySweep {
 public:
  /// @param frequencies [Hz] of the whole run
  FrequencySweep(std::vector<double> frequencies, Run& run);
  ~FrequencySweep();

  // ---- before the loop ----
  /// Registers data that are gathered in finish_solution. @param carried outlives the loop
  void carry(Carried& carried) { carried_.push_back(&carried); }
  /// Registers the seconds of a solver; state_stages reports them with those of the copies.
  void watch(const Stages& stages) { watched_.push_back(&stages); }
  /// Solves frequencies sequentially: they take little time, or each needs the state of the previous one.
  void one_after_another() { is_alone_ = true; }
  /// each_behind without a thread: a solution is written before the next frequency is begun.
  void write_first() { waiting_ = 0; }

  /// Calls work(number, frequency) for each, from 0. Work solves, then holds interrupts (InterruptHold) and
  /// writes. After Ctrl-C in a later frequency than the first the loop ends, and so the run: with its files
  /// complete for the frequencies before, and exit status 130.
  /// With --array it solves the frequencies of its share that are not saved yet, and ends the run.
  /// @return true if all frequencies are done
  bool each(const std::function<void(std::size_t, double)>& work);
  /// The same with work(number, frequency, writer), which solves and gives the writer a function that saves
  /// and writes its solution: the writer runs in a second thread, in order, while the next frequency is
  /// solved. Up to two solved ones are in memory in addition to the current one.
  bool each_behind(const std::function<void(std::size_t, double, Background&)>& work);

  /// Called by `work` after a solution is saved and before it is written. In a copy it ends the frequency.
  /// @param compute further long computations, such as error bars; skipped if a copy did them
  void finish_solution(std::size_t number, const std::function<void()>& compute = {});
  /// Whether a copy has solved and saved it.
  bool is_from_copy(std::size_t number) const { return number < from_copy_.size() && from_copy_[number]; }

  /// Solves and saves several frequencies in copies of this process, for find() to read; does nothing if they
  /// would be solved one after another.
  /// @param solve and keep the frequency of that number
  void solve_side_by_side(std::vector<std::size_t> numbers, const std::function<void(std::size_t)>& solve);

  /// Arrays of a frequency saved by an interrupted run or a copy; empty if none, or, with a warning, if the
  /// file is damaged.
  std::optional<SolvedArrays> find(std::size_t number) const;
  /// Saves a solution and removes its groups; does nothing if the run has one frequency only.
  /// @throws ResourceError if the disk is full
  void keep(std::size_t number, const SolvedViews& arrays) const;
  /// The same for part of an unfinished frequency, also if it is the only one: a group of right-hand sides,
  /// or the state of an iteration.
  std::optional<SolvedArrays> find_group(std::size_t number, std::size_t group) const;
  void keep_group(std::size_t number, std::size_t group, const SolvedViews& arrays) const;
  /// Marks saved files for removal when the results are written; `each` does so itself.
  void forget() const;

 private:
  using Solve = std::function<void(std::size_t, double, Background&)>;

  bool loop(const Solve& work, Background& writer);
  void each_of_share(const Solve& work, Background& writer);
  void prepare(const std::vector<std::size_t>& numbers, const Solve& work);
  bool may_copy() const;
  bool solve_in_copy(std::size_t number);
  bool has_begun() const { return !is_sound_.empty(); }
  bool is_kept(std::size_t number) const;
  bool is_of_this_run(const io::H5File& file, std::size_t number) const;
  void write_states(bool is_done) const;
  std::string path(std::size_t number) const;
  std::string group_path(std::size_t number, std::size_t group) const;
  std::optional<SolvedArrays> find_file(const std::string& path, std::size_t number) const;
  std::optional<SolvedArrays> read_kept(const std::string& path, std::size_t number) const;
  void write_kept(const std::string& path, std::size_t number, const SolvedViews& arrays) const;
  std::vector<std::string> kept_files(const std::string& beginning) const;
  void remove_kept(const std::string& beginning) const;

  std::vector<double> frequencies_;
  Run& run_;
  std::vector<Carried*> carried_;
  std::vector<const Stages*> watched_;
  bool is_alone_ = false;
  std::size_t waiting_ = 1;                 // solutions waiting in addition to the one being written
  std::vector<bool> from_copy_, is_sound_;  // [frequencies] saved solutions at the start
  std::unique_ptr<Copies> copies_;
};

}  // namespace curlew::run
