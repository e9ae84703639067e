// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The manual page and the completion of a program's command line, made from the texts of --help and --keys.

#include <string>
#include <vector>

#include "run/run_app.hpp"

namespace curlew::run {

/// One option as --help shows it.
struct OptionHelp {
  std::vector<std::string> names;  ///< "-o", "--output"
  std::string value;               ///< "DIR"; empty for a flag
  std::string help;
};

/// A page of section 1 for man, in roff.
std::string man_page(const AppInfo& info, const std::vector<OptionHelp>& options);
/// A script for bash: options, keys behind --set and --sweep, values of --device and similar options, files.
std::string bash_completion(const AppInfo& info, const std::vector<OptionHelp>& options);
/// The same for zsh, with the help of every option.
std::string zsh_completion(const AppInfo& info, const std::vector<OptionHelp>& options);

}  // namespace curlew::run
