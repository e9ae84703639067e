// SPDX-License-Identifier: BSD-3-Clause
// What a run says at its end: summary.json, tables on stdout, the plan of a dry run.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/device.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "run/run_state.hpp"

namespace curlew::run {
namespace {

using nlohmann::ordered_json;

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.find(": ") + 2, line.size()));
  }
  return "unknown";
}

ordered_json machine() {
  ordered_json facts = {{"cpu", cpu_model()},
                        {"cores", omp_get_num_procs()},
                        {"build", CURLEW_BUILD_TYPE},
                        {"arch", CURLEW_BUILD_ARCH}};
  if (const char* core = std::getenv("OPENBLAS_CORETYPE")) {
    facts["openblas_coretype"] = core;
    facts["note"] =
        "OPENBLAS_CORETYPE is set: if it is not this processor's own, direct solves may take 1.5 to 1.8 "
        "times as long; unset it to let OpenBLAS choose";
  }
  return facts;
}

double gib(std::size_t bytes) {
  return double(bytes) / (1 << 30);
}

/// Columns as wide as their widest cell, numbers to the right.
void print_table(const std::string& title, const std::vector<std::string>& columns,
                 const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& column : columns) widths.push_back(column.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  const auto print_row = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < std::min(cells.size(), widths.size()); ++i)
      line += fmt::format("{:>{}}  ", cells[i], widths[i]);
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  };
  if (!title.empty()) fmt::print("{}\n", title);
  print_row(columns);
  for (const auto& row : rows) print_row(row);
}

}  // namespace

const char* status_word(int status) {
  if (status == exit_done) return "done";
  return status == exit_interrupted ? "interrupted" : "failed";
}

std::string hash_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return fmt::format("{:016x}", hash);
}

ordered_json summary_head(const RunState& state, const Outcome& outcome) {
  ordered_json head = {{"program", state.info->name},
                       {"version", CURLEW_VERSION},
                       {"status", status_word(outcome.status)},
                       {"exit_status", outcome.status}};
  if (!outcome.error.empty()) head["error"] = outcome.error;
  head["started"] = state.started;
  head["config"] = state.options->input;
  head["time_convention"] = "exp(+jwt), peak phasors, SI units";
  head["device"] = state.device == Device::cuda ? device_info().name : "cpu";
  head["threads"] = num_threads();
  head["precision"] = state.options->precision == Precision::single_precision ? "single" : "double";
  return head;
}

ordered_json make_summary(const RunState& state, const Outcome& outcome) {
  ordered_json summary = summary_head(state, outcome);
  summary["sizes"] = state.sizes;
  summary["stages"] = ordered_json::object();
  for (const auto& [name, seconds] : state.stages.all()) summary["stages"][name] = seconds;
  summary["total_seconds"] = state.timer.seconds();
  summary["solver"] = state.solver;
  summary["peak_memory_bytes"] = peak_memory();
  summary["results"] = state.results;
  summary["warnings"] = state.warnings;
  summary["files"] = ordered_json::array();
  if (outcome.status == exit_done) {
    for (const auto& file : state.files)
      summary["files"].push_back(std::filesystem::path(file.path()).filename().string());
  }
  summary["inputs_hash"] = state.inputs_hash;
  summary["depends_on"] = ordered_json::array();
  for (const auto& [path, hash] : state.dependencies)
    summary["depends_on"].push_back({{"path", path}, {"hash", hash}});
  summary["machine"] = machine();
  return summary;
}

bool is_done(const RunState& state, nlohmann::json& summary) {
  const std::filesystem::path folder(state.output);
  try {
    summary = nlohmann::json::parse(io::read_text_file((folder / "summary.json").string()));
    if (summary.at("status") != "done" || summary.at("inputs_hash") != state.inputs_hash) return false;
    for (const auto& file : summary.at("files")) {
      if (!std::filesystem::exists(folder / file.get<std::string>())) return false;
    }
    for (const auto& input : summary.at("depends_on")) {
      if (hash_text(io::read_text_file(input.at("path").get<std::string>())) != input.at("hash"))
        return false;
    }
  } catch (const InputError&) {
    return false;  // no summary, or an input that is gone
  } catch (const nlohmann::json::exception&) {
    return false;  // not one of ours
  }
  return true;
}

void print_tables(const RunState& state) {
  for (const auto& table : state.tables) print_table(table.title, table.columns, table.rows);
  for (const auto& line : state.lines) fmt::print("{}\n", line);
  std::fflush(stdout);
}

void print_plan(const RunState& state) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, value] : state.sizes.items()) rows.push_back({name, value.dump()});
  print_table("Sizes", {"what", "count"}, rows);
  rows.clear();
  for (const auto& plan : state.plans) {
    rows.push_back({plan.stage, plan.on_device ? "device" : "host", fmt::format("{:.4f}", gib(plan.bytes))});
  }
  print_table("Memory", {"stage", "where", "GiB"}, rows);
  const std::size_t host = available_memory();
  fmt::print("available: {:.2f} GiB host", gib(host));
  const std::size_t device = state.device == Device::cuda ? device_info().free_memory : 0;
  fmt::print("{}\n", state.device == Device::cuda ? fmt::format(", {:.2f} GiB device", gib(device)) : "");
  std::fflush(stdout);
  for (const auto& plan : state.plans) {
    const bool counts = !plan.on_device || state.device == Device::cuda;
    if (counts && plan.bytes > (plan.on_device ? device : host)) {
      throw ResourceError(fmt::format("{} would need {:.2f} GiB of {} memory, {:.2f} GiB are available",
                                      plan.stage, gib(plan.bytes), plan.on_device ? "device" : "host",
                                      gib(plan.on_device ? device : host)));
    }
  }
}

}  // namespace curlew::run
