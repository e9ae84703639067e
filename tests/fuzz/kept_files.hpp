// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Files that runs keep for --resume: solved_1.h5 of sweeps and refinement.h5 of adaptive passes, in the
// folder of the path.

#include <memory>
#include <string>

#include "run/run_state.hpp"

namespace curlew::fuzz {

/// A run with --resume whose results are in a folder.
class ResumedRun {
 public:
  explicit ResumedRun(const std::string& folder);
  run::Run& run() { return *run_; }

 private:
  run::AppInfo info_;
  run::Options options_;
  std::unique_ptr<run::Run> run_;
};

void write_solved(const std::string& path);
void read_solved(const std::string& path);
void write_passes(const std::string& path);
void read_passes(const std::string& path);

}  // namespace curlew::fuzz
