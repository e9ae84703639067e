// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The main function of every program: options, exit statuses, output folder, sweeps. Tests call it
// in-process.

#include <functional>
#include <string>
#include <vector>

#include "base/process_group.hpp"
#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::run {

/// An option of one program in addition to those of all programs.
struct AppOption {
  std::string names;         ///< "--matrix-market" or "-i,--info"; given by the long name without dashes
  std::string help;          ///< one line
  bool takes_value = false;  ///< else a flag
  std::string value_name = "VALUE";
};

struct AppInfo {
  std::string name;     ///< "fem-solve"
  std::string summary;  ///< one sentence
  std::string example;  ///< a command line that works
  /// Extensions of inputs that are no config, e.g. {".h5"}: the callable then gets an empty config.
  std::vector<std::string> other_inputs = {};
  std::vector<AppOption> options = {};
  /// True if --output (-o) names one file (em-mesh, em-ngim): no folder, no summary, no sweep.
  bool output_file = false;
  std::string input_name = "CONFIG.toml";  ///< in the help
  /// True if --precision single changes the computation; else it is warned of and counts as double.
  bool has_single_precision = false;
  /// True if the program starts its own processes: --jobs is then for them and not for shares of a sweep.
  bool has_own_jobs = false;
  const ProcessGroup* processes = nullptr;  ///< that run the program; null: this one alone
};

/// Reads a config, computes, writes by way of Run. Called once per point of a sweep: data that points share
/// (an analysis, a mesh) belong to its captured variables. It reads all keys, then calls
/// config.check_unknown_keys(), then works; after that call it may return early when run.dry_run().
using AppBody = std::function<void(const io::Config& config, Run& run)>;

/// @returns the exit status (base/error.hpp); every error is one line on stderr
int run_app(const AppInfo& info, int argc, char** argv, const AppBody& body);

}  // namespace curlew::run
