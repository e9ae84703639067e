// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Wall-clock times.

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace curlew {

/// Seconds since construction or restart.
class Timer {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void restart() { start_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Named stages of a run with the seconds spent in each, in order of first use.
class Stages {
 public:
  void add(const std::string& name, double seconds) {
    for (auto& [known, total] : stages_) {
      if (known == name) {
        total += seconds;
        return;
      }
    }
    stages_.emplace_back(name, seconds);
  }
  const std::vector<std::pair<std::string, double>>& all() const { return stages_; }

 private:
  std::vector<std::pair<std::string, double>> stages_;
};

/// Adds the time of a scope to a stage.
class ScopedStage {
 public:
  ScopedStage(Stages& stages, std::string name) : stages_(stages), name_(std::move(name)) {}
  ~ScopedStage() { stages_.add(name_, timer_.seconds()); }
  ScopedStage(const ScopedStage&) = delete;
  ScopedStage& operator=(const ScopedStage&) = delete;

 private:
  Stages& stages_;
  std::string name_;
  Timer timer_;
};

}  // namespace curlew
