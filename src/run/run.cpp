// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "io/number_text.hpp"
#include "io/schema/check.hpp"
#include "io/schema/result.hpp"
#include "io/schema/schema.hpp"
#include "run/failure.hpp"
#include "run/file_identity.hpp"
#include "run/run_state.hpp"
#include "run/time_plan.hpp"

namespace curlew::run {

StageTimer::StageTimer(Stages& stages, std::string name) : stages_(stages), name_(std::move(name)) {
  log::debug("{} ...", name_);
}
StageTimer::~StageTimer() {
  stages_.add(name_, timer_.seconds());
  if (std::uncaught_exceptions() == 0) log::info("{}: {:.3g} s", name_, timer_.seconds());
}

Run::Run(std::unique_ptr<RunState> state) : state_(std::move(state)) {}
Run::~Run() = default;

Device Run::device() const {
  return state_->device;
}
bool Run::is_device_free() const {
  return state_->options->device == "auto";
}
Precision Run::precision() const {
  return state_->options->precision;
}
const ProcessGroup* Run::processes() const {
  return state_->info->processes;
}
int Run::threads() const {
  return num_threads();
}
int Run::jobs() const {
  return state_->options->jobs;
}
bool Run::resume() const {
  return state_->options->resume;
}
const std::string& Run::inputs_hash() const {
  return state_->inputs_hash;
}
bool Run::dry_run() const {
  return state_->options->dry_run;
}
const std::string& Run::input() const {
  return state_->options->input;
}
bool Run::has_config() const {
  return state_->has_config;
}

bool Run::flag(const std::string& name) const {
  return state_->options->own.count(name) != 0;
}

std::vector<std::string> Run::option_list(const std::string& name) const {
  const auto found = state_->options->own.find(name);
  return found == state_->options->own.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::string> Run::option(const std::string& name) const {
  const auto values = option_list(name);
  if (values.empty()) return std::nullopt;
  return values.back();
}

std::optional<double> Run::number_option(const std::string& name) const {
  const auto text = option(name);
  if (!text) return std::nullopt;
  const auto value = io::number_of(*text);
  if (!value || !std::isfinite(*value))
    throw InputError(fmt::format("--{} {}: must be a finite number", name, *text));
  return value;
}

std::string Run::output(const std::string& name) {
  if (dry_run()) throw std::logic_error("a dry run writes no files: return before " + name);
  const std::string& program = state_->info->name;
  if (io::schema::is_checking() && io::schema::knows_program(program))
    io::schema::check_file_name(program, name);
  if (name.find('/') != std::string::npos)
    throw InputError(
        fmt::format("\"{}\" is no file name: names of ports and tables must not contain a /", name));
  state_->files.emplace_back((std::filesystem::path(state_->output) / name).string());
  return state_->files.back().part();
}

std::string Run::output_file() {
  if (state_->output.empty()) throw InputError("--output FILE is needed: the file to write");
  io::remove_stale_parts_of(state_->output);
  state_->files.emplace_back(state_->output);
  return state_->files.back().part();
}

const std::string& Run::output_path() const {
  return state_->output;
}
std::string Run::stem() const {
  return std::filesystem::path(input()).stem().string();
}
const io::Provenance& Run::provenance() const {
  return state_->provenance;
}

void Run::depends_on(const std::string& path) {
  const auto& known = state_->dependencies;
  if (std::any_of(known.begin(), known.end(), [&](const auto& d) { return d.path == path; })) return;
  state_->dependencies.push_back({path, file_identity(path)});
}

StageTimer Run::stage(const std::string& name) {
  check_interrupt();
  return {state_->stages, name};
}

void add_stages(const Stages& stages, Run& run) {
  for (const auto& [name, seconds] : stages.all()) run.state().stages.add(name, seconds);
}

void Run::plan(const std::string& stage, std::size_t bytes) {
  state_->plans.push_back({stage, bytes, false, Part::needed});
  state_->planned_at = peak_memory();
  if (!dry_run()) require_memory(bytes, stage.c_str());
}

void Run::plan_device(const std::string& stage, std::size_t bytes) {
  state_->plans.push_back({stage, bytes, true, Part::needed});
  if (!dry_run() && on_cuda()) require_device_memory(bytes, stage.c_str());
}

void plan_seconds(Run& run, const std::string& stage, double seconds) {
  run.state().planned_seconds.add(stage, seconds);
}

void Run::size(const std::string& name, long value) {
  state_->sizes[name] = value;
}

void add_solves(nlohmann::ordered_json& facts, const nlohmann::json& others) {
  const auto number = [](const auto& of, const char* name) {
    return of.contains(name) && of[name].is_number() ? of[name].template get<double>() : 0.0;
  };
  for (const auto& [name, value] : others.items()) {
    if (name == "solves" || name == "iterations")
      facts[name] = facts.value(name, 0L) + value.get<long>();
    else if (name == "residual" && value.is_number() && std::isfinite(value.get<double>()))
      facts[name] = std::max(number(facts, "residual"), value.get<double>());
    else if (name == "converged")
      facts[name] = facts.value(name, true) && value.get<bool>();
    else
      facts[name] = value;
  }
}

void Run::solver(const std::string& method, long iterations, double relative_residual, bool converged) {
  add_solves(state_->solver, {{"method", method},
                              {"solves", 1},
                              {"iterations", iterations},
                              {"residual", relative_residual},
                              {"converged", converged}});
}

void state_solver_stages(const Stages& stages, Run& run) {
  Stages all = run.state().solver_stages;
  for (const auto& [name, seconds] : stages.all()) all.add(name, seconds);
  for (const auto& [name, seconds] : all.all()) run.solver_fact(name + "_seconds", seconds);
}

void Run::solver_fact(const std::string& name, const Value& value) {
  state_->solver[name] = as_json(value);
}

Value& Run::results() {
  return state_->results;
}

void fail_after_writing(Run& run, const std::string& text) {
  run.state().failure = text;
}

void Run::warn(const std::string& text) {
  {
    const std::lock_guard lock(state_->warning_mutex);
    state_->warnings.push_back(text);
  }
  log::warn("warning: {}", text);
}

void Run::table(const std::string& title, const std::vector<std::string>& columns) {
  state_->tables.push_back({title, columns, {}});
}

void Run::row(const std::vector<std::string>& cells) {
  if (state_->tables.empty()) throw std::logic_error("a row before the first table");
  state_->tables.back().rows.push_back(cells);
}

void Run::line(const std::string& text) {
  state_->lines.push_back(text);
}

}  // namespace curlew::run
