// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a program is to the pipeline of every run (job.hpp). S: a solution as the program's sinks understand
// it.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "job/solution.hpp"
#include "linalg/process_group.hpp"
#include "linalg/sampling/sampled_solutions.hpp"
#include "run/carried.hpp"
#include "run/run.hpp"

namespace curlew::run {
class FrequencySweep;
}

namespace curlew::job {

struct Plan {
  long unknowns = 0;               ///< of the largest system, for those whose cost follows from it
  std::size_t solution_bytes = 0;  ///< of a solution that waits until it is written
};

class Planned {
 public:
  virtual ~Planned() = default;
  /// All checks before any work; states sizes, memory and, in dry runs, seconds.
  virtual Plan plan(run::Run& run) = 0;
};

/// A config on one mesh. It computes at a frequency and knows no file.
template <class S>
class Problem : public Planned {
 public:
  /// The stage of summary.json in which it is solved.
  virtual const char* stage() const { return "frequencies"; }
  /// Before the first of the frequencies: where solve() may keep what it has of one that is not done.
  virtual void keep_in(const run::FrequencySweep&) {}
  /// @param frequency [Hz]
  virtual S solve(double frequency) = 0;
  /// A solution whose arrays have their sizes, to be filled with what was kept.
  virtual S unsolved(double frequency) = 0;
  /// What must be kept of a solution to have it again. Called beside solve().
  virtual Arrays arrays(S& s) const = 0;
  /// Whether a solution is written before the next one is begun: it is large, or processes make its results
  /// together.
  virtual bool is_written_first() const { return false; }
  /// Those that all run the program, of which the first one keeps and finds for all, as the others have no
  /// folder that lasts; null: this one alone.
  virtual const linalg::ProcessGroup* processes() const { return nullptr; }
  /// Seconds of its solver by stage, which a sink tells at the end; null: none.
  virtual const Stages* solver_stages() const { return nullptr; }
};

/// A problem whose solutions can be found between frequencies: they have the same unknowns at all of them.
template <class S>
class SampledProblem : public Problem<S> {
 public:
  /// Its columns, one for each right-hand side.
  virtual linalg::SampledColumns columns(const S& s) const = 0;
  /// The solution that has these columns.
  virtual S between(double frequency, const std::vector<Complex>& columns) = 0;
  /// What must be right at every frequency beside the columns.
  virtual linalg::SampledSolutions::Observed observed() const { return {}; }
  /// Whether full solutions wait for the others: they hold more than their columns.
  virtual bool keeps_full() const { return true; }
};

/// One kind of result of all frequencies.
template <class S>
class Sink {
 public:
  virtual ~Sink() = default;
  /// Whether it computes at length: such come before those that write, can be interrupted, and have problem
  /// and run for themselves. The others work on a thread of their own while the next frequency is solved.
  virtual bool computes() const { return false; }
  /// Of one that computes: what it gathers meanwhile. It works where the frequency is solved, perhaps in a
  /// copy of this process; null: it works in this one.
  virtual run::Carried* carried() { return nullptr; }
  /// Opens files, before the problem is planned: what stands on the mesh alone is written behind its
  /// analysis. No dry run comes here.
  virtual void open() {}
  /// States memory and seconds, once the problem has stated its own; in dry runs too.
  virtual void plan(const Plan&) {}
  virtual void add(std::size_t number, double frequency, const S& s) = 0;
  /// Once, when all frequencies are done, or those before an interruption.
  virtual void close() {}
};

/// One that asks the problem, and the config that it is made of.
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
