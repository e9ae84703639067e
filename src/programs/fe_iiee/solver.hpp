// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// fe-iiee at one frequency after another: the iteration, its checkpoints, and what it says of itself.

#include <map>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "programs/fe_iiee/output.hpp"
#include "run/frequency_sweep.hpp"
#include "truncation/checkpoint.hpp"

namespace curlew::fe_iiee {

/// Keeps the state of the iteration, so that an interrupted run can go on.
class Checkpoints {
 public:
  explicit Checkpoints(run::Run& run);
  std::vector<Complex> start(double frequency) const;
  void write(double frequency, std::vector<Complex> interface) const;
  void remove() const;

 private:
  run::Run& run_;
  std::string path_;
  std::optional<truncation::Checkpoint> found_;
};

/// One frequency solved.
struct Solved {
  Drive drive;
  TruncationResult result;
  fem::DrivenSolution ports;  ///< S, without x
};

/// Solves one frequency after another and keeps how each went.
class Solver {
 public:
  Solver(const Setup& setup, TruncatedProblem& problem, run::Run& run)
      : setup_(setup), problem_(problem), run_(run), checkpoints_(run) {}

  /// @throws NumericalError if the iteration does not converge
  Solved at(double frequency);
  /// What must be kept of a solution to have it again, and the way back.
  run::SolvedArrays kept(double frequency, const Solved& solved) const;
  Solved restored(double frequency, run::SolvedArrays arrays);
  void remove_checkpoint() const { checkpoints_.remove(); }
  /// history.csv and the summary, in ascending order of frequency.
  void close();

 private:
  TruncationResult iterate(const Drive& drive, double frequency);
  void state(double frequency, const truncation::IterationReport& iteration, double consistency);

  const Setup& setup_;
  TruncatedProblem& problem_;
  run::Run& run_;
  Checkpoints checkpoints_;
  std::map<double, std::vector<double>> histories_;
  std::map<double, run::Value> reports_;
  std::map<double, double> consistencies_;
};

}  // namespace curlew::fe_iiee
