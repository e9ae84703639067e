// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The current run of a program: options, folder, timers, and entries of summary.json.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/device.hpp"
#include "base/timer.hpp"
#include "io/provenance.hpp"
#include "run/value.hpp"

namespace curlew {
class ProcessGroup;
}

namespace curlew::run {

enum class Precision { single_precision, double_precision };

/// The stage that computes results from solutions: sums of near and far fields, tables, files. The same in
/// all programs.
inline constexpr const char* results_stage = "fields and files";

/// The seconds of a scope, added to a stage of the summary and logged at its end.
class StageTimer {
 public:
  StageTimer(Stages& stages, std::string name);
  ~StageTimer();
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  Stages& stages_;
  std::string name_;
  Timer timer_;
};

struct RunState;

/// One run of a program, or one point of a sweep.
class Run {
 public:
  explicit Run(std::unique_ptr<RunState> state);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // ---- request ----
  Device device() const;
  bool on_cuda() const { return device() == Device::cuda; }
  /// --device auto: the program may switch to the CPU if the device cannot solve the problem.
  bool is_device_free() const;
  Precision precision() const;
  int threads() const;
  /// Those that run the program (mpirun); null: this one alone.
  const ProcessGroup* processes() const;
  /// --jobs: how much is computed at once; 0: the program decides.
  int jobs() const;
  /// True with --resume: solutions saved by an interrupted run are used.
  bool resume() const;
  /// Hash of all inputs: equal for two runs that compute the same.
  const std::string& inputs_hash() const;
  /// Check, mesh and plan, then return without computing. Nothing is written.
  bool dry_run() const;
  /// The file on the command line: the config, or another input of the program (system.h5).
  const std::string& input() const;
  /// True if the input is a config, false for one of AppInfo::other_inputs.
  bool has_config() const;
  /// A program's own option: given or not, its last value, all its values, its value as a number.
  bool flag(const std::string& name) const;
  std::optional<std::string> option(const std::string& name) const;
  std::vector<std::string> option_list(const std::string& name) const;
  /// @throws InputError if the text is no finite number
  std::optional<double> number_option(const std::string& name) const;

  // ---- files ----
  /// Path under which to write the result NAME; renamed to OUTPUT/NAME when the whole run succeeds, removed
  /// otherwise. Ask once per file.
  std::string output(const std::string& name);
  /// The same for the one file that --output names (AppInfo::output_file); a dry run removes it again.
  std::string output_file();
  /// Where results will be: the folder (or the file) of --output.
  const std::string& output_path() const;
  /// The config's file name without extension: NAME of NAME.sNp.
  std::string stem() const;
  /// Origin of the results, for every writer.
  const io::Provenance& provenance() const;
  /// Registers a file whose content the results depend on: a resumed sweep computes again if it changed.
  void depends_on(const std::string& path);

  // ---- progress and plan ----
  /// `auto timer = run.stage("assembly");`
  [[nodiscard]] StageTimer stage(const std::string& name);
  /// Reports the memory that a stage will take. A dry run prints it; a real run stops here if it cannot fit.
  /// @throws ResourceError in a real run if bytes exceed the available memory
  void plan(const std::string& stage, std::size_t bytes);
  void plan_device(const std::string& stage, std::size_t bytes);

  // ---- what goes into the summary ----
  /// A size: "unknowns", "cells", "nonzeros".
  void size(const std::string& name, long value);
  /// One solve; several add up (total iterations, worst residual).
  void solver(const std::string& method, long iterations, double relative_residual, bool converged = true);
  /// Further facts of the solver ("preconditioner", "fill").
  void solver_fact(const std::string& name, const Value& value);
  /// `results` of the summary: an object. Scalars in it (nested ones too) become columns of a sweep's table.
  Value& results();
  /// A warning on stderr and in the summary. It names the likely cause.
  void warn(const std::string& text);

  // ---- what is printed on stdout at the end ----
  /// Starts a table of main results; columns name quantity and unit.
  void table(const std::string& title, const std::vector<std::string>& columns);
  void row(const std::vector<std::string>& cells);
  /// A line under the tables.
  void line(const std::string& text);

  RunState& state() { return *state_; }

 private:
  std::unique_ptr<RunState> state_;
};

/// Adds stages that were measured concurrently in another thread (ScopedStage).
void add_stages(const Stages& stages, Run& run);
/// Adds the solver's seconds by stage to the summary, with those of copies (FrequencySweep::watch).
void state_solver_stages(const Stages& stages, Run& run);

}  // namespace curlew::run
