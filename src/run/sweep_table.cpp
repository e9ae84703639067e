// SPDX-License-Identifier: BSD-3-Clause
// sweep.csv and summary.json over the points of a sweep.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "base/error.hpp"
#include "base/log.hpp"
#include "io/csv.hpp"
#include "io/number_text.hpp"
#include "io/schema/result.hpp"
#include "report/chart.hpp"
#include "report/report.hpp"
#include "run/sweep_plan.hpp"

namespace curlew::run {
namespace {

constexpr std::size_t longest_list = 64;  // of results that still become columns

void flatten(const nlohmann::json& value, const std::string& name,
             std::vector<std::pair<std::string, double>>& numbers) {
  const auto inner = [&](const std::string& key) { return name.empty() ? key : name + "." + key; };
  if (value.is_object()) {
    for (const auto& [key, entry] : value.items()) flatten(entry, inner(key), numbers);
  } else if (value.is_array() && value.size() <= longest_list) {
    for (std::size_t i = 0; i < value.size(); ++i) flatten(value[i], inner(std::to_string(i)), numbers);
  } else if (value.is_number() && std::isfinite(value.get<double>())) {
    numbers.emplace_back(name, value.get<double>());
  }
}

/// Every number of the results that a point's folder keeps; none, with a warning, if they were removed.
std::vector<std::pair<std::string, double>> numbers_of(const std::string& output, const SweepPoint& point) {
  if (!point.has_results) return {};
  const auto path = (std::filesystem::path(output) / point.folder / "summary.json").string();
  try {
    auto results = nlohmann::json::parse(io::read_text_file(path)).at("results");
    results.erase("refinement");  // the history of a mesh: passes.csv has it
    return flatten_numbers(results);
  } catch (const InputError& e) {
    log::warn("{}: the row of {} in sweep.csv stays empty", e.what(), point.folder);
  } catch (const nlohmann::json::exception&) {
    log::warn("{}: is damaged, the row of {} in sweep.csv stays empty", path, point.folder);
  }
  return {};
}

/// The last word of a swept key where it tells it from all results, else the key. A word needs no quotes in
/// pandas, xarray and ParaView.
std::string short_name(const std::string& key, const std::vector<SweepAxis>& axes) {
  const auto last = [](const std::string& path) { return path.substr(path.rfind('.') + 1); };
  const std::string word = last(key);
  const auto results = io::schema::results_of("");
  const auto is_of = [&](const io::schema::Result& r) {
    return r.name == "results." + word || (r.name == word && r.file.ends_with(".csv"));
  };
  const bool is_taken = word == "point" || word == "status" || word == "to" || word == "from" ||
                        std::isdigit(word[0]) ||
                        std::any_of(axes.begin(), axes.end(),
                                    [&](const auto& a) { return a.key != key && last(a.key) == word; }) ||
                        std::any_of(results.begin(), results.end(), is_of);
  return is_taken ? key : word;
}

/// Header and rows of sweep.csv: folder, swept values, status, every number of the results.
Table make_table(const std::string& output, const std::vector<SweepAxis>& axes,
                 const std::vector<SweepPoint>& points) {
  Table table{"", {"point"}, {}};
  for (const auto& axis : axes) table.columns.push_back(short_name(axis.key, axes));
  table.columns.push_back("status");
  const std::size_t first_result = table.columns.size();
  for (const auto& point : points) {
    if (!point.reached) continue;
    std::vector<std::string> row{point.folder};
    row.insert(row.end(), point.values.begin(), point.values.end());
    row.push_back(status_word(point.outcome.status));
    row.resize(table.columns.size());
    for (const auto& [name, value] : numbers_of(output, point)) {
      const auto known =
          std::find(table.columns.begin() + std::ptrdiff_t(first_result), table.columns.end(), name);
      const auto column = std::size_t(known - table.columns.begin());
      if (known == table.columns.end()) table.columns.push_back(name);
      row.resize(table.columns.size());
      row[column] = io::Cell(value).text();
    }
    table.rows.push_back(std::move(row));
  }
  for (auto& row : table.rows) row.resize(table.columns.size());
  return table;
}

void write_table(const std::string& path, const std::vector<std::string>& comments, const Table& table) {
  io::AtomicFile file(path);
  io::CsvWriter csv(file.part(), comments, table.columns);
  for (const auto& row : table.rows) csv.row(std::vector<io::Cell>(row.begin(), row.end()));
  csv.close();
  file.commit();
}

void write_sweep_summary(const RunState& state, const Outcome& outcome, const std::vector<SweepAxis>& axes,
                         const std::vector<SweepPoint>& points, const Table& table) {
  auto summary = summary_head(state, outcome);
  for (std::size_t i = 0; i < axes.size(); ++i)
    summary["sweep"].push_back(
        {{"key", axes[i].key}, {"csv_column", table.columns[1 + i]}, {"values", axes[i].values}});
  for (const auto& point : points) {
    if (!point.reached) continue;
    nlohmann::ordered_json entry = {{"folder", point.folder},
                                    {"status", status_word(point.outcome.status)},
                                    {"exit_status", point.outcome.status}};
    if (!point.outcome.error.empty()) entry["error"] = point.outcome.error;
    summary["points"].push_back(std::move(entry));
  }
  io::write_text_file((std::filesystem::path(state.output) / "summary.json").string(),
                      summary.dump(2) + "\n");
}

/// Rank of a column of results: checks after quantities, lists after numbers.
int rank(const std::string& column) {
  if (column.starts_with("errors.") || report::is_judging(column)) return 2;
  return column.find('.') == std::string::npos ? 0 : 1;
}

/// "errors.0.s1_1_db_error" of "s1_1_db".
bool is_bar_of(const std::string& column, const std::string& quantity) {
  return column.starts_with("errors.") && column.ends_with("." + quantity + "_error");
}

/// Quantities, each before its bar; without any all columns by rank. @param first the first that is a result
std::vector<std::size_t> shown_columns(const std::vector<std::string>& columns, std::size_t first) {
  std::vector<std::size_t> order(columns.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin() + std::ptrdiff_t(first), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(columns[a]) < rank(columns[b]); });
  std::size_t end = first;
  for (std::size_t i = first; i < order.size() && rank(columns[order[i]]) == 0; end = ++i) {
    const auto bar = std::find_if(order.begin() + std::ptrdiff_t(i), order.end(), [&](std::size_t column) {
      return is_bar_of(columns[column], columns[order[i]]);
    });
    if (bar != order.end()) std::rotate(order.begin() + std::ptrdiff_t(++i), bar, bar + 1);
  }
  if (end > first) order.resize(end);
  return order;
}

/// Prints the columns that fit on a screen.
void print_sweep(const Table& table, std::size_t axes, const AppInfo& info) {
  constexpr std::size_t most_columns = 10;
  const std::size_t first_result = std::min(axes + 2, table.columns.size());  // behind point and status
  auto order = shown_columns(table.columns, first_result);
  order.resize(std::min(most_columns, order.size()));
  const auto shown = [&](const std::vector<std::string>& row) {
    std::vector<std::string> cells;
    for (const std::size_t column : order) {
      const auto number = column < first_result ? std::nullopt : io::number_of(row[column]);
      const int digits = table.columns[column].ends_with("_hz") ? 9 : 6;
      const bool is_rounded = number && *number != std::floor(*number);  // counts are shown in full
      cells.push_back(is_rounded ? fmt::format("{:.{}g}", *number, digits) : row[column]);
    }
    return cells;
  };
  Table part{"", shown(table.columns), {}};
  for (const auto& row : table.rows) part.rows.push_back(shown(row));
  RunState printed;
  printed.info = &info;
  printed.tables.push_back(std::move(part));
  print_tables(printed);
}

}  // namespace

std::vector<std::pair<std::string, double>> flatten_numbers(const nlohmann::json& object) {
  std::vector<std::pair<std::string, double>> numbers;
  flatten(object, "", numbers);
  return numbers;
}

void write_sweep(const Context& context, const io::Config& config, const std::string& output,
                 const SweepPlan& plan, const Outcome& worst) {
  std::error_code fault;
  if (!std::filesystem::is_directory(output, fault)) return;  // all points had wrong input: no folder exists
  const auto state = make_state(context, config, output);
  const Table table = make_table(output, plan.axes, plan.points);
  write_table((std::filesystem::path(output) / "sweep.csv").string(), io::provenance_lines(state->provenance),
              table);
  write_sweep_summary(*state, worst, plan.axes, plan.points, table);
  if (context.options.report)
    report::write_sweep_report(output, {title_of(config), config.text(), {}, {}}, table, plan.axes.size());
  print_sweep(table, plan.axes.size(), context.info);
  const auto done = std::count_if(plan.points.begin(), plan.points.end(), [](const SweepPoint& point) {
    return point.reached && point.outcome.status == exit_done;
  });
  log::info("{} of {} points done, table in {}/sweep.csv", done, plan.points.size(), output);
}

}  // namespace curlew::run
