// SPDX-License-Identifier: BSD-3-Clause
#include "optimize/evaluations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <limits>
#include <thread>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "optimize/solver_results.hpp"
#include "run/child_program.hpp"
#include "run/run_state.hpp"

namespace curlew::optimize {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_prefix = "evaluation_";

std::string full(double number) {
  return fmt::format("{:.17g}", number);
}

std::string list_of(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(full(number));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// Whether the solver has derivatives of some of the goals.
bool solver_differentiates(const Task& task) {
  const auto& program = task.program;
  const bool is_open = program == "fe-iiee" || program == "ie-solve", is_fem = program == "fem-solve";
  const auto is_known = [&](const Goal& goal) {
    return (goal.kind == Quantity::scattering && (is_fem || is_open)) ||
           (goal.kind == Quantity::mode && is_fem) || (goal.name == backscatter && is_open);
  };
  return task.derivatives != Task::Derivatives::differences &&
         std::any_of(task.goals.begin(), task.goals.end(), is_known) &&
         std::all_of(task.variables.begin(), task.variables.end(), std::mem_fn(&Variable::has_derivative));
}

}  // namespace

const char* word_of(Purpose purpose) {
  constexpr const char* words[] = {"start", "step", "difference", "sample"};
  return words[int(purpose)];
}

SolverRuns::SolverRuns(const Task& task, run::Run& run)
    : task_(task),
      run_(run),
      solver_(run::find_program(task.program)),
      has_derivatives_(solver_differentiates(task)) {
  if (solver_.empty())
    throw ResourceError(fmt::format("{} is not in the folder of em-optimize", task.program));
  if (task.derivatives == Task::Derivatives::solver && !has_derivatives_)
    throw InputError(
        "optimization.derivatives = \"solver\": fem-solve has derivatives of S and of f1, f2, ..., fe-iiee "
        "and ie-solve of S and backscatter_dbsm, by mesh.parameters, material, boundary and port");
  run.depends_on(solver_);
  run.state().needless.push_back((fs::path(run.output_path()) / "sizes.h5").string());
  if (!run.dry_run() && !run.resume()) forget();
}

/// Without --resume results of an earlier run are removed.
void SolverRuns::forget() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(run_.output_path(), ignored))
    if (entry.path().filename().string().starts_with(folder_prefix)) fs::remove_all(entry.path(), ignored);
  fs::remove(fs::path(run_.output_path()) / "sizes.h5", ignored);
}

std::vector<std::string> SolverRuns::arguments(const std::vector<double>& x, const std::string& folder,
                                               bool with_derivatives) const {
  std::vector<std::string> out{task_.config, "-o", folder, "-q", "--no-report"};
  const auto set = [&](const std::string& text) { out.insert(out.end(), {"--set", text}); };
  for (const auto& text : task_.sets) set(text);
  for (std::size_t j = 0; j < x.size(); ++j)
    set(fmt::format("{}={}", task_.variables[j].path, full(task_.variables[j].at(x[j]))));
  const bool is_fem = task_.program == "fem-solve" || task_.program == "fe-iiee";
  if (const auto frequencies = task_.frequencies(); !frequencies.empty()) {
    set(fmt::format("frequency={{values={}}}", list_of(frequencies)));
    if (is_fem) set("output.frequencies=" + list_of(frequencies));
  }
  if (task_.program != "mom2d") set("output.fields=false");
  if (with_derivatives) {
    std::vector<std::string> tables;
    for (const Variable& v : task_.variables)
      tables.push_back(fmt::format("{{parameter=\"{}\"}}", v.parameter));
    set(fmt::format("sensitivity=[{}]", fmt::join(tables, ", ")));
  }
  return out;
}

void SolverRuns::run_solver(const std::vector<double>& x, const std::string& folder, bool with_derivatives,
                            int threads) const {
  auto all = arguments(x, (fs::path(run_.output_path()) / folder).string(), with_derivatives);
  all.insert(all.end(), {"--family", (fs::path(run_.output_path()) / "sizes.h5").string()});
  all.insert(all.end(), {"--resume", "--threads", fmt::format("{}", threads), "--device",
                         run_.is_device_free() ? "auto"
                         : run_.on_cuda()      ? "cuda"
                                               : "cpu"});
  run::run_program(task_.program, solver_, all, run::Bond::tight);
}

std::string SolverRuns::command(const std::vector<double>& x) const {
  std::string text = fmt::format("{} {}", task_.program, task_.config);
  for (const auto& set : task_.sets) text += fmt::format(" --set '{}'", set);
  for (std::size_t j = 0; j < x.size(); ++j)
    text += fmt::format(" --set {}={:.7g}", task_.variables[j].path, task_.variables[j].at(x[j]));
  return text;
}

void SolverRuns::check(const std::vector<double>& start) {
  run_first([&](bool with_derivatives) {
    auto all = arguments(start, (fs::path(run_.output_path()) / "start").string(), with_derivatives);
    all.emplace_back("--dry-run");
    run::run_program(task_.program, solver_, all, run::Bond::tight);
  });
  run_.line(fmt::format("memory of em-optimize alone follows; {} {} --dry-run prints that of one evaluation",
                        task_.program, task_.config));
}

template <class Run>
void SolverRuns::run_first(const Run& run) {
  try {
    run(has_derivatives_);
  } catch (const InputError& e) {
    if (!has_derivatives_ || task_.derivatives == Task::Derivatives::solver) throw;
    run(false);  // errors of the config are thrown here
    has_derivatives_ = false;
    run_.warn(fmt::format("derivatives by differences: {}", e.what()));
  }
}

std::string SolverRuns::next_folder() {
  return fmt::format("{}{:04}", folder_prefix, ++folders_);
}

Response SolverRuns::record(Purpose purpose, const std::string& folder, const std::vector<double>& x) {
  const std::string results = (fs::path(run_.output_path()) / folder).string();
  auto response = read_response(task_, results);
  for (const auto& file : files_read(results))
    if (fs::exists(file)) run_.depends_on(file);
  const double worst = worst_excess(task_.limits, response.values);
  done_.push_back({purpose, folder, x, response.values, worst});
  return response;
}

std::optional<Response> SolverRuns::evaluate(const std::vector<double>& x) {
  const bool is_start = done_.empty();
  const Purpose purpose = is_start ? Purpose::start : Purpose::step;
  const std::string folder = next_folder();
  const auto timer = run_.stage("evaluations");
  try {
    const auto solve = [&](bool with_derivatives) {
      run_solver(x, folder, with_derivatives, run_.threads());
    };
    is_start ? run_first(solve) : solve(has_derivatives_);
  } catch (const ResourceError&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& e) {
    if (is_start) throw;
    run_.warn(fmt::format("{} has failed, a shorter step is taken: {}", folder, e.what()));
    done_.push_back({purpose, folder, x, {}, std::numeric_limits<double>::quiet_NaN()});
    return std::nullopt;
  }
  auto response = record(purpose, folder, x);
  if (!task_.limits.empty())
    log::info("{}: greatest violation of a goal {:.4g} (negative: all are met)", folder, done_.back().worst);
  return response;
}

/// Number of simultaneous runs by the memory of the last run.
run::AtOnce SolverRuns::at_once(std::size_t points) const {
  const bool is_alone = run_.jobs() == 0 && (run_.on_cuda() || done_.empty());
  if (is_alone) return {1, run_.threads(), ""};
  const auto bytes =
      run_.jobs() == 0 ? memory_of_run((fs::path(run_.output_path()) / done_.back().folder).string()) : 0;
  return run::choose_at_once({points, bytes, run_.jobs(), run_.threads(), available_memory()});
}

std::vector<Response> SolverRuns::evaluate_all(const std::vector<std::vector<double>>& points,
                                               Purpose purpose) {
  const auto timer = run_.stage(purpose == Purpose::sample ? "samples" : "differences");
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < points.size(); ++i) folders.push_back(next_folder());
  std::vector<std::exception_ptr> faults(points.size());
  std::atomic<std::size_t> next = 0;
  const auto at_once = this->at_once(points.size());
  if (at_once.processes > 1)
    log::info("solver runs: {} at once, {} thread{} each ({})", at_once.processes, at_once.threads,
              at_once.threads == 1 ? "" : "s", at_once.reason);
  const auto work = [&] {
    for (std::size_t i; (i = next++) < points.size();) try {
        run_solver(points[i], folders[i], false, at_once.threads);
      } catch (...) {
        faults[i] = std::current_exception();
        next = points.size();
      }
  };
  std::vector<std::thread> workers;
  for (int i = 1; i < at_once.processes; ++i) workers.emplace_back(work);
  work();
  for (auto& worker : workers) worker.join();
  for (const auto& fault : faults)
    if (fault) std::rethrow_exception(fault);
  std::vector<Response> responses;
  for (std::size_t i = 0; i < points.size(); ++i) responses.push_back(record(purpose, folders[i], points[i]));
  return responses;
}

/// Forward differences, or backward at the upper limit.
void SolverRuns::differentiate(const std::vector<double>& x, Response& response) {
  if (std::all_of(response.exact.begin(), response.exact.end(), [](bool e) { return e; })) return;
  const std::size_t n = x.size();
  std::vector<std::vector<double>> points(n, x);
  std::vector<double> steps;
  constexpr double step = 0.01;
  for (std::size_t j = 0; j < n; ++j) {
    steps.push_back(x[j] + step <= 1 ? step : -step);
    points[j][j] += steps[j];
  }
  const auto found = evaluate_all(points, Purpose::difference);
  for (std::size_t i = 0; i < response.values.size(); ++i)
    for (std::size_t j = 0; j < n && !response.exact[i]; ++j)
      response.derivatives[i * n + j] = (found[j].values[i] - response.values[i]) / steps[j];
}

}  // namespace curlew::optimize
