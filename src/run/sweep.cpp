// SPDX-License-Identifier: BSD-3-Clause
#include "run/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "io/csv.hpp"
#include "io/expression/units.hpp"
#include "io/ranges.hpp"
#include "run/folder_lock.hpp"
#include "run/options.hpp"
#include "run/run_state.hpp"

namespace curlew::run {
namespace {

constexpr std::size_t longest_list = 64;  // of results that still become columns
constexpr std::size_t most_points = 100'000;

struct Point {
  std::string folder;
  std::vector<std::string> values;
  Outcome outcome;
  bool reached = false;
  nlohmann::json summary;
};

/// Splits at commas that stand outside brackets and quotes.
std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{' || c == '(')) ++depth;
    if (!quoted && (c == ']' || c == '}' || c == ')')) --depth;
    if (c == ',' && depth == 0 && !quoted) {
      values.emplace_back();
    } else {
      values.back() += c;
    }
  }
  return values;
}

/// a:b:n, with a unit behind b and perhaps behind a.
struct ValueRange {
  double numbers[3] = {};
  std::string units[3];
};

/// Nothing if the text has another form.
std::optional<ValueRange> split_range(const std::string& text) {
  ValueRange range;
  const char* at = text.c_str();
  for (int i = 0; i < 3; ++i) {
    char* end = nullptr;
    range.numbers[i] = std::strtod(at, &end);
    const std::string_view rest(end);
    const std::string_view unit = rest.substr(0, i < 2 ? rest.find(':') : rest.size());
    const bool has_unit = unit.find_first_not_of(' ') != std::string_view::npos;
    if (end == at || end[unit.size()] != (i < 2 ? ':' : '\0')) return std::nullopt;
    if (has_unit && !io::parse_unit(unit)) return std::nullopt;
    if (has_unit) range.units[i] = unit.substr(unit.find_first_not_of(' '));
    at = end + unit.size() + 1;
  }
  return range;
}

std::string describe(const std::vector<SweepAxis>& axes, const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", axes[i].key, values[i]);
  return text;
}

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

/// Header and rows of sweep.csv: folder, swept values, status, every number of the results.
struct SweepTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

SweepTable make_table(const std::vector<SweepAxis>& axes, const std::vector<Point>& points) {
  SweepTable table{{"point"}, {}};
  for (const auto& axis : axes) table.columns.push_back(axis.key);
  table.columns.push_back("status");
  const std::size_t first_result = table.columns.size();
  for (const auto& point : points) {
    if (!point.reached) continue;
    std::vector<std::string> row{point.folder};
    row.insert(row.end(), point.values.begin(), point.values.end());
    row.push_back(status_word(point.outcome.status));
    row.resize(table.columns.size());
    const bool written = point.outcome.status == exit_done ||
                         (point.summary.contains("files") && !point.summary["files"].empty());
    const bool done = written && point.summary.contains("results");
    for (const auto& [name, value] :
         done ? flatten_numbers(point.summary["results"]) : decltype(flatten_numbers({})){}) {
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

void write_table(const std::string& path, const std::vector<std::string>& comments, const SweepTable& table) {
  io::AtomicFile file(path);
  io::CsvWriter csv(file.part(), comments, table.columns);
  for (const auto& row : table.rows) csv.row(std::vector<io::Cell>(row.begin(), row.end()));
  csv.close();
  file.commit();
}

void write_sweep_summary(const RunState& state, const Outcome& outcome, const std::vector<SweepAxis>& axes,
                         const std::vector<Point>& points) {
  auto summary = summary_head(state, outcome);
  for (const auto& axis : axes) summary["sweep"].push_back({{"key", axis.key}, {"values", axis.values}});
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

/// A config per point, before any is run: a path that leads nowhere ends the sweep at once.
io::Config point_config(const io::Config& config, const std::vector<SweepAxis>& axes,
                        const std::vector<std::string>& values) {
  io::Config copy = config.clone();
  for (std::size_t i = 0; i < axes.size(); ++i) copy.set(axes[i].key, values[i], "--sweep");
  copy.allow({"title"});
  return copy;
}

void run_point(const Context& context, const io::Config& config, const std::string& output,
               const std::string& what, Point& point) {
  Run run(make_state(context, config, (std::filesystem::path(output) / point.folder).string()));
  point.reached = true;
  if (context.options.resume && is_done(run.state(), point.summary)) {
    log::info("{}: done before, skipped", point.folder);
    return;
  }
  point.outcome = execute(context, config, run, fmt::format("{} ({}): ", point.folder, what), point.summary);
}

void print_sweep(const SweepTable& table) {
  constexpr std::size_t most_columns = 10;
  RunState printed;
  const auto shown = std::min(most_columns, table.columns.size());
  printed.tables.push_back(
      {"", {table.columns.begin(), table.columns.begin() + std::ptrdiff_t(shown)}, table.rows});
  print_tables(printed);
}

}  // namespace

SweepAxis parse_sweep(const std::string& text) {
  const auto [key, list] = split_assignment(text, "--sweep");
  SweepAxis axis{key, {}};
  if (const auto range = split_range(list)) {
    const auto& [a, b, n] = range->numbers;
    const auto& [unit_a, unit, unit_n] = range->units;
    const bool fits = std::isfinite(a) && std::isfinite(b) && n >= 1 && n <= double(most_points) &&
                      n == std::floor(n) && unit_n.empty() && (unit_a.empty() || unit_a == unit);
    if (!fits)
      throw InputError(
          fmt::format("--sweep {}: a:b:n needs finite a and b in one unit and a whole n from 1 to {}", text,
                      most_points));
    for (const double value : io::linspace(a, b, int(n)))
      axis.values.push_back(fmt::format("{}{}{}", value, unit.empty() ? "" : " ", unit));
    return axis;
  }
  axis.values = split_values(list);
  const bool has_empty =
      std::any_of(axis.values.begin(), axis.values.end(), [](const auto& value) { return value.empty(); });
  if (has_empty)
    throw InputError(fmt::format("--sweep {}: an empty value; must be key=a:b:n or key=v1,v2,...", text));
  return axis;
}

std::vector<std::vector<std::string>> sweep_points(const std::vector<SweepAxis>& axes) {
  std::size_t count = 1;
  for (const auto& axis : axes) {
    count *= axis.values.size();
    if (count > most_points) throw InputError(fmt::format("--sweep: more than {} points", most_points));
  }
  std::vector<std::vector<std::string>> points(count);
  for (std::size_t p = 0; p < count; ++p) {
    std::size_t rest = p;
    points[p].resize(axes.size());
    for (std::size_t a = axes.size(); a-- > 0;) {
      points[p][a] = axes[a].values[rest % axes[a].values.size()];
      rest /= axes[a].values.size();
    }
  }
  return points;
}

std::vector<std::pair<std::string, double>> flatten_numbers(const nlohmann::json& object) {
  std::vector<std::pair<std::string, double>> numbers;
  flatten(object, "", numbers);
  return numbers;
}

Outcome execute_sweep(const Context& context, const io::Config& config, const std::string& output) {
  std::vector<SweepAxis> axes;
  for (const auto& text : context.options.sweeps) {
    axes.push_back(parse_sweep(text));
    const auto same = [&](const auto& axis) { return axis.key == axes.back().key; };
    if (std::count_if(axes.begin(), axes.end(), same) > 1)
      throw InputError(fmt::format("--sweep {}: given twice", axes.back().key));
  }
  std::vector<Point> points;
  std::vector<io::Config> configs;
  for (auto& values : sweep_points(axes)) {
    configs.push_back(point_config(config, axes, values));
    points.push_back({fmt::format("point_{:04}", points.size() + 1), std::move(values), {}, false, {}});
  }

  std::error_code fault;
  std::optional<FolderLock> lock;
  if (!context.options.dry_run && (std::filesystem::create_directories(output, fault), !fault))
    lock.emplace(output,
                 context.info.name + " " + context.options.input);  // else the points say what is wrong

  Outcome worst;
  std::size_t failed = 0;
  for (std::size_t i = 0; i < points.size() && worst.status != exit_interrupted; ++i) {
    const std::string what = describe(axes, points[i].values);
    log::info("{} of {}: {}", points[i].folder, points.size(), what);
    run_point(context, configs[i], output, what, points[i]);
    const Outcome& outcome = points[i].outcome;
    if (outcome.status == exit_done) continue;
    ++failed;
    if (outcome.status > worst.status) worst = outcome;
  }
  if (context.options.dry_run) return worst;

  if (!std::filesystem::is_directory(output, fault))
    return worst;  // every point was wrong input: nothing was made
  const auto state = make_state(context, config, output);
  const SweepTable table = make_table(axes, points);
  write_table((std::filesystem::path(output) / "sweep.csv").string(), io::provenance_lines(state->provenance),
              table);
  write_sweep_summary(*state, worst, axes, points);
  print_sweep(table);
  log::info("{} of {} points done, table in {}/sweep.csv", points.size() - failed, points.size(), output);
  return worst;
}

}  // namespace curlew::run
