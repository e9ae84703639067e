// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/driven_options.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "linalg/krylov/preconditioner_kinds.hpp"

namespace curlew::fem {

namespace {

linalg::DirectLibrary read_library(const io::Config& solver) {
  const bool is_mkl = solver.choice_or("direct", {"mumps", "mkl"}, "mumps") == "mkl";
  return is_mkl ? linalg::DirectLibrary::mkl : linalg::DirectLibrary::mumps;
}

linalg::DirectOptions read_direct(const io::Config& solver) {
  const io::Config expert = solver.table("expert");
  linalg::DirectOptions direct;
  direct.library = read_library(solver);
  direct.gpus = solver.integer_in_or("gpus", 1, 64, 1);
  direct.hybrid_memory = expert.has("device_memory");
  if (direct.hybrid_memory) direct.device_memory = std::size_t(expert.positive("device_memory") * (1 << 30));
  return direct;
}

linalg::FactorNumbers read_numbers(const io::Config& solver) {
  using enum linalg::FactorNumbers;
  const auto word = solver.choice_or("precision", {"automatic", "single", "double", "complex"}, "automatic");
  if (word == "single") return single_precision;
  if (word == "double") return double_precision;
  return word == "complex" ? complex_double : automatic;
}

/// Residual required of a direct solver.
double read_residual(const io::Config& solver) {
  const double tolerance = solver.positive_or("tolerance", 1e-10);
  solver.require(tolerance < 1, "tolerance", fmt::format("tolerance = {} must be less than 1", tolerance));
  return tolerance;
}

linalg::IterativeOptions read_iterative(const io::Config& solver, const std::string& method) {
  const io::Config expert = solver.table("expert");
  linalg::IterativeOptions o;
  o.krylov.method = linalg::krylov_method_from(method);
  o.krylov.tolerance = solver.get_or<double>("tolerance", 1e-9);
  solver.require(o.krylov.tolerance >= 0 && o.krylov.tolerance < 1, "tolerance",
                 fmt::format("tolerance = {} must be at least 0 and less than 1", o.krylov.tolerance));
  o.krylov.max_iterations = solver.integer_in_or("max_iterations", 1, 10'000'000, 1000);
  o.krylov.ell = 8;
  if (method == "tfqmr")
    o.krylov.shadow = linalg::shadow_from(expert.choice_or("shadow", {"auto", "residual", "random"}, "auto"));
  if (method == "gmres") o.krylov.restart = expert.integer_in_or("restart", 1, 500, 100);
  o.preconditioner = solver.get_or<std::string>("preconditioner", "multilevel");
  try {
    linalg::preconditioner_named(o.preconditioner);
  } catch (const InputError& error) {
    solver.error("preconditioner", error.what());
  }
  if (o.preconditioner == "multilevel") {
    o.multilevel.smoothing_steps = 2;
    o.coarse_order = expert.integer_in_or("coarse_order", 0, 3, 0);
  } else if (o.preconditioner != "subdomains") {
    return o;
  }
  o.subdomains = solver.integer_in_or("subdomains", 1, 1000000, 1);
  return o;
}

}  // namespace

DrivenOptions read_driven_options(const io::Config& config, Device device, const ProcessGroup* processes) {
  const io::Config solver = config.table("solver");
  DrivenOptions options;
  options.device = device;
  const auto method = solver.choice_or(
      "method", {"auto", "direct", "bicgstab", "bicgstabl", "tfqmr", "gmres", "cocr"}, "auto");
  options.direct = read_direct(solver);
  options.direct.processes = processes;
  options.numbers = read_numbers(solver);
  if (method == "auto") {
    options.automatic = true;
    options.tolerance = read_residual(solver);
    options.iterative = read_iterative(solver, "gmres");
  } else if (method == "direct") {
    options.tolerance = read_residual(solver);
    solver.allow({"preconditioner", "max_iterations"});  // a method can be changed back and forth by one word
  } else {
    options.iterative = read_iterative(solver, method);
  }
  return options;
}

linalg::DirectOptions read_direct_options(const io::Config& config) {
  const io::Config solver = config.table("solver");
  solver.choice_or("method", {"auto", "direct"}, "auto");
  read_residual(solver);
  read_numbers(solver);
  return read_direct(solver);
}

}  // namespace curlew::fem
