// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The command line of every program, parsed.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "run/run_app.hpp"

namespace curlew::run {

/// One of several equal parts of a sweep.
struct Share {
  int number = 1, count = 1;
};

struct Options {
  std::string input;
  std::vector<std::string> sets;    ///< "table.key=value"
  std::vector<std::string> sweeps;  ///< "key=a:b:n" or "key=v1,v2"
  std::string output;               ///< empty: the default
  std::string device = "auto";
  int threads = 0;
  Precision precision = Precision::double_precision;
  bool resume = false;
  bool dry_run = false;
  bool lint = false;           ///< --lint: a dry run that fails where it warns
  bool report = true;          ///< report.html, unless --no-report
  std::optional<Share> share;  ///< --array
  bool join = false;
  std::string family;                ///< --family of programs that start others (RunState::family_sizes)
  int jobs = 0;                      ///< computed at once; 0: what cores and memory allow
  std::vector<std::string> command;  ///< the original arguments
  log::Verbosity verbosity = log::Verbosity::normal;
  std::map<std::string, std::vector<std::string>> own;  ///< the program's own options that were given
};

/// @returns nothing after --help and --version, which print on stdout
/// @throws InputError for a command line that does not fit
std::optional<Options> parse_options(const AppInfo& info, int argc, char** argv);

/// "mesh.size" and "0.1" of "mesh.size=0.1". @throws InputError without "="
std::pair<std::string, std::string> split_assignment(const std::string& text, const std::string& option);

}  // namespace curlew::run
