// SPDX-License-Identifier: BSD-3-Clause
#include "optimize/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <regex>

#include "base/decibel.hpp"
#include "io/atomic_file.hpp"
#include "io/ranges.hpp"
#include "io/schema/schema.hpp"
#include "run/templates.hpp"

namespace curlew::optimize {
namespace {

/// Decibels of one neper: an excess of this counts 1, like a relative excess of 1 of a magnitude to first
/// order.
constexpr double neper_in_db = 8.685889638;

std::vector<std::string> split_at_dots(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// Index of the first table of a list that names a region; empty if none.
std::optional<std::size_t> find_region(const io::Config& model, const std::string& kind,
                                       const std::string& region) {
  const auto tables = model.tables(kind);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!tables[i].has("region")) continue;
    const auto names = tables[i].get<std::vector<std::string>>("region");
    if (std::find(names.begin(), names.end(), region) != names.end()) return i;
  }
  return std::nullopt;
}

/// The number at a path of tables, or empty.
std::optional<double> number_at(io::Config table, const std::vector<std::string>& parts) {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (table.kind(parts[i]) != io::Config::Kind::table) return std::nullopt;
    table = table.table(parts[i]);
  }
  if (table.kind(parts.back()) != io::Config::Kind::number) return std::nullopt;
  return table.get<double>(parts.back());
}

/// Position and value of the parameter in the model.
struct Place {
  std::string path;
  bool has_derivative;
  std::optional<double> value;
};

Place find_place(const io::Config& table, const io::Config& model, const std::string& program,
                 const std::string& parameter) {
  const auto parts = split_at_dots(parameter);
  const std::string& kind = parts.front();
  table.require(
      parts.size() > 1 && std::none_of(parts.begin(), parts.end(), std::mem_fn(&std::string::empty)),
      "parameter",
      fmt::format("\"{}\": must be like \"mesh.parameters.gap\" or \"material.slab.epsilon_r\"", parameter));
  const auto require_key = [&](const std::string& path) {
    table.require(io::schema::find_key(io::schema::plain_path(path), program) != nullptr, "parameter",
                  fmt::format("\"{}\": unknown key of {} (--keys lists them)", parameter, program));
  };
  const bool is_list = (kind == "material" || kind == "boundary" || kind == "port") && parts.size() == 3 &&
                       parts[1].find_first_not_of("0123456789") != std::string::npos;
  if (!is_list) {
    require_key(parameter);
    const bool is_shape = parameter.starts_with("mesh.parameters.");
    return {parameter, is_shape, number_at(model, parts)};
  }
  require_key(kind + "." + parts[2]);
  const auto place = find_region(model, kind, parts[1]);
  if (!place)
    table.error("parameter", fmt::format("\"{}\": the model has no [[{}]] with region = \"{}\"", parameter,
                                         kind, parts[1]));
  return {fmt::format("{}.{}.{}", kind, *place, parts[2]), true,
          number_at(model.tables(kind)[*place], {parts[2]})};
}

Variable read_variable(const io::Config& table, const io::Config& model, const std::string& program) {
  const auto parameter = table.get<std::string>("parameter");
  const Place place = find_place(table, model, program, parameter);
  const auto range = table.get<std::vector<double>>("range");
  table.require(range.size() == 2 && range[0] < range[1], "range", "range must be [least, greatest]");
  Variable v{parameter, place.path, place.has_derivative, range[0], range[1], 0};
  if (const auto start = table.find<double>("start"))
    v.start = *start;
  else if (place.value)
    v.start = *place.value;
  else
    table.error(
        "parameter",
        fmt::format("start is missing: add it, or {} as a number without a unit to the model's config",
                    parameter));
  table.require(v.start >= v.min && v.start <= v.max, "start",
                fmt::format("start = {} must be in the range [{}, {}]", v.start, v.min, v.max));
  v.spread = table.get_or("spread", 0.0);
  table.require(v.spread >= 0, "spread", "spread must not be negative");
  return v;
}

/// Reads the name of a quantity.
void read_quantity(Goal& goal) {
  std::smatch found;
  const auto number = [&](int i) { return std::stoi(found[std::size_t(i)]); };
  if (std::regex_match(goal.name, found,
                       std::regex("S([1-9])([1-9])|S([1-9][0-9]{0,2}),([1-9][0-9]{0,2})"))) {
    const bool is_short = found[1].matched;
    goal.kind = Quantity::scattering, goal.row = number(is_short ? 1 : 3),
    goal.column = number(is_short ? 2 : 4);
  } else if (std::regex_match(goal.name, found, std::regex("f([1-9][0-9]{0,3})"))) {
    goal.kind = Quantity::mode, goal.row = number(1);
  } else if (goal.name == "gain") {
    goal.kind = Quantity::gain;
  }
}

std::vector<double> read_frequencies(const io::Config& table, const Goal& goal) {
  const bool needs = goal.kind == Quantity::scattering || goal.kind == Quantity::gain;
  table.require(
      needs || !table.has("frequency"), "frequency",
      fmt::format("quantity = \"{}\" has no frequency: S11, S21, ... and gain have one; f1, f2, ... "
                  "are modes, others numbers of summary.json",
                  goal.name));
  if (!needs) return {};
  const auto ends = table.get<std::vector<double>>("frequency");
  const bool sound =
      !ends.empty() && ends.size() <= 3 && ends.front() > 0 && (ends.size() == 1 || ends[0] < ends[1]);
  table.require(
      sound, "frequency",
      "frequency must be above 0 and one frequency, a band [start, stop] or, with a number of points, "
      "[start, stop, points]");
  if (ends.size() == 1) return ends;
  const double points = ends.size() == 3 ? ends[2] : 11;
  table.require(points >= 2 && points <= 1000 && points == std::floor(points), "frequency",
                "a band has 2 to 1000 points");
  return io::linspace(ends[0], ends[1], int(points));
}

Goal read_goal(const io::Config& table, bool must_limit) {
  Goal goal{.name = table.get<std::string>("quantity"), .below = {}, .above = {}, .equal = {}, .place = {}};
  goal.place = fmt::format("{}: {}", table.where("quantity"), table.path());
  read_quantity(goal);
  goal.frequencies = read_frequencies(table, goal);
  if (goal.kind == Quantity::gain && table.has("direction")) {
    const auto angles = table.get<std::vector<double>>("direction");
    table.require(angles.size() == 2, "direction", "direction must be two angles [theta, phi] in degrees");
    goal.theta = angles[0], goal.phi = angles[1];
  }
  goal.below = table.find<double>("below"), goal.above = table.find<double>("above");
  if (const auto equal = table.find<std::vector<double>>("equal")) {
    table.require(equal->size() == 1 || (equal->size() == 2 && (*equal)[1] > 0), "equal",
                  "equal must be a number, or [value, relative tolerance > 0]");
    goal.equal = equal->front(), goal.tolerance = equal->size() == 2 ? equal->back() : goal.tolerance;
  }
  table.require(goal.kind != Quantity::scattering || !(goal.below.value_or(-1) >= 0), "below",
                fmt::format("below = {:g} dB is met by every passive device: S of a filter is below -20, say",
                            goal.below.value_or(0)));
  table.require(!goal.equal || !(goal.below || goal.above), "equal",
                "give equal, or below and above, not both");
  table.require(goal.below || goal.above || goal.equal || !must_limit, "quantity",
                fmt::format("the goal for {} has no below, above or equal", goal.name));
  table.require(!(goal.below && goal.above) || *goal.above <= *goal.below, "above",
                "above must not exceed below");
  goal.weight = table.positive_or("weight", goal.weight);
  return goal;
}

/// A limit on a sample of a goal. For S the bound is that of |S|, and an excess is relative to it.
Limit limit_of(const Goal& goal, std::size_t value, Side side, double bound) {
  Limit limit{value, side, bound, 1, false};
  switch (goal.kind) {
    case Quantity::scattering:
      limit.bound = limit.scale = std::pow(10, bound / 20), limit.of_magnitude = true;
      break;
    case Quantity::gain:
      limit.scale = neper_in_db;
      break;
    default:
      if (bound != 0) limit.scale = std::abs(bound);
  }
  limit.scale /= goal.weight;
  return limit;
}

void add_limits(const Goal& goal, std::size_t value, std::vector<Limit>& limits) {
  if (goal.below) limits.push_back(limit_of(goal, value, Side::below, *goal.below));
  if (goal.above) limits.push_back(limit_of(goal, value, Side::above, *goal.above));
  if (!goal.equal) return;
  const double half = goal.tolerance * (*goal.equal == 0 ? 1 : std::abs(*goal.equal));
  for (const Side side : {Side::below, Side::above}) {
    limits.push_back(limit_of(goal, value, side, *goal.equal + (side == Side::below ? half : -half)));
    if (goal.kind != Quantity::scattering) limits.back().scale = half / goal.weight;
  }
}

void read_search(const io::Config& table, Task& task) {
  task.search.max_evaluations =
      table.integer_in_or("max_evaluations", 1, 100000, task.search.max_evaluations);
  task.search.ends_when_met = table.choice_or("until", {"met", "best"}, "met") == "met";
  const auto word = table.choice_or("derivatives", {"automatic", "solver", "differences"}, "automatic");
  task.derivatives = word == "automatic" ? Task::Derivatives::automatic
                     : word == "solver"  ? Task::Derivatives::solver
                                         : Task::Derivatives::differences;
}

std::optional<ToleranceAnalysis> read_analysis(const io::Config& config) {
  if (!config.has("tolerance_analysis")) return std::nullopt;
  const io::Config table = config.table("tolerance_analysis");
  ToleranceAnalysis analysis;
  analysis.samples = table.integer_in_or("samples", 0, 100000, analysis.samples);
  analysis.is_uniform = table.choice_or("distribution", {"normal", "uniform"}, "normal") == "uniform";
  return analysis;
}

/// The solver's config, as the options of this one change it.
io::Config read_model(const io::Config& table, Task& task) {
  const auto stated = table.get<std::string>("config");
  task.config = table.resolve_path(stated);
  std::error_code fault;
  table.require(std::filesystem::is_regular_file(task.config, fault), "config",
                fmt::format("{}: no such file", task.config));
  const std::string text = io::read_text_file(task.config);
  task.program =
      table.choice_or("program", {"fem-solve", "fe-iiee", "ie-solve", "mom2d"}, run::program_of(text));
  task.sets = table.get_or("set", std::vector<std::string>{});
  io::Config model = io::Config::parse(text, task.config);
  for (const auto& set : task.sets) {
    const auto equals = set.find('=');
    table.require(equals != std::string::npos && equals > 0, "set",
                  fmt::format("\"{}\": must be \"key=value\"", set));
    model.set(set.substr(0, equals), set.substr(equals + 1), table.where("set"));
  }
  model.check_schema(task.program);
  model.evaluate(task.program);
  return model;
}

}  // namespace

const char* unit_of(const Goal& goal) {
  switch (goal.kind) {
    case Quantity::scattering:
      return "dB";
    case Quantity::gain:
      return "dBi";
    case Quantity::mode:
      return "Hz";
    default:
      return "";
  }
}

double shown(const Goal& goal, Complex value) {
  return goal.kind == Quantity::scattering ? decibel(std::abs(value)) : value.real();
}

std::vector<double> Task::frequencies() const {
  std::vector<double> all;
  for (const Goal& goal : goals) all.insert(all.end(), goal.frequencies.begin(), goal.frequencies.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool Task::has(Quantity kind) const {
  return std::any_of(goals.begin(), goals.end(), [&](const Goal& goal) { return goal.kind == kind; });
}

Task read_task(const io::Config& config) {
  Task task;
  const io::Config model = read_model(config.table("model"), task);
  for (const io::Config& table : config.tables("variable")) {
    task.variables.push_back(read_variable(table, model, task.program));
    const auto same = [&](const Variable& v) { return v.path == task.variables.back().path; };
    table.require(std::count_if(task.variables.begin(), task.variables.end(), same) == 1, "parameter",
                  fmt::format("{} is a variable twice", task.variables.back().parameter));
  }
  if (task.variables.empty()) config.error("variable", "there is no [[variable]]: add at least one");
  task.analysis = read_analysis(config);
  for (const io::Config& table : config.tables("goal")) {
    const Goal goal = read_goal(table, !task.analysis);
    const std::vector<double> none{0};
    for (const double f : goal.frequencies.empty() ? none : goal.frequencies) {
      add_limits(goal, task.samples.size(), task.limits);
      task.samples.push_back({task.goals.size(), goal.frequencies.empty() ? std::nullopt : std::optional(f)});
    }
    task.goals.push_back(goal);
  }
  if (task.goals.empty()) config.error("goal", "there is no [[goal]]: add at least one");
  read_search(config.table("optimization"), task);
  if (task.limits.empty()) task.search.ends_when_met = true;  // no search
  const bool has_spread = std::any_of(task.variables.begin(), task.variables.end(),
                                      [](const Variable& v) { return v.spread > 0; });
  if (task.analysis && !has_spread) config.error("tolerance_analysis", "no [[variable]] has a spread");
  return task;
}

}  // namespace curlew::optimize
