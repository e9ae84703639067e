// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The frequencies of a run, one after another or several at once: Ctrl-C keeps what is done, --resume goes
// on.

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

/// What a program keeps of a solution, by name.
using SolvedArrays = std::map<std::string, std::vector<Complex>>;
/// The same where it is, for writing.
using SolvedViews = std::map<std::string, std::span<const Complex>>;

/// States the memory of the solutions that wait in FrequencySweep::each_behind. @param bytes of one
void plan_waiting(Run& run, std::size_t frequencies, std::size_t bytes);

/// Equal for two runs of the same inputs: config, options, content of the files read so far.
std::string identity_of(Run& run);

/// Keeps each solution beside the results (solved_N.h5, its groups of right-hand sides solved_N_GROUP.h5)
/// until those are in place. A run that ends early has them for --resume, which then makes all files anew
/// from kept and new solutions. Solutions of other inputs (config, options, files read) are not taken.
///
/// Where cores and memory allow (at_once.hpp) the solutions are made by copies of this process, which keep
/// them; this one finds them in the order of the frequencies and writes, as one that is resumed does. For
/// that every `work` calls finish_solution between solving and writing.
class FrequencySweep {
 public:
  /// @param frequencies [Hz] of the whole run
  FrequencySweep(std::vector<double> frequencies, Run& run);
  ~FrequencySweep();

  // ---- before the loop ----
  /// What is gathered in finish_solution. @param carried outlives the loop
  void carry(Carried& carried) { carried_.push_back(&carried); }
  /// The seconds of a solver, reported by state_stages; those of copies are added.
  void watch(const Stages& stages) { watched_.push_back(&stages); }
  /// Frequencies that take next to no time, or need what the one before has left.
  void one_after_another() { is_alone_ = true; }
  /// each_behind without a thread: a solution is written before the next frequency is begun.
  void write_first() { waiting_ = 0; }

  /// Calls work(number, frequency) for each, from 0. Work solves, then holds interrupts (InterruptHold) and
  /// writes. After Ctrl-C in a later frequency than the first the loop ends, and so the run: with its files
  /// complete for the frequencies before, and exit status 130.
  /// Of a share (--array) it does those frequencies that are not kept yet, and ends the run.
  /// @return true if all frequencies are done
  bool each(const std::function<void(std::size_t, double)>& work);
  /// The same with work(number, frequency, writer), which solves and gives the writer what keeps and writes
  /// its solution: that runs on a thread of its own, in order, while the next frequency is solved. Two such
  /// solutions are in memory beside the one in work.
  bool each_behind(const std::function<void(std::size_t, double, Background&)>& work);

  /// Called by `work` when a frequency is kept and before it is written. In a copy it ends the frequency.
  /// @param compute what else takes long, such as error bars; left out where a copy has done it
  void finish_solution(std::size_t number, const std::function<void()>& compute = {});
  /// Whether a copy has solved it: all that it has kept is there.
  bool is_from_copy(std::size_t number) const { return number < from_copy_.size() && from_copy_[number]; }

  /// What an interrupted run, or a copy, has kept of a frequency; nothing, with a warning, of a damaged file.
  std::optional<SolvedArrays> find(std::size_t number) const;
  /// Keeps a solution, in place of its groups; nothing if the run has one frequency only.
  /// @throws ResourceError if the disk is full
  void keep(std::size_t number, const SolvedViews& arrays) const;
  /// The same of a part of a frequency that is not done, also of the only one: a group of right-hand sides,
  /// or the state of an iteration.
  std::optional<SolvedArrays> find_group(std::size_t number, std::size_t group) const;
  void keep_group(std::size_t number, std::size_t group, const SolvedViews& arrays) const;
  /// What is kept goes when the results are in place; `each` sees to it itself.
  void forget() const;

 private:
  using Solve = std::function<void(std::size_t, double, Background&)>;

  bool loop(const Solve& work, Background& writer);
  void each_of_share(const Solve& work, Background& writer);
  void prepare(const std::vector<std::size_t>& numbers, const Solve& work);
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
  std::size_t waiting_ = 1;                 // solutions beside the one that is written
  std::vector<bool> from_copy_, is_sound_;  // [frequencies], from the start of the loop: what is kept of them
  std::unique_ptr<Copies> copies_;
};

}  // namespace curlew::run
