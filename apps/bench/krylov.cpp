// SPDX-License-Identifier: BSD-3-Clause
// em-bench krylov: tables 9 to 12 of A.-K. Cheik Ahamed, F. Magoules (HPCC 2014): three Krylov methods on
// acoustic matrices of the paper's sizes, to 1e-9 from zero with a Jacobi preconditioner. Rooms several
// wavelengths large with a source on a wall: a right-hand side on all unknowns is easier.
#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "bench/acoustic_room.hpp"
#include "bench/krylov_parts.hpp"
#include "bench/room_cells.hpp"
#include "bench/sparse_matrices.hpp"
#include "curlew/build.hpp"
#include "linalg/krylov/iterative_solver.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/sparse/crs_operator.hpp"
#include "linalg/sparse/pattern.hpp"

namespace curlew::bench {
namespace {

// Tables 10, 11 and 12, GPU columns (Tesla K20c). 1000 iterations: not converged.
const std::vector<std::pair<const char*, PaperRun>> paper_runs = {
    {"Audi3D-1", {21, 6, 24, 0.030, 0.110, 0.040}},
    {"Audi3D-2", {53, 12, 52, 0.106, 0.286, 0.113}},
    {"Audi3D-3", {94, 31, 99, 0.703, 2.162, 0.755}},
    {"Audi3D-4", {183, 70, 214, 9.209, 30.100, 10.786}},
    {"Twingo3D-0", {563, 1000, 366, 1.008, 20.970, 0.626}},
    {"Twingo3D-1", {1000, 1000, 954, 5.730, 54.630, 5.438}},
    {"Twingo3D-2", {1000, 1000, 1000, 37.670, 324.5, 38.09}},
    {"Cylinder3D-0", {49, 10, 85, 0.060, 0.182, 0.106}},
    {"Cylinder3D-1", {86, 19, 196, 0.216, 0.521, 0.482}},
    {"Cylinder3D-2", {162, 71, 282, 1.886, 7.460, 3.302}}};

/// Larger ones take minutes to set up; fem-solve has two levels for them (docs/measured/solvers.md).
constexpr Index most_by_subdomains = 200'000;

/// GMRES with the preconditioner subdomains, seconds with the set-up.
void solve_by_subdomains(const KrylovMatrix& m, int coarse_vectors, const Options& options, Report& report) {
  if (m.a.num_rows > most_by_subdomains)
    return report.note(
        fmt::format("{}: {} rows: solved by two levels in fem-solve, not here", m.name, m.a.num_rows));
  linalg::IterativeOptions o;
  o.krylov.method = linalg::KrylovMethod::gmres, o.krylov.restart = 100;
  o.preconditioner = "subdomains", o.coarse_vectors = coarse_vectors, o.device = options.device;
  std::vector<Complex> x(m.b.size());
  const std::string name = fmt::format("{}, gmres, subdomains, {}", m.name,
                                       coarse_vectors > 0 ? "coarse space" : "no coarse space");
  try {
    const Timer timer;
    linalg::IterativeSolver solver(o, {0, m.a.num_rows});
    solver.prepare(m.a, {}, m.cells.get());
    const auto r = solver.solve(m.b.data(), x.data());
    report.row({name, m.a.num_rows, r.iterations, nullptr, timer.seconds(), 1e6 * r.seconds / r.iterations,
                nullptr, nullptr, nullptr, nullptr, r.relative_residual, nullptr,
                fmt::format("converged, set-up {:.2f} s, {} functions", solver.info().prepare_seconds,
                            solver.info().coarse_functions),
                nullptr});
  } catch (const Error& error) {
    report.note(fmt::format("{}: {}", name, error.what()));
  }
}

/// The paper's methods first: the subdomains take longest to set up.
void measure(const KrylovMatrix& m, const Options& options, Report& report) {
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda) krylov_on_device(m, options, report);
#endif
  if (options.device == Device::cpu) krylov_on_cpu(m, options, report);
  for (const int coarse_vectors : {40, 0}) solve_by_subdomains(m, coarse_vectors, options, report);
}

void start_table(const std::string& title, Report& report) {
  report.table(fmt::format("{}; {} CPU threads", title, num_threads()),
               {"matrix, method", "rows", "iterations", "paper", "seconds", "us/iteration",
                "CPU us/iteration", "CPU/GPU", "floor [us]", "floor/time", "residual", "paper K20c [s]",
                "outcome", "vendor us/iteration"});
}

/// For a matrix without a right-hand side: one on all unknowns.
std::vector<Complex> spread_source(Index n) {
  std::vector<Complex> b(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) b[std::size_t(i)] = ((i * 37 % 101) - 50) / 50.0;
  return b;
}

KrylovMatrix room_of(const AcousticCase& c) {
  AcousticRoom room = acoustic_room(c);
  KrylovMatrix m{c.name, std::move(room.a), std::move(room.b)};
  m.cells = std::make_shared<RoomCells>(room.nodes, c.mesh_size, c.wave_number);
  for (const auto& [name, run] : paper_runs)
    if (c.name == std::string(name)) m.paper = run;
  return m;
}

void list_rooms(const Options& options, Report& report) {
  report.table("Table 1: rooms of the paper's sizes",
               {"room", "nodes", "rows", "paper", "nonzeros", "paper", "bandwidth", "density [%]",
                "longest row", "k [1/m]", "first resonance", "resonances below k", "cells per wavelength"});
  for (const AcousticCase& c : acoustic_cases()) {
    if (!wants(options, c.name)) continue;
    const AcousticRoom room = acoustic_room(c);
    const auto pattern = linalg::pattern_figures(room.a);
    report.row({c.name, fmt::format("{} x {} x {}", room.nodes[0], room.nodes[1], room.nodes[2]),
                room.a.num_rows, c.rows, room.a.nnz(), c.nnz, pattern.bandwidth, 100 * pattern.density,
                pattern.longest_row, c.wave_number, room.first_resonance, room.resonances,
                2 * pi / (c.wave_number * c.mesh_size)});
  }
  report.note(
      "the paper's \"length wave\" is taken as the wavenumber k: as a wavelength it would mean 122 cells a "
      "wavelength, while the paper asks for about ten");
}

/// Tables 1 and 10 to 12.
void paper_rooms(const Options& options, Report& report) {
  list_rooms(options, report);
  start_table(
      "Tables 10 to 12: Krylov methods, Jacobi, complex double, tolerance 1e-9, at most 1000 iterations, "
      "source on a wall",
      report);
  for (const AcousticCase& c : acoustic_cases())
    if (wants(options, c.name)) measure(room_of(c), options, report);
  report.note("the paper's geometry is not published; iteration counts compare methods, not meshes");
  if (options.device == Device::cuda)
    report.note("vendor: BiCGSTAB by the best product of cuSPARSE, and cuBLAS");
}

/// The room of Twingo3D, ten cells per wavelength, the wave number doubled twice.
void double_wave_number(const Options& options, Report& report) {
  start_table("One room, with the wavenumber doubled twice", report);
  for (const double k : {9.5, 19.0, 38.0}) {
    AcousticCase c = acoustic_cases()[6];
    const std::string name = fmt::format("k = {}", k);
    c.name = name.c_str(), c.wave_number = k, c.mesh_size = 2 * pi / (10 * k);
    double rows = 1;
    for (const double side : c.sides) rows *= side / c.mesh_size + 1;
    c.rows = Index(rows);
    solve_by_subdomains(room_of(c), 40, options, report);
  }
}

}  // namespace

double bicgstab_traffic(Offset nnz, Index rows) {
  return 40.0 * double(nnz) + 2 * (4.0 + 32) * rows + 15 * 16.0 * rows;
}
double tfqmr_traffic(Offset nnz, Index rows) {
  return 40.0 * double(nnz) + 2 * (4.0 + 32) * rows + 24 * 16.0 * rows;
}
double bicgstabl_traffic(Offset nnz, Index rows, int ell) {
  const double updates = 0.5 * ell * (ell + 1);  // of residuals and of directions: two reads and a write each
  return 2 * ell * (20.0 * double(nnz) + 36.0 * rows) +
         16.0 * rows * (6 * updates + 5.0 * ell + (ell + 1) + 2 * ell + 6);
}

linalg::KrylovOptions paper_options(linalg::KrylovMethod method) {
  linalg::KrylovOptions o;
  o.method = method, o.ell = 8, o.ends_stalled = false;
  return o;
}

std::array<PaperMethod, 3> paper_methods(const PaperRun& p) {
  return {{{linalg::KrylovMethod::bicgstab, "bicgstab", p.bicgstab, p.bicgstab_s},
           {linalg::KrylovMethod::bicgstabl, "bicgstab(8)", p.bicgstab8, p.bicgstab8_s},
           {linalg::KrylovMethod::tfqmr, "tfqmr", p.tfqmr, p.tfqmr_s}}};
}

linalg::KrylovReport solve_on_cpu(const KrylovMatrix& m, linalg::KrylovMethod method, int most) {
  const linalg::CrsOperator<Complex> a(m.a);
  const linalg::Jacobi<Complex> jacobi(m.a);
  std::vector<Complex> x(m.b.size());
  auto o = paper_options(method);
  o.max_iterations = most;
  return linalg::Krylov<Complex>(a, &jacobi, o).solve(m.b.data(), x.data());
}

void krylov_on_cpu(const KrylovMatrix& m, const Options&, Report& report) {
  for (const PaperMethod& method : paper_methods(m.paper)) {
    const auto r = solve_on_cpu(m, method.method, 1000);
    report.row({fmt::format("{}, {} (CPU)", m.name, method.name), m.a.num_rows, r.iterations,
                method.iterations > 0 ? nlohmann::json(method.iterations) : nullptr, r.seconds,
                1e6 * r.seconds / std::max(r.iterations, 1), nullptr, nullptr, nullptr, nullptr,
                r.relative_residual, nullptr, name_of(r.status), nullptr});
  }
}

void krylov(const Options& options, Report& report) {
  if (!options.matrix.empty()) {
    BlockMatrix read = read_matrix(options.matrix);
    if (read.rhs.empty()) read.rhs = spread_source(read.a.num_rows);
    const KrylovMatrix m{options.matrix, std::move(read.a), std::move(read.rhs)};
    start_table("Krylov methods, Jacobi, tolerance 1e-9", report);
    measure(m, options, report);
#ifdef CURLEW_HAVE_CUDA
    if (options.device == Device::cuda) krylov_iterations_on_device(m, options, report);
#endif
    return;
  }
  if (options.case_name != "doubling") paper_rooms(options, report);
  if (wants(options, "doubling")) double_wave_number(options, report);
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda && wants(options, "Audi3D-4")) {
    // The time of an iteration is that of the bytes: the matrix with exactly the paper's.
    KrylovMatrix m{"Audi3D-4", acoustic_matrix(acoustic_cases()[3]), {}};
    m.b = spread_source(m.a.num_rows);
    krylov_iterations_on_device(m, options, report);
    m.name += ", all values complex", m.a = with_imaginary_parts(std::move(m.a));
    krylov_iterations_on_device(m, options, report);
  }
#endif
}

}  // namespace curlew::bench
