// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interface between a program and the steps of every run (job.hpp). S: the type of a solution.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "base/process_group.hpp"
#include "job/solution.hpp"
#include "linalg/sampling/sampled_solutions.hpp"
#include "run/carried.hpp"
#include "run/run.hpp"

namespace curlew::run {
class FrequencySweep;
}

namespace curlew::job {

struct Plan {
  long unknowns = 0;               ///< of the largest system, from which sinks derive their cost
  std::size_t solution_bytes = 0;  ///< of a solution waiting to be written
};

class Planned {
 public:
  virtual ~Planned() = default;
  /// Does all checks before any work; reports sizes, memory and, in dry runs, seconds.
  virtual Plan plan(run::Run& run) = 0;
};

/// A config on one mesh. It solves at a frequency and writes no files.
template <class S>
class Problem : public Planned {
 public:
  /// The stage of summary.json to which its time is added.
  virtual const char* stage() const { return "frequencies"; }
  /// Called before the first frequency: where solve() may save the state of an unfinished frequency.
  virtual void keep_in(const run::FrequencySweep&) {}
  /// @param frequency [Hz]
  virtual S solve(double frequency) = 0;
  /// A solution with allocated arrays, to be filled with saved values.
  virtual S unsolved(double frequency) = 0;
  /// Arrays from which a solution can be restored. Called while solve() runs in another thread.
  virtual Arrays arrays(S& s) const = 0;
  /// Whether a solution must be written before the next one begins: it is large, or its results are computed
  /// by all processes together.
  virtual bool is_written_first() const { return false; }
  /// The processes of mpirun, of which the first one saves and reads for all, since the others have only
  /// temporary folders; null: no mpirun.
  virtual const ProcessGroup* processes() const { return nullptr; }
  /// Seconds of its solver by stage, reported at the end; null: none.
  virtual const Stages* solver_stages() const { return nullptr; }
};

/// A problem whose solutions can be interpolated over frequency: they have the same unknowns at all
/// frequencies.
template <class S>
class SampledProblem : public Problem<S> {
 public:
  /// Its columns, one for each right-hand side.
  virtual linalg::SampledColumns columns(const S& s) const = 0;
  /// The solution with these columns.
  virtual S between(double frequency, const std::vector<Complex>& columns) = 0;
  /// What must be accurate at every frequency in addition to the columns.
  virtual linalg::SampledSolutions::Observed observed() const { return {}; }
  /// Whether full solutions are kept until all are known: they hold more than their columns.
  virtual bool keeps_full() const { return true; }
};

/// Writes or computes one kind of result at all frequencies.
template <class S>
class Sink {
 public:
  virtual ~Sink() = default;
  /// Whether it computes for long: such sinks come before those that write, can be interrupted, and use
  /// problem and run exclusively. The others work in a second thread while the next frequency is solved.
  virtual bool computes() const { return false; }
  /// Data that a computing sink gathers in the process that solves the frequency, perhaps a copy of this one;
  /// null: it works in this one.
  virtual run::Carried* carried() { return nullptr; }
  /// Opens files, before the problem is planned: results that depend on the mesh only are written after this.
  /// Not called in dry runs.
  virtual void open() {}
  /// Reports memory and seconds, after the problem reported its own; also in dry runs.
  virtual void plan(const Plan&) {}
  virtual void add(std::size_t number, double frequency, const S& s) = 0;
  /// Called once, after all frequencies or after an interruption.
  virtual void close() {}
};

/// A sink that uses the problem, and the config that it is made from.
template <class S, class Job>
class SinkOf : public Sink<S> {
 public:
  /// @note both outlive this object
  SinkOf(const Job& job, run::Run& run) : job_(job), case_(job.config()), run_(run) {}

 protected:
  using Case = std::remove_cvref_t<decltype(std::declval<const Job&>().config())>;
  const Job& job_;
  const Case& case_;
  run::Run& run_;
};

}  // namespace curlew::job
