// SPDX-License-Identifier: BSD-3-Clause
// Whether a summary holds declared names only (io/schema/result.hpp): a check of our own programs in their
// tests.

#include <algorithm>

#include "io/schema/result.hpp"
#include "run/run_state.hpp"

namespace curlew::run {
namespace {

bool is_record(const Value& value) {
  return std::holds_alternative<Value::Record>(value.data());
}

void check_names(const std::string& program, const std::string& path, const Value& value) {
  if (const auto* record = std::get_if<Value::Record>(&value.data())) {
    for (const auto& [key, entry] : *record) check_names(program, path + "." + key, entry);
    return;
  }
  const auto* list = std::get_if<Value::List>(&value.data());
  if (list != nullptr && !list->empty() && std::all_of(list->begin(), list->end(), is_record)) {
    for (const Value& entry : *list) check_names(program, path + "[]", entry);
    return;
  }
  io::schema::check_summary_name(program, path);
}

}  // namespace

void check_results(const RunState& state) {
  const std::string& program = state.info->name;
  check_names(program, "results", state.results);
  for (const auto& [name, value] : state.sizes.items())
    io::schema::check_summary_name(program, "sizes." + name);
  for (const auto& [name, value] : state.solver.items())
    io::schema::check_summary_name(program, "solver." + name + (value.is_array() ? "[]" : ""));
}

}  // namespace curlew::run
