// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a program is to the pipeline of every run (job.hpp). S: a solution as the program's sinks understand
// it.

#include <cstddef>

#include "job/solution.hpp"
#include "run/run.hpp"

namespace curlew::job {

/// The size of a run's largest system, for those whose cost follows from it.
struct Plan {
  long unknowns = 0;
};

/// A config on one mesh. It computes at a frequency and knows no file.
template <class S>
class Problem {
 public:
  virtual ~Problem() = default;
  /// All checks before any work; states sizes, memory and, in dry runs, seconds.
  virtual Plan plan(run::Run& run) = 0;
  /// The stage of summary.json in which it is solved.
  virtual const char* stage() const = 0;
  /// @param number of the frequency [Hz], from 0
  virtual S solve(std::size_t number, double frequency) = 0;
  /// What must be kept of a solution to have it again, and the way back.
  virtual Solution keep(double frequency, const S& s) const = 0;
  virtual S restore(Solution kept) = 0;
};

/// One kind of result of all frequencies.
template <class S>
class Sink {
 public:
  virtual ~Sink() = default;
  /// Whether it computes at length: such come before those that write, and can be interrupted.
  virtual bool computes() const { return false; }
  /// States memory and seconds, once the problem has stated its own; in dry runs too.
  virtual void plan(const Plan&) {}
  /// Opens files: no dry run comes here.
  virtual void open() {}
  virtual void add(std::size_t number, double frequency, const S& s) = 0;
  /// Once, when all frequencies are done, or those before an interruption.
  virtual void close() {}
};

}  // namespace curlew::job
