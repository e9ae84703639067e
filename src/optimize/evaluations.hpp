// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs of the solver at points of the search, each in its own folder.

#include <string>
#include <vector>

#include "optimize/search.hpp"
#include "optimize/task.hpp"
#include "run/at_once.hpp"
#include "run/run.hpp"

namespace curlew::optimize {

enum class Purpose { start, step, difference, sample };
const char* word_of(Purpose purpose);

/// One run.
struct Evaluation {
  Purpose purpose;
  std::string folder;           ///< "evaluation_0001"
  std::vector<double> x;        ///< variables as fractions of their ranges, 0 to 1
  std::vector<Complex> values;  ///< of the task's samples; empty if the run failed
  double worst = 0;             ///< largest excess over a goal
};

/// The same points in the same order give the same folders: an interrupted search finds its results there
/// again, and the solver's --resume its own.
class SolverRuns {
 public:
  SolverRuns(const Task& task, run::Run& run);

  /// Checks that the solver accepts the config at the start. @throws InputError as the solver says it
  void check(const std::vector<double>& start);
  /// Evaluates a step of the search; the first is its start.
  std::optional<Response> evaluate(const std::vector<double>& x);
  /// Computes by finite differences the derivatives that the solver does not provide.
  void differentiate(const std::vector<double>& x, Response& response);
  /// Values at many points, several of them at once.
  std::vector<Response> evaluate_all(const std::vector<std::vector<double>>& points, Purpose purpose);

  const std::vector<Evaluation>& done() const { return done_; }
  /// The command line that computes the point again.
  std::string command(const std::vector<double>& x) const;

 private:
  std::vector<std::string> arguments(const std::vector<double>& x, const std::string& folder,
                                     bool with_derivatives) const;
  void run_solver(const std::vector<double>& x, const std::string& folder, bool with_derivatives,
                  int threads) const;
  run::AtOnce at_once(std::size_t points) const;
  /// Calls run(with derivatives) if the solver has derivatives; if it refuses them, without them from then
  /// on.
  template <class Run>
  void run_first(const Run& run);
  void forget() const;
  std::string next_folder();
  Response record(Purpose purpose, const std::string& folder, const std::vector<double>& x);

  const Task& task_;
  run::Run& run_;
  std::string solver_;
  bool has_derivatives_;
  std::size_t folders_ = 0;
  std::vector<Evaluation> done_;
};

}  // namespace curlew::optimize
