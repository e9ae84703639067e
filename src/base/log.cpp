// SPDX-License-Identifier: BSD-3-Clause
#include "base/log.hpp"
#include "base/process_copy.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>
#include <mutex>
#include <sstream>
#include <utility>

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

/// Stream for errors instead of the screen, once muted.
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

std::vector<Line>& kept_lines() {
  static std::vector<Line> lines;
  return lines;
}

class KeepingSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    kept_lines().push_back({int(message.level), {message.payload.data(), message.payload.size()}});
  }
  void flush_() override {}
};
}  // namespace

void keep_lines() {
  take_lines();
  spdlog::default_logger()->sinks() = {std::make_shared<KeepingSink>()};
}

std::vector<Line> take_lines() {
  return std::exchange(kept_lines(), {});
}

void repeat(const Line& line) {
  spdlog::default_logger()->log(spdlog::level::level_enum(line.level), line.text);
}

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
