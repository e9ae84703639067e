// SPDX-License-Identifier: BSD-3-Clause
#include "ie/model/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/hertz.hpp"
#include "base/log.hpp"
#include "ie/model/solver_choice.hpp"
#include "io/frequency.hpp"
#include "io/ranges.hpp"
#include "job/dense_memory.hpp"
#include "run/mesh_input.hpp"

namespace curlew::ie {
namespace {

std::vector<double> range_or(const io::Config& t, const char* key, double start, double stop, int points) {
  if (t.has(key)) return io::linear_range(t, key);
  t.get_or<std::vector<double>>(key, {start, stop, double(points)});
  return io::linspace(start, stop, points);
}

void read_krylov(const io::Config& t, linalg::KrylovOptions& k) {
  k.tolerance = t.positive_or("tolerance", 1e-4);
  t.require(k.tolerance < 1, "tolerance", "tolerance must be less than 1");
  k.max_iterations = t.integer_in_or("max_iterations", 1, 1000000, 1000);
  const auto expert = t.table("expert");
  k.restart = expert.integer_in_or("restart", 1, 500, 100);
  k.shadow = linalg::shadow_from(expert.choice_or("shadow", {"auto", "residual", "random"}, "auto"));
}

/// Nothing of iterations, whose number is not known before.
job::DenseSeconds direct_seconds(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs,
                                 const run::Run& run) {
  const auto n = double(equation.size());
  return options.direct
             ? job::dense_seconds(equation.entry_cost() * fill_operations(n), n, double(num_rhs), run)
             : job::DenseSeconds();
}

}  // namespace

std::string NamedWave::label() const {
  return fmt::format("wave from theta {:.12g} phi {:.12g}, {}", theta_deg, phi_deg, polarization);
}

std::vector<NamedWave> read_waves(const io::Config& excitation) {
  std::vector<NamedWave> waves;
  for (const auto& w : io::read_plane_waves(excitation))
    waves.push_back(
        {w, {.theta = w.theta_deg * pi / 180, .phi = w.phi_deg * pi / 180, .polarization = w.angle}});
  return waves;
}

Index IeConfig::largest_group(Index unknowns) const {
  constexpr double together = 1e6;  // unknowns of all right-hand sides: takes minutes to an hour
  constexpr Index least = 32;       // later ones profit from search directions of the first few
  return group > 0 ? group : std::max(least, Index(together / double(std::max<Index>(unknowns, 1))));
}

bool IeConfig::writes_fields_at(double frequency) const {
  const auto is_same = [&](double f) { return std::abs(f - frequency) <= 1e-12 * frequency; };
  return written.empty() || std::any_of(written.begin(), written.end(), is_same);
}

std::size_t IeConfig::number_of(double frequency) const {
  return std::size_t(std::ranges::lower_bound(frequencies, frequency) - frequencies.begin());
}

std::string IeConfig::solution_file(std::size_t number) const {
  return frequencies.size() == 1 ? "solution.h5" : fmt::format("solution_{}.h5", number + 1);
}

StatedMethod read_common(const io::Config& config, std::initializer_list<std::string_view> methods,
                         double sum_tolerance, run::Run& run, IeConfig& c) {
  config.get_or<std::string>("title", "");
  c.frequencies = io::frequencies(config);
  c.accuracy = results::read_accuracy(config);
  const auto t = config.table("solver"), a = config.table("acceleration"), expert = t.table("expert");
  const auto type = a.choice_or("type", {"none", "ngim", "auto"}, "auto");
  const auto method = t.choice_or("method", methods, *methods.begin());
  if (method == "direct" && type == "ngim")
    a.error("type", "\"ngim\" is for iterative solvers: method = \"gmres\", \"bicgstab\" or \"tfqmr\"");
  auto& o = c.solver;
  o.acceleration_tolerance = a.positive_or("tolerance", sum_tolerance);
  a.require(o.acceleration_tolerance < 1, "tolerance", "tolerance must be less than 1");
  o.relaxes_products = true;
  o.krylov.method = linalg::krylov_method_from(method == "auto" || method == "direct" ? "gmres" : method);
  read_krylov(t, o.krylov);
  o.device = run.device();
  o.processes = run.processes();
  o.gpus = t.integer_in_or("gpus", 0, 64, 0);
  t.require(o.device != Device::cuda || o.gpus <= num_devices(), "gpus",
            fmt::format("gpus = {}: this machine has {}", o.gpus, num_devices()));
  o.device_memory = job::read_device_memory(expert);
  c.group = expert.has("group") ? expert.integer_in_or("group", 1, 1000000, 1) : 0;
  const auto output = config.table("output");
  c.solution = output.get_or<bool>("solution", true);
  c.fields = output.get_or<bool>("fields", true);
  if (output.has("frequencies")) c.written = io::frequency_list(output, "frequencies");
  for (const double f : c.written) {
    IeConfig one;
    one.written = {f};
    const bool is_solved = std::any_of(c.frequencies.begin(), c.frequencies.end(),
                                       [&](double solved) { return one.writes_fields_at(solved); });
    output.require(is_solved, "frequencies",
                   fmt::format("{} is not one of the frequencies of [frequency]", hertz(f)));
  }
  const auto pattern = output.table("far_field");
  c.theta_deg = range_or(pattern, "theta", 0, 180, 181);
  c.phi_deg = range_or(pattern, "phi", 0, 0, 1);
  io::require_directions(pattern, c.theta_deg.size(), c.phi_deg.size());
  c.near_fields = io::read_near_fields(config, run::length_unit(config));
  return {std::string(method), std::string(type)};
}

Preconditioner preconditioner_from(const std::string& name) {
  using Kind = Preconditioner;
  for (const auto kind : {Kind::none, Kind::jacobi, Kind::near, Kind::loop_star, Kind::charges})
    if (name == name_of(kind)) return kind;
  throw InputError(fmt::format("preconditioner \"{}\" is not known", name));
}

SolveCost cost_of(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs,
                  const run::Run& run) {
  const auto seconds = direct_seconds(equation, options, num_rhs, run);
  SolveCost cost{estimate_bytes(equation, options, num_rhs), 0, seconds.fill + seconds.solution};
  if (options.uses_device()) cost.device = estimate_device_bytes(equation, options, num_rhs);
  if (options.direct)
    cost.device = linalg::plan_dense(equation.size(), int(num_rhs), options.precision, run.device(),
                                     {options.device_memory}, linalg::EntriesMade::on_host)
                      .device_bytes;
  return cost;
}

void plan_solve(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs, run::Run& run,
                double frequencies, Index held) {
  run.size("unknowns", long(equation.size()));
  run.size("right_hand_sides", long(num_rhs));
  if (options.direct) {
    job::plan_dense_memory(equation.size(), num_rhs, options.precision, {options.device_memory},
                           linalg::EntriesMade::on_host, run);
    return job::plan_dense_seconds(direct_seconds(equation, options, num_rhs, run), frequencies, run);
  }
  run.plan(options.accelerated ? "corrected operator" : "matrix",
           estimate_bytes(equation, options, num_rhs, held));
  if (options.uses_device())
    run.plan_device("corrected operator", estimate_device_bytes(equation, options, num_rhs));
}

void solve(const IntegralEquation& equation, const SolveOptions& options, double frequency,
           std::vector<Complex>& x, Index num_rhs, const std::string& advice, run::Run& run,
           GroupStore* store) {
  state_solve(solve(equation, options, x, num_rhs, store), options, frequency, num_rhs, advice, run);
}

SolveReport solve_finer(const IntegralEquation& equation, const SolveOptions& options,
                        std::vector<Complex>& x, Index count) {
  auto report = solve(equation, options, x, count);
  if (!report.converged) throw NumericalError(report.krylov.back().message(options.krylov));
  return report;
}

namespace {

/// Reports the number of products, and by tolerance of their sums if these differ.
void state_products(const SolveReport& report, run::Value& results) {
  if (report.products.size() < 2) return;
  std::string text;
  auto& stated = results["products_by_tolerance"];
  for (const auto& [tolerance, products] : report.products) {
    stated.push_back({{"tolerance", tolerance}, {"products", products}});
    text += fmt::format("{}{} to {:.1e}", text.empty() ? "" : ", ", products, tolerance);
  }
  log::info("number of products by their tolerance: {}", text);
}

}  // namespace

void state_solve(const SolveReport& report, const SolveOptions& options, double frequency, Index num_rhs,
                 const std::string& advice, run::Run& run) {
  log::info("{}: fill {:.3g} s, solve {:.3g} s", report.method, report.fill_seconds, report.solve_seconds);
  auto& results = run.results();
  results["fill_seconds"] = report.fill_seconds;
  results["solve_seconds"] = report.solve_seconds;
  for (const auto& [name, seconds] : report.set_up) results["set_up_seconds"][name] = seconds;
  for (const auto& [name, seconds] : report.product) results["product_seconds"][name] = seconds;
  state_products(report, results);
  if (report.bytes > 0) results["operator_bytes"] = report.bytes;
  if (report.gpus > 0) results["gpus"] = report.gpus;
  if (!report.share_sizes.empty()) results["right_hand_sides_by_gpu"] = report.share_sizes;
  if (report.num_points > 0) {
    results["points"] = report.num_points;
    results["near_entries"] = report.near_entries;
  }
  if (report.rank > 0) {
    results["right_hand_side_rank"] = report.rank;
    results["compression_error"] = report.compression_error;
    log::info("{} of {} right-hand sides are solved, the others are combinations of them to {:.1e}",
              report.rank, num_rhs, report.compression_error);
  }
  if (report.kept_directions > 0) results["kept_directions"] = report.kept_directions;
  if (!options.direct) {
    results["preconditioner"] = name_of(options.preconditioner);
    results["iterations"] = report.iterations;
  }
  run.solver(report.method, report.iterations, report.residual, report.converged);
  if (report.lu.condition > 0) results["condition"] = report.lu.condition;
  if (!report.converged) {
    const auto failed = std::find_if(report.krylov.begin(), report.krylov.end(),
                                     [](const auto& one) { return !one.converged(); });
    throw NumericalError(fmt::format("{}: {}{}", hertz(frequency), failed->message(options.krylov), advice));
  }
}

}  // namespace curlew::ie
