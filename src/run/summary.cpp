// SPDX-License-Identifier: BSD-3-Clause
// Output at the end of a run: summary.json, tables on stdout, the plan of a dry run.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/blas_kernels.hpp"
#include "base/bytes.hpp"
#include "base/cores.hpp"
#include "base/device.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "io/number_text.hpp"
#include "run/file_identity.hpp"
#include "run/machine_info.hpp"
#include "run/run_state.hpp"

namespace curlew::run {
namespace {

using nlohmann::ordered_json;

ordered_json machine() {
  ordered_json facts = {{"cpu", cpu_model()},
                        {"cores", usable_cores()},
                        {"build", CURLEW_BUILD_TYPE},
                        {"arch", CURLEW_BUILD_ARCH}};
  if (const BlasKernels kernels = blas_kernels(); !kernels.name.empty()) {
    facts["blas_kernels"] = kernels.name;
    facts["blas_kernels_reason"] = kernels.reason;
  }
  return facts;
}

bool is_number(const std::string& cell) {
  return io::number_of(cell).has_value();
}

/// Columns as wide as their widest cell; columns of numbers to the right, words to the left.
std::string format_table(const Table& table) {
  const auto& columns = table.columns;
  std::vector<std::size_t> widths;
  std::vector<bool> right(columns.size(), true);
  for (const auto& column : columns) widths.push_back(column.size());
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
      right[i] = right[i] && (row[i].empty() || is_number(row[i]));
    }
  }
  std::string text = table.title.empty() ? "" : table.title + "\n";
  const auto add_row = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < std::min(cells.size(), widths.size()); ++i) {
      line += right[i] ? fmt::format("{:>{}}  ", cells[i], widths[i])
                       : fmt::format("{:<{}}  ", cells[i], widths[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_row(columns);
  for (const auto& row : table.rows) add_row(row);
  return text;
}

/// Everything at once, so that a closed pipe or a full disk is detected here.
void print(const RunState& state, const std::string& text) {
  if (!is_first(state.info->processes)) return;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !written) {
    throw ResourceError(
        fmt::format("stdout cannot be written ({}); the results are in their files", std::strerror(errno)));
  }
}

/// Measured seconds of finished stages, predicted ones of skipped stages.
Table time_plan(const RunState& state) {
  Table table{"Time", {"stage", "how", "seconds"}, {}};
  double together = 0;
  const auto add = [&](const Stages& stages, const char* how) {
    for (const auto& [stage, seconds] : stages.all()) {
      table.rows.push_back({stage, how, fmt::format("{:.3g}", seconds)});
      together += seconds;
    }
  };
  if (state.planned_seconds.all().empty()) return table;
  add(state.stages, "measured");
  add(state.planned_seconds, "predicted");
  table.rows.push_back({"together", "", fmt::format("{:.3g}", together)});
  return table;
}

/// @throws ResourceError for the first stage that cannot fit
void check_plan(const RunState& state, std::size_t host, std::size_t device) {
  for (const auto& plan : state.plans) {
    const bool counts = plan.part == Part::needed && (!plan.on_device || state.device == Device::cuda);
    const std::size_t available = plan.on_device ? device : host;
    if (!counts || plan.bytes <= available) continue;
    throw ResourceError(fmt::format("{} would need {:.2f} GiB of {} memory, {:.2f} GiB are available",
                                    plan.stage, gib(plan.bytes), plan.on_device ? "device" : "host",
                                    gib(available)));
  }
}

}  // namespace

const char* status_word(int status) {
  if (status == exit_done) return "done";
  return status == exit_interrupted ? "interrupted" : "failed";
}

void TextHash::add(std::string_view text) {
  for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
}
std::string TextHash::text() const {
  return fmt::format("{:016x}", value_);
}
std::string hash_text(std::string_view text) {
  TextHash hash;
  hash.add(text);
  return hash.text();
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

nlohmann::json as_json(const Value& value) {
  return std::visit(
      [](const auto& v) -> nlohmann::json {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          return nullptr;
        else if constexpr (std::is_same_v<T, Value::List>) {
          auto list = nlohmann::json::array();
          for (const Value& entry : v) list.push_back(as_json(entry));
          return list;
        } else if constexpr (std::is_same_v<T, Value::Record>) {
          auto record = nlohmann::json::object();
          for (const auto& [key, entry] : v) record[key] = as_json(entry);
          return record;
        } else
          return v;
      },
      value.data());
}

ordered_json make_summary(const RunState& state, const Outcome& outcome) {
  ordered_json summary = summary_head(state, outcome);
  summary["sizes"] = state.sizes;
  summary["stages"] = ordered_json::object();
  for (const auto& [name, seconds] : state.stages.all()) summary["stages"][name] = seconds;
  summary["total_seconds"] = state.timer.seconds();
  summary["solver"] = state.solver;
  summary["peak_memory_bytes"] = peak_memory() + state.bytes_of_copies;
  summary["results"] = as_json(state.results);
  summary["warnings"] = state.warnings;
  summary["files"] = ordered_json::array();
  if (outcome.status == exit_done || !state.stopped.empty() || outcome.error == state.failure) {
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
      const auto hash = file_identity(input.at("path").get<std::string>());
      if (hash != input.at("hash").get<std::string>()) return false;
    }
  } catch (const InputError&) {
    return false;  // no summary, or an input is missing
  } catch (const nlohmann::json::exception&) {
    return false;  // another format
  }
  return true;
}

void print_tables(const RunState& state) {
  std::string text;
  for (const auto& table : state.tables) text += format_table(table);
  for (const auto& line : state.lines) text += line + "\n";
  print(state, text);
}

void print_plan(const RunState& state) {
  Table sizes{"Sizes", {"what", "count"}, {}}, memory{"Memory", {"stage", "where", "GiB"}, {}};
  for (const auto& [name, value] : state.sizes.items()) sizes.rows.push_back({name, value.dump()});
  for (const auto& plan : state.plans) {
    const char* left_out = plan.part == Part::left_out ? " (left out: not enough memory)" : "";
    memory.rows.push_back(
        {plan.stage + left_out, plan.on_device ? "device" : "host", fmt::format("{:.4f}", gib(plan.bytes))});
  }
  std::size_t together = state.planned_at > 0 ? state.planned_at : peak_memory();
  memory.rows.insert(memory.rows.begin(),
                     {"mesh and analysis so far", "host", fmt::format("{:.4f}", gib(together))});
  together += planned_bytes(state, false);
  constexpr std::size_t buffers = std::size_t(16)
                                  << 20;  // of OpenBLAS, HDF5 and the threads, at their first use
  memory.rows.push_back({"libraries and threads", "host", fmt::format("{:.4f}", gib(buffers))});
  together += buffers;
  memory.rows.push_back({"together", "host", fmt::format("{:.4f}", gib(together))});
  const bool on_cuda = state.device == Device::cuda;
  const std::size_t host = available_memory(), device = on_cuda ? device_info().free_memory : 0;
  print_tables(state);
  Table time = time_plan(state);
  for (const Table* table : {&sizes, &memory, &time})
    if (!table->rows.empty()) print(state, format_table(*table));
  print(state, fmt::format("available: {:.2f} GiB host", gib(host)) +
                   (on_cuda ? fmt::format(", {:.2f} GiB device\n", gib(device)) : "\n"));
  check_plan(state, host, device);
}

}  // namespace curlew::run
