// SPDX-License-Identifier: BSD-3-Clause
#include "run/copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "run/at_once.hpp"

namespace curlew::run {
namespace {

using nlohmann::json;

/// Memory of all frequencies together, summed, below which they take some tenths of a second: 4 ns per byte
/// of sparse factors, 16 of dense ones.
constexpr double enough_bytes = 32 << 20;

/// Added seconds by name.
json difference(const Stages& after, const Stages& before) {
  json seconds = json::object();
  for (const auto& [name, total] : after.all()) seconds[name] = total;
  for (const auto& [name, total] : before.all()) seconds[name] = seconds[name].get<double>() - total;
  return seconds;
}

void add_to(Stages& stages, const json& seconds) {
  for (const auto& [name, value] : seconds.items()) stages.add(name, value.get<double>());
}

/// Merges members of records and entries of lists; other values are replaced.
void merge(Value& into, const json& from) {
  if (from.is_object())
    for (const auto& [key, value] : from.items()) merge(into[key], value);
  else if (from.is_array())
    for (const auto& value : from) {
      Value entry;
      merge(entry, value);
      into.push_back(std::move(entry));
    }
  else if (from.is_string())
    into = from.get<std::string>();
  else if (from.is_boolean())
    into = from.get<bool>();
  else if (from.is_number_integer())
    into = from.get<long long>();
  else if (from.is_number())
    into = from.get<double>();
}

}  // namespace

bool can_copy(int jobs, const ProcessGroup* processes) {
  return processes == nullptr && jobs != 1 && (jobs > 1 || num_threads() > 1);
}

Copies::Copies(Run& run, std::vector<std::size_t> numbers, Solve solve, std::vector<Carried*> carried,
               std::vector<const Stages*> watched)
    : run_(run),
      numbers_(std::move(numbers)),
      solve_(std::move(solve)),
      carried_(std::move(carried)),
      watched_(std::move(watched)) {}

Copies::~Copies() {
  if (!processes_) return;
  processes_->finish();
  std::size_t& most = run_.state().bytes_of_copies;
  most = std::max(most, processes_->bytes());
  processes_.reset();
  io::remove_stale_parts(run_.output_path());  // of ended copies
}

bool Copies::may_begin(std::size_t number) const {
  if (numbers_.size() < 2) return false;
  return number == (run_.state().plans.empty() ? numbers_[1] : numbers_[0]);
}

void Copies::begin(std::size_t number) {
  has_begun_ = true;
  std::erase_if(numbers_, [&](std::size_t n) { return n < number; });
  const RunState& state = run_.state();
  const std::size_t needed = needed_bytes(state, false);
  if (double(needed) * double(numbers_.size()) < enough_bytes && run_.jobs() == 0) return;
  const AtOnce at_once = choose_at_once({.count = numbers_.size(),
                                         .bytes = carried_.empty() ? needed : planned_bytes(state, false),
                                         .jobs = run_.jobs(),
                                         .threads = num_threads(),
                                         .memory = available_memory() / std::size_t(state.neighbours)});
  const std::string said =
      at_once.processes < 2 ? fmt::format("frequencies one after another: {}", at_once.reason)
                            : fmt::format("frequencies: {} at once, {} thread{} each ({})", at_once.processes,
                                          at_once.threads, at_once.threads == 1 ? "" : "s", at_once.reason);
  const std::string key = fmt::format("{} {}", at_once.processes, at_once.threads);  // memory varies
  if (key != std::exchange(run_.state().said_at_once, key)) log::info("{}", said);
  if (at_once.processes < 2) return;
  processes_ = std::make_unique<SideBySide>(
      "frequency", [this](std::size_t n) { return solve_in_copy(n); }, numbers_);
  if (!processes_->start(at_once.processes, at_once.threads)) processes_.reset();
}

bool Copies::take(std::size_t number) {
  if (!processes_ || !std::ranges::binary_search(numbers_, number)) return false;
  const auto ended = processes_->wait(number);
  if (!ended) return false;
  if (ended->outcome.status != exit_done) throw_again(ended->outcome);
  add(ended->value);
  return true;
}

json Copies::solve_in_copy(std::size_t number) {
  is_copy_ = true;
  RunState& state = run_.state();
  state.solver = nlohmann::ordered_json::object();
  state.sizes = nlohmann::ordered_json::object();
  state.stages = {};
  state.results = std::initializer_list<Field>{};
  state.warnings.clear();
  for (Carried* carried : carried_) carried->take();
  std::vector<Stages> before;
  for (const Stages* stages : watched_) before.push_back(*stages);
  try {
    solve_(number);
    throw std::logic_error("a frequency was written where it was to be solved alone");
  } catch (const SolutionDone&) {
  }
  json value = {{"solver", state.solver},
                {"sizes", state.sizes},
                {"results", as_json(state.results)},
                {"stages", difference(state.stages, {})},
                {"warnings", state.warnings},
                {"carried", json::array()},
                {"watched", json::array()}};
  for (Carried* carried : carried_) value["carried"].push_back(carried->take());
  for (std::size_t i = 0; i < watched_.size(); ++i)
    value["watched"].push_back(difference(*watched_[i], before[i]));
  return value;
}

void Copies::add(const json& value) {
  RunState& state = run_.state();
  add_solves(state.solver, value.at("solver"));
  for (const auto& [name, size] : value.at("sizes").items()) state.sizes[name] = size;
  merge(state.results, value.at("results"));
  add_to(state.stages, value.at("stages"));
  for (const auto& seconds : value.at("watched")) add_to(state.solver_stages, seconds);
  {
    const std::lock_guard lock(state.warning_mutex);
    for (const auto& text : value.at("warnings")) state.warnings.push_back(text);
  }
  for (std::size_t i = 0; i < carried_.size(); ++i)
    carried_[i]->put(value.at("carried").at(i).get<std::string>());
}

}  // namespace curlew::run
