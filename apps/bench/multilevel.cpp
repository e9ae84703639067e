// SPDX-License-Identifier: BSD-3-Clause
// em-bench multilevel: p-multilevel Krylov solves beside the direct solvers, set-up included, on waveguides
// whose mesh is halved at a fixed resolution per wavelength, or on a system.h5 with its blocks by order.

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "bench/cases.hpp"
#include "bench/waveguide.hpp"
#include "fem/output/system_file.hpp"
#include "linalg/direct/refinement.hpp"
#include "linalg/krylov/iterative_solver.hpp"

namespace curlew::bench {
namespace {

struct Problem {
  std::string name;
  const linalg::Csr<Complex>& a;
  std::array<Index, 4> offsets;
  std::vector<Complex> b;
};

constexpr double gib = 1 << 30;
// Beyond this many the subdomains, which are far from converging in guides, are left out.
constexpr Index many_unknowns = 500'000;

void solve_directly(const Problem& p, Device device, Report& report) {
  std::vector<Complex> x(p.b.size());
  Timer timer;
  try {
    const auto solver = linalg::make_direct_solver<Complex>({}, device);
    solver->analyse(p.a);
    solver->factor(p.a);
    const double residual = linalg::solve_refined(*solver, p.a, p.b.data(), x.data()).residual;
    const auto& info = solver->info();
    report.row({fmt::format("{}, {}", p.name, info.library), p.a.num_rows, p.a.num_rows, 1, timer.seconds(),
                info.analyse_seconds + info.factor_seconds, info.solve_seconds, nullptr,
                double(info.estimated_bytes) / gib, residual});
  } catch (const Error& error) {
    report.note(fmt::format("{}: {}", p.name, error.what()));
  }
}

void solve_by_levels(const Problem& p, Device device, linalg::KrylovMethod method, int coarse_order,
                     int subdomains, Report& report) {
  linalg::IterativeOptions o;
  o.krylov.method = method, o.krylov.tolerance = 1e-8, o.krylov.max_iterations = 200, o.krylov.restart = 100;
  o.coarse_order = coarse_order, o.device = device, o.subdomains = subdomains;
  std::vector<Complex> x(p.b.size());
  Timer timer;
  try {
    linalg::IterativeSolver solver(o, {p.offsets.begin(), p.offsets.end()});
    solver.prepare(p.a);
    const auto result = solver.solve(p.b.data(), x.data());
    const double all = timer.seconds();
    const std::string parts = subdomains > 1 ? fmt::format(", {} subdomains and {} functions", subdomains,
                                                           solver.info().coarse_functions)
                                             : "";
    report.row({fmt::format("{}, {} + {}{}, {}", p.name, name_of(method), solver.info().coarse_library, parts,
                            device == Device::cuda ? "GPU" : "CPU"),
                p.a.num_rows, solver.info().coarse_unknowns, result.iterations, all,
                solver.info().prepare_seconds, result.seconds, solver.info().coarse_seconds, nullptr,
                result.relative_residual});
  } catch (const Error& error) {
    report.note(fmt::format("{}: {}", p.name, error.what()));
  }
}

/// Several right-hand sides, one after the other and at once: seconds of each.
void solve_many(const Problem& p, Device device, Index count, Report& report) {
  const auto n = p.b.size();
  std::vector<Complex> b(n * std::size_t(count)), x(b.size());
  for (std::size_t c = 0; c < std::size_t(count); ++c)  // the same excitation with another phase
    for (std::size_t i = 0; i < n; ++i) b[c * n + i] = p.b[(i + 1009 * c) % n];
  double alone = 0;
  for (const int columns : {1, int(count)}) {
    linalg::IterativeOptions o;
    o.krylov.method = linalg::KrylovMethod::gmres, o.krylov.tolerance = 1e-8;
    o.krylov.max_iterations = 200, o.krylov.restart = 100, o.columns = columns, o.device = device;
    try {
      linalg::IterativeSolver solver(o, {p.offsets.begin(), p.offsets.end()});
      solver.prepare(p.a);
      solver.solve(b.data(), x.data(), count);  // the workspace is taken in the first call
      const auto result = solver.solve(b.data(), x.data(), count);
      if (columns == 1) alone = result.seconds;
      report.row({fmt::format("{}, gmres, {} right-hand sides, {} at once, {}", p.name, count, columns,
                              device == Device::cuda ? "GPU" : "CPU"),
                  p.a.num_rows, solver.info().coarse_unknowns, result.iterations / int(count), nullptr,
                  solver.info().prepare_seconds, result.seconds / double(count), solver.info().coarse_seconds,
                  nullptr, result.relative_residual});
      if (columns > 1)
        report.note(fmt::format("{}: {:.2f} times as fast for each of {} right-hand sides at once", p.name,
                                alone / result.seconds, count));
    } catch (const Error& error) {
      report.note(fmt::format("{}: {}", p.name, error.what()));
    }
  }
}

void measure(const Problem& p, int orders, const Options& options, Report& report) {
  std::vector<Device> devices{Device::cpu};
  if (options.device == Device::cuda) devices.insert(devices.begin(), Device::cuda);
  for (const Device device : devices) {
    if (device == Device::cuda) solve_directly(p, device, report);
    for (int coarse = 1; coarse < orders; ++coarse)
      solve_by_levels(p, device, linalg::KrylovMethod::gmres, coarse, 1, report);
    if (orders > 1) solve_by_levels(p, device, linalg::KrylovMethod::cocr, 0, 1, report);
    if (device != devices.front()) continue;
    if (p.a.num_rows < many_unknowns)
      for (const int subdomains : {4, 16, 64})
        solve_by_levels(p, device, linalg::KrylovMethod::gmres, 0, subdomains, report);
    if (orders > 1) solve_many(p, device, 16, report);
  }
  solve_directly(p, Device::cpu, report);  // last: it takes minutes where the others take seconds
}

/// A right-hand side for systems without one: no component is small.
std::vector<Complex> some_right_side(Index n) {
  std::vector<Complex> b(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) b[std::size_t(i)] = Complex((i * 37 % 101) - 50, 0) / 50.0;
  return b;
}

struct Case {
  const char* name;
  int order;
  std::array<int, 3> blocks;
  double wavenumber;
};
// Each line halves the mesh of the one above at the same resolution per wavelength.
constexpr Case cases[] = {
    {"p2", 2, {11, 8, 6}, 5.2}, {"p2", 2, {21, 16, 11}, 10}, {"p2-million", 2, {42, 32, 22}, 20},
    {"p3", 3, {4, 3, 2}, 7.5},  {"p3", 3, {8, 6, 4}, 15},    {"p3", 3, {16, 12, 8}, 30}};

}  // namespace

void multilevel(const Options& options, Report& report) {
  if (multilevel_devices(options, report)) return;
  report.table(fmt::format("p-multilevel to 1e-8, compared with direct solvers, complex double, {} threads",
                           num_threads()),
               {"problem, solver", "unknowns", "factorised", "iterations", "seconds in all", "set-up s",
                "solve s", "of it coarse s", "GiB", "residual"});
  if (!options.matrix.empty()) {
    fem::System s = fem::read_system(options.matrix);
    std::vector<Complex> b = some_right_side(s.a.num_rows);
    if (s.num_rhs > 0) b.assign(s.rhs.begin(), s.rhs.begin() + s.a.num_rows);
    int orders = 0;
    for (int o = 0; o < 3; ++o)
      orders += s.block_offsets[std::size_t(o) + 1] > s.block_offsets[std::size_t(o)];
    measure({options.matrix, s.a, s.block_offsets, std::move(b)}, orders, options, report);
    return;
  }
  for (const Case& c : cases) {
    if (options.case_name.empty() ? c.name == std::string("p2-million") : options.case_name != c.name)
      continue;
    Waveguide s;
    build_waveguide(c.order, c.blocks, c.wavenumber, s);
    measure({fmt::format("p{} waveguide, k = {}", c.order, c.wavenumber), s.a, s.space.block_offsets, s.b},
            c.order, options, report);
  }
}

}  // namespace curlew::bench
