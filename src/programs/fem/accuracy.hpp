// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [accuracy]: whether error bars are estimated, and what follows from wide ones. docs/accuracy.md.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

struct AccuracyOptions {
  bool estimate = true;
  double warn_above = 0.05;  ///< relative; of S against the incident wave
  bool strict = false;       ///< wider bars end the run with status 1
  int frequencies = 3;       ///< of a sweep, evenly spread
  int excitations = 4;       ///< of many waves, evenly spread
};

/// @throws InputError with file and line
AccuracyOptions read_accuracy(const io::Config& config);

/// Places of `most` of `count` entries, evenly spread, both ends among them; all if there are no more.
std::vector<std::size_t> spread(std::size_t count, int most);

/// Runs estimates, prints their widths and judges them.
class Accuracy {
 public:
  Accuracy(const AccuracyOptions& options, run::Run& run) : options_(options), run_(run) {}

  const AccuracyOptions& options() const { return options_; }
  bool estimates() const { return options_.estimate; }
  /// Calls an estimate. One that fails (the check is not solvable, memory) is a warning: the results stand.
  void attempt(const std::function<void()>& estimate);
  /// Notes a relative bar. @param what "S21 at 10 GHz"
  void note(const std::string& what, double relative);
  /// Of bars wider than warn_above: a warning that names the widest, or NumericalError where strict asks for
  /// it.
  void judge();

 private:
  AccuracyOptions options_;
  run::Run& run_;
  std::string widest_;
  double largest_ = -1;
};

/// "0.012" of a bar in decibel of an amplitude: 20 log10(1 + bar / size); "-" without one.
std::string decibel_bar(double bar, double size);

}  // namespace curlew::programs
