// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The frequencies of a run one after another: Ctrl-C keeps what is done, --resume goes on.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/background.hpp"
#include "base/interrupt.hpp"
#include "base/types.hpp"
#include "run/run.hpp"

namespace curlew::run {

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
class FrequencySweep {
 public:
  /// @param frequencies [Hz] of the whole run
  FrequencySweep(std::vector<double> frequencies, Run& run);

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

  /// What an interrupted run has kept of a frequency; nothing, with a warning, of a damaged file.
  std::optional<SolvedArrays> find(std::size_t number) const;
  /// Keeps a solution, in place of its groups; nothing if the run has one frequency only.
  /// @throws ResourceError if the disk is full
  void keep(std::size_t number, const SolvedViews& arrays) const;
  /// The same of a group of right-hand sides of a frequency that is not done, also of the only frequency.
  std::optional<SolvedArrays> find_group(std::size_t number, std::size_t group) const;
  void keep_group(std::size_t number, std::size_t group, const SolvedViews& arrays) const;
  /// What is kept goes when the results are in place; `each` sees to it itself.
  void forget() const;

 private:
  bool loop(const std::function<void(std::size_t, double, Background&)>& work, Background& writer);
  void each_of_share(const std::function<void(std::size_t, double, Background&)>& work,
                     Background& writer) const;
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
};

}  // namespace curlew::run
