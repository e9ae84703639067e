// SPDX-License-Identifier: BSD-3-Clause
#include "optimize/solver_results.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/csv.hpp"
#include "run/sweep.hpp"

namespace curlew::optimize {
namespace {

using nlohmann::json;

/// Relative tolerance of equal frequencies and angles.
constexpr double same = 1e-9;

bool are_same(double a, double b) {
  return std::abs(a - b) <= same * std::max({1.0, std::abs(a), std::abs(b)});
}

[[noreturn]] void fail(const Goal& goal, const std::string& what) {
  throw InputError(fmt::format("{}: {}", goal.place, what));
}

Complex complex_of(const json& pair) {
  return {pair.at(0).get<double>(), pair.at(1).get<double>()};
}

Complex scattering(const Goal& goal, double frequency, const json& results) {
  const std::string key = fmt::format("s{}_{}", goal.row, goal.column);
  if (!results.contains("s_parameters"))
    fail(goal, "the solver's results contain no S: is there a [[port]]?");
  for (const auto& row : results["s_parameters"]) {
    if (!are_same(row.at("frequency_hz").get<double>(), frequency)) continue;
    if (row.contains(key)) return complex_of(row[key]);
    const long modes = std::lround(std::sqrt(double(row.size() - 1)));  // one entry is the frequency
    fail(goal,
         fmt::format("the model has no {}: its S has {} mode{}", goal.name, modes, modes == 1 ? "" : "s"));
  }
  fail(goal, fmt::format("the solver's results have no S at {:.6g} GHz", 1e-9 * frequency));
}

double gain(const Goal& goal, double frequency, const std::string& folder) {
  const auto path = std::filesystem::path(folder) / "farfield.csv";
  if (!std::filesystem::exists(path)) fail(goal, "the model has no [output.far_field]");
  const auto table = io::read_csv(path.string());
  const auto f = table.numbers("frequency_hz"), theta = table.numbers("theta_deg"),
             phi = table.numbers("phi_deg"), values = table.numbers("gain_dbi");
  for (std::size_t i = 0; i < f.size(); ++i)
    if (are_same(f[i], frequency) && are_same(theta[i], goal.theta) && are_same(phi[i], goal.phi))
      return values[i];
  fail(goal, fmt::format("the pattern of the model has no theta = {}, phi = {} degrees at {:.6g} GHz",
                         goal.theta, goal.phi, 1e-9 * frequency));
}

double number(const Goal& goal, const std::string& name, const json& results) {
  for (const auto& [key, value] : run::flatten_numbers(results))
    if (key == name) return value;
  fail(goal, fmt::format("the solver's results have no number \"{}\"", name));
}

Complex value_of(const Goal& goal, const Sample& sample, const json& results, const std::string& folder) {
  switch (goal.kind) {
    case Quantity::scattering:
      return scattering(goal, *sample.frequency, results);
    case Quantity::gain:
      return gain(goal, *sample.frequency, folder);
    case Quantity::mode:
      return number(goal, fmt::format("f{}_hz", goal.row), results);
    default:
      return number(goal, goal.name, results);
  }
}

/// Name in [[sensitivity]] of the backscattering cross-section of a single wave.
std::string backscatter_name(const json& results) {
  const auto& wave = results.at("scattering").at(0);
  return fmt::format("rcs1_db({:.6g},{:.6g})", wave.at("theta_inc_deg").get<double>(),
                     wave.at("phi_inc_deg").get<double>());
}

/// "S21", or "S2,1" as ten ports and more have it.
bool is_name_of(const Goal& goal, const std::string& quantity, const json& results) {
  if (goal.name == backscatter) return quantity == backscatter_name(results);
  if (goal.kind != Quantity::scattering) return quantity == goal.name;
  return quantity == fmt::format("S{}{}", goal.row, goal.column) ||
         quantity == fmt::format("S{},{}", goal.row, goal.column);
}

/// Derivative per unit of the parameter.
std::optional<Complex> derivative(const Goal& goal, const Sample& sample, const Variable& variable,
                                  const json& results) {
  if (!results.contains("sensitivities")) return std::nullopt;
  for (const auto& row : results["sensitivities"]) {
    if (row.at("parameter") != variable.parameter || !is_name_of(goal, row.at("quantity"), results)) continue;
    if (sample.frequency && !are_same(row.at("frequency_hz").get<double>(), *sample.frequency)) continue;
    const Complex d = complex_of(row.at("derivative"));
    return goal.kind == Quantity::scattering ? d : Complex(d.real());
  }
  return std::nullopt;
}

Response response_of(const Task& task, const json& results, const std::string& folder) {
  const std::size_t n = task.variables.size();
  Response response;
  response.derivatives.resize(task.samples.size() * n);
  for (std::size_t i = 0; i < task.samples.size(); ++i) {
    const Sample& sample = task.samples[i];
    const Goal& goal = task.goals[sample.goal];
    response.values.push_back(value_of(goal, sample, results, folder));
    response.exact.push_back(true);
    for (std::size_t j = 0; j < n; ++j) {
      const Variable& v = task.variables[j];
      const auto d = derivative(goal, sample, v, results);
      response.derivatives[i * n + j] = d ? *d * (v.max - v.min) : Complex(0);
      if (!d) response.exact[i] = false;
    }
  }
  return response;
}

/// Reads a part of a summary. @throws InputError if there is none
template <class Read>
auto of_summary(const std::string& folder, const Read& read) {
  const std::string path = (std::filesystem::path(folder) / "summary.json").string();
  try {
    return read(json::parse(io::read_text_file(path)));
  } catch (const json::exception& e) {
    throw InputError(fmt::format("{}: is not a file of a solver: {}", path, e.what()));
  }
}

}  // namespace

Response read_response(const Task& task, const std::string& folder) {
  return of_summary(folder,
                    [&](const json& summary) { return response_of(task, summary.at("results"), folder); });
}

std::size_t memory_of_run(const std::string& folder) {
  try {
    return of_summary(folder,
                      [](const json& summary) { return summary.at("peak_memory_bytes").get<std::size_t>(); });
  } catch (const InputError&) {  // the last run has failed
    return 0;
  }
}

std::vector<std::string> files_read(const std::string& folder) {
  return of_summary(folder, [](const json& summary) {
    std::vector<std::string> files;
    for (const auto& file : summary.at("depends_on")) files.push_back(file.at("path").get<std::string>());
    return files;
  });
}

std::vector<std::string> warnings_of(const std::string& folder) {
  return of_summary(
      folder, [](const json& summary) { return summary.at("warnings").get<std::vector<std::string>>(); });
}

}  // namespace curlew::optimize
