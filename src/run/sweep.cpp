// SPDX-License-Identifier: BSD-3-Clause
#include "run/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "io/ranges.hpp"
#include "io/schema/schema.hpp"
#include "io/units.hpp"
#include "run/folder_lock.hpp"
#include "run/options.hpp"
#include "run/sweep_plan.hpp"

namespace curlew::run {
namespace {

constexpr std::size_t most_points = 100'000;

/// Splits at commas outside of brackets and quotes.
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

/// a:b:n, with a unit after b and optionally after a.
struct ValueRange {
  double numbers[3] = {};
  std::string units[3];
};

/// Empty if the text has another form.
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

/// False for names and words, in which 10-14 is no range.
bool can_be_number(const std::string& key) {
  using io::schema::Type;
  const auto* known = io::schema::find_key(io::schema::plain_path(key), "");
  return known == nullptr || (known->type != Type::text && known->type != Type::texts &&
                              known->type != Type::word && known->type != Type::words);
}

/// A config per point, before any is run.
io::Config point_config(const io::Config& config, const std::vector<SweepAxis>& axes,
                        const std::vector<std::string>& values) {
  io::Config copy = config.clone();
  for (std::size_t i = 0; i < axes.size(); ++i) copy.set(axes[i].key, values[i], "--sweep");
  return copy;
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
      axis.values.push_back(
          fmt::format("{:.15g}{}{}", value, unit.empty() ? "" : " ", unit));  // 10.6, not 10.600000000000001
    return axis;
  }
  axis.values = split_values(list);
  // 10-14 would be the one value -4.
  const bool has_dash = list.find_first_not_of("0123456789.-") == std::string::npos &&
                        list.find('-', 1) != std::string::npos && can_be_number(key);
  if (axis.values.size() == 1 && (has_dash || list.find(':') != std::string::npos))
    throw InputError(
        fmt::format("--sweep {}: must be key=a:b:n, with the number n of values, or key=v1,v2,...", text));
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

std::string SweepPlan::describe(std::size_t point) const {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", axes[i].key, points[point].values[i]);
  return text;
}

SweepPlan plan_sweep(const Context& context, const io::Config& config) {
  SweepPlan plan;
  for (const auto& text : context.options.sweeps) {
    plan.axes.push_back(parse_sweep(text));
    const auto same = [&](const auto& axis) { return axis.key == plan.axes.back().key; };
    if (std::count_if(plan.axes.begin(), plan.axes.end(), same) > 1)
      throw InputError(fmt::format("--sweep {}: given twice", plan.axes.back().key));
  }
  for (auto& values : sweep_points(plan.axes)) {
    plan.configs.push_back(point_config(config, plan.axes, values));
    plan.points.push_back(
        {fmt::format("point_{:04}", plan.points.size() + 1), std::move(values), {}, false, false});
  }
  if (context.has_config) plan.configs.front().clone().check_schema(context.info.name);
  return plan;
}

namespace {
/// File of element sizes shared by points, until all are done.
std::string family_sizes(const std::string& output) {
  return (std::filesystem::path(output) / "sizes.h5").string();
}
}  // namespace

void run_point(const Context& context, SweepPlan& plan, const std::string& output, std::size_t number) {
  SweepPoint& point = plan.points[number];
  const io::Config config = plan.configs[number].clone();  // a copy per point, since reading modifies it
  config.allow({"title"});
  Run run(make_state(context, config, (std::filesystem::path(output) / point.folder).string()));
  point.reached = true;
  run.state().before_work = plan.before_work;
  if (!context.options.share && context.info.processes == nullptr)
    run.state().family_sizes = family_sizes(output);
  run.state().is_first_of_family = number == 0;
  nlohmann::json summary;
  if (is_resumed_done(context, config, run.state(), summary)) {
    log::info("{}: done before, skipped", point.folder);
    point.has_results = summary.contains("results");
    point.was_done = true;
    return;
  }
  point.outcome =
      execute(context, config, run, fmt::format("{} ({}): ", point.folder, plan.describe(number)), summary);
  if (context.info.processes != nullptr) context.info.processes->meet(point.outcome.status);
  const bool is_written =
      point.outcome.status == exit_done || (summary.contains("files") && !summary["files"].empty());
  point.has_results = is_written && summary.contains("results");
}

Outcome run_points(const Context& context, SweepPlan& plan, const std::string& output,
                   const std::vector<std::size_t>& wanted) {
  Outcome worst;
  for (const std::size_t i : wanted) {
    if (worst.status == exit_interrupted) break;
    log::info("{} of {}: {}", plan.points[i].folder, plan.points.size(), plan.describe(i));
    run_point(context, plan, output, i);
    const Outcome& outcome = plan.points[i].outcome;
    if (outcome.status > worst.status) worst = outcome;
  }
  return worst;
}

Outcome execute_sweep(const Context& context, const io::Config& config, const std::string& output) {
  SweepPlan plan = plan_sweep(context, config);
  std::error_code fault;
  std::optional<FolderLock> lock;
  if (!context.options.dry_run && (std::filesystem::create_directories(output, fault), !fault))
    lock.emplace(output, context.info.name + " " + context.options.input,
                 context.options.resume);  // else errors are reported by the points
  std::vector<std::size_t> all(plan.points.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  const bool at_once = can_run_at_once(context, all.size());
  const Outcome worst = (at_once ? run_points_at_once : run_points)(context, plan, output, all);
  if (!context.options.dry_run) write_sweep(context, config, output, plan, worst);
  if (worst.status == exit_done) std::filesystem::remove(family_sizes(output), fault);
  return worst;
}

}  // namespace curlew::run
