// SPDX-License-Identifier: BSD-3-Clause
#include "base/log.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>
#include <sstream>

namespace curlew::log {
namespace {
spdlog::level::level_enum level_of(Verbosity verbosity) {
  switch (verbosity) {
    case Verbosity::quiet:
      return spdlog::level::err;
    case Verbosity::verbose:
      return spdlog::level::debug;
    default:
      return spdlog::level::info;
  }
}

/// What errors go to instead of the screen, once muted.
std::unique_ptr<std::ostringstream>& kept_errors() {
  static std::unique_ptr<std::ostringstream> text;
  return text;
}

spdlog::sink_ptr make_sink(const std::string& program, Verbosity verbosity) {
  if (kept_errors()) {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(*kept_errors(), true);
    sink->set_level(spdlog::level::err);
    sink->set_pattern("%v");
    return sink;
  }
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  sink->set_level(level_of(verbosity));
  sink->set_pattern(program + ": %^%v%$");
  return sink;
}
}  // namespace

void mute() {
  kept_errors() = std::make_unique<std::ostringstream>();
}

std::string muted_errors() {
  std::string text = kept_errors() ? kept_errors()->str() : "";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void start(const std::string& program, Verbosity verbosity) {
  auto sink = make_sink(program, verbosity);
  auto logger = std::make_shared<spdlog::logger>(program, sink);
  logger->set_level(spdlog::level::debug);
  spdlog::set_default_logger(logger);
}

void set_file(const std::string& path) {
  auto& sinks = spdlog::default_logger()->sinks();
  if (sinks.size() > 1) {
    sinks.back()->flush();
    sinks.pop_back();
  }
  if (path.empty()) return;
  auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path, true);
  file->set_level(spdlog::level::debug);
  file->set_pattern("%Y-%m-%d %H:%M:%S.%e [%l] %v");
  sinks.push_back(file);
}

}  // namespace curlew::log
