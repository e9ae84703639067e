// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The log: spdlog on stderr, and a copy in run.log once a run has its folder.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <string>

namespace curlew::log {

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

enum class Verbosity { quiet, normal, verbose };

/// Sends the log to stderr, one plain line per message that starts with the program's name.
void start(const std::string& program, Verbosity verbosity);
/// From now on nothing is printed, regardless of start.
void mute();
/// Errors that would have been printed.
std::string muted_errors();
/// Adds a file that receives every message from debug on; an empty path removes it.
void set_file(const std::string& path);

}  // namespace curlew::log
