// SPDX-License-Identifier: BSD-3-Clause
// mom2d: scattering by cylinders, by the method of moments and the locally corrected Nystroem method.

#include "programs/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "io/array_names.hpp"
#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "io/vtkhdf.hpp"
#include "linalg/dense/machine_speed.hpp"
#include "mom2d/far_field.hpp"
#include "mom2d/near_field.hpp"
#include "programs/dense_memory.hpp"
#include "programs/mom2d/config.hpp"
#include "programs/mom2d/errors.hpp"
#include "results/scattering_report.hpp"
#include "run/frequency_sweep.hpp"
#include "run/run_app.hpp"
#include "run/time_plan.hpp"

namespace {

using namespace curlew;
using mom2d::Solution;

std::vector<double> radians(const std::vector<double>& degrees) {
  std::vector<double> out;
  for (const double d : degrees) out.push_back(d * pi / 180);
  return out;
}
double decibel(double width) {
  return 10 * std::log10(std::max(width, 1e-300));
}

/// current.csv and, in TE, charge.csv.
void write_on_nodes(const Solution& s, const std::string& path, const io::Provenance& provenance,
                    double frequency, bool charge) {
  auto comments = io::provenance_lines(provenance);
  comments.push_back(
      charge ? "surface charge of the currents, at the quadrature points"
             : "electric surface current for an incident wave of 1 V/m: Jz (TM) or J along the contour, "
               "counter-clockwise (TE); at the quadrature points");
  const std::string quantity = charge ? "rho_c_per_m2" : "j_a_per_m";
  io::CsvWriter csv(path, comments,
                    {"frequency_hz", "phi_inc_deg", "contour", "cell", "x_m", "y_m", "s_m", "re_" + quantity,
                     "im_" + quantity, "abs_" + quantity});
  const auto lengths = mom2d::arc_lengths(s.nodes);
  for (std::size_t w = 0; w < s.phi.size(); ++w) {
    const auto charges = charge ? mom2d::surface_charge(s, w) : std::vector<Complex>{};
    for (std::size_t i = 0; i < s.nodes.x.size(); ++i) {
      const std::size_t panel = i / std::size_t(s.nodes.per_panel);
      const auto contour = std::size_t(s.nodes.panels[panel].contour);
      const Offset first = s.nodes.contour_offsets[contour] / s.nodes.per_panel;
      const Complex value = charge ? charges[i] : mom2d::surface_current(s, w, Offset(i));
      csv.row({frequency, s.phi[w] * 180 / pi, s.problem.bodies[contour].contour.name,
               long(Offset(panel) - first), s.nodes.x[i], s.nodes.y[i], lengths[i], value.real(),
               value.imag(), std::abs(value)});
    }
  }
  csv.close();
}

void write_solution(const Solution& s, const std::string& path, const io::Provenance& provenance,
                    double frequency) {
  auto file = io::H5File::create(path);
  file.write_provenance(provenance, "curlew-mom2d-solution", 1);
  file.set_attribute("frequency_hz", frequency);
  const auto n = std::uint64_t(s.nodes.size()), waves = std::uint64_t(s.phi.size());
  file.write("x", s.u, {"1", "u = Ez (TM) or Hz (TE) on the contours for unit waves [wave, node]"},
             {waves, n});
  file.write("v", s.v, {"1", "v = (du/dn)/(factor k0), factor = mu_r (TM) or epsilon_r (TE) [wave, node]"},
             {waves, n});
  file.write("node_x", s.nodes.x, {"m", "x of the quadrature points"});
  file.write("node_y", s.nodes.y, {"m", "y of the quadrature points"});
  file.write("normal_x", s.nodes.nx, {"1", "unit normal out of the body"});
  file.write("normal_y", s.nodes.ny, {"1", "unit normal out of the body"});
  file.write("weight", s.nodes.weight, {"m", "arc length that a point stands for"});
  file.write("phi_inc", s.phi, {"rad", "directions the waves come from"});
  file.close();
}

void write_near_field(const Solution& s, const programs::NearFieldGrid& g, const std::string& path,
                      const io::Provenance& provenance, double frequency) {
  const auto step = [](double a, double b, int n) { return n > 1 ? (b - a) / (n - 1) : 0.0; };
  const auto grid = io::regular_grid({g.x0, g.y0, 0},
                                     {Vec3<double>{step(g.x0, g.x1, g.nx), 0, 0},
                                      Vec3<double>{0, step(g.y0, g.y1, g.ny), 0}, Vec3<double>{0, 0, 1}},
                                     {g.nx, g.ny, 1});
  std::vector<mom2d::Point2> points;
  for (const auto& p : grid.points) points.push_back({p.x, p.y});
  const bool tm = s.problem.polarization == mom2d::Polarization::tm;
  io::VtkHdfWriter writer(path, grid, provenance);
  std::vector<int> regions;
  for (std::size_t w = 0; w < s.phi.size(); ++w) {
    auto field = mom2d::total_field(s, w, points, &regions);
    if (w == 0) {
      writer.static_point_array("region", std::vector<double>(regions.begin(), regions.end()), 1,
                                {"1", "0 outside, -1 in conductors, else the number of the material"});
      writer.begin_step(frequency);
    }
    if (!tm) {
      for (auto& v : field) v /= vacuum_impedance;
    }
    const std::string name = (tm ? "Ez" : "Hz") + io::excitation_suffix(w, s.phi.size());
    writer.point_array(name, field, 1, {tm ? "V/m" : "A/m", "total field of an incident wave of 1 V/m"});
  }
  writer.close();
}

/// Everything that is said about one frequency beside the files.
void report(const Solution& s, double frequency, results::ScatteringReport& waves, run::Run& run) {
  const auto& r = s.report;
  run.solver("lu", r.refinements, r.residual);
  run.solver_fact("factorisation", r.method);
  run.results()["condition"] = r.condition;
  // Fine grading makes large condition numbers that do no harm: tiny cells have tiny entries.
  const bool smooth = std::all_of(s.problem.bodies.begin(), s.problem.bodies.end(),
                                  [](const mom2d::Body& b) { return b.contour.closed && b.contour.smooth; });
  if (smooth && s.problem.equation != mom2d::Equation::cfie && r.condition > 1e7) {
    run.warn(fmt::format(
        "condition number {:.1e}: near an interior resonance, digits are lost; equation = \"cfie\" has no "
        "resonances",
        r.condition));
  }
  for (std::size_t w = 0; w < s.phi.size(); ++w) {
    const auto c = mom2d::cross_sections(s, w);
    const double inc = s.phi[w] * 180 / pi;
    const auto width = mom2d::echo_width(s, w, {s.phi[w], s.phi[w] + pi});
    waves.add({.frequency = frequency,
               .phi_inc_deg = inc,
               .polarization = s.problem.polarization == mom2d::Polarization::tm ? "tm" : "te",
               .backscatter = width[0],
               .forward = width[1],
               .sections = results::Sections{c.scattering, c.absorption, c.extinction, c.imbalance}});
    if (c.imbalance > 1e-2) {
      run.warn(fmt::format(
          "{:.6g} Hz, incidence {:g}: extinction differs from scattering + absorption by {:.1e}: too few "
          "cells or nodes, or an interior resonance",
          frequency, inc, c.imbalance));
    }
  }
}

class EchoWidthFile {
 public:
  EchoWidthFile(const std::string& path, const io::Provenance& provenance)
      : csv_(path, io::provenance_lines(provenance),
             {"frequency_hz", "phi_inc_deg", "phi_deg", "width_m", "width_dbm"}) {}
  void add(double frequency, double inc, double phi, double width) {
    csv_.row({frequency, inc, phi, width, decibel(width)});
  }
  void close() { csv_.close(); }

 private:
  io::CsvWriter csv_;
};

/// The solution of a frequency: from an interrupted run, or solved now and kept for one.
Solution solve_or_find(const mom2d::Problem& problem, const programs::Mom2dConfig& c, std::size_t number,
                       const run::FrequencySweep& sweep, run::Run& run) {
  const auto phi = radians(c.incidence_deg);
  if (auto known = sweep.find(number)) {
    Solution s = mom2d::unsolved(problem, phi);
    s.u = std::move((*known)["u"]), s.v = std::move((*known)["v"]);
    const Complex facts = (*known)["condition_and_residual"].at(0);
    s.report.method = "kept by an interrupted run";
    s.report.condition = facts.real(), s.report.residual = facts.imag();
    return s;
  }
  Solution s = mom2d::solve(problem, phi, {run.device(), c.precision, true, c.device_memory});
  const Complex facts(s.report.condition, s.report.residual);
  sweep.keep(number, {{"u", s.u}, {"v", s.v}, {"condition_and_residual", {&facts, 1}}});
  return s;
}

/// @returns the condition number of the matrix
double run_frequency(const mom2d::Problem& problem, const programs::Mom2dConfig& c, std::size_t number,
                     EchoWidthFile& bistatic, EchoWidthFile* monostatic, results::ScatteringReport& waves,
                     programs::Mom2dErrors& errors, const run::FrequencySweep& sweep, run::Run& run) {
  const double frequency = c.frequencies[number];
  const std::string suffix = c.frequencies.size() == 1 ? "" : fmt::format("_{}", number + 1);
  const auto solution = [&] {
    const auto timer = run.stage("fill and solve");
    return solve_or_find(problem, c, number, sweep, run);
  }();
  errors.add(frequency, solution);
  const InterruptHold hold;
  log::info("fill {:.3g} s, factorisation {:.3g} s ({}), solve {:.3g} s", solution.fill_seconds,
            solution.report.factor_seconds, solution.report.method, solution.report.solve_seconds);
  run.results()["fill_seconds"] = solution.fill_seconds;
  run.results()["factor_seconds"] = solution.report.factor_seconds;
  const auto timer = run.stage(run::results_stage);
  const auto& p = run.provenance();
  write_on_nodes(solution, run.output("current" + suffix + ".csv"), p, frequency, false);
  if (problem.polarization == mom2d::Polarization::te) {
    write_on_nodes(solution, run.output("charge" + suffix + ".csv"), p, frequency, true);
  }
  write_solution(solution, run.output("solution" + suffix + ".h5"), p, frequency);
  for (std::size_t w = 0; w < c.incidence_deg.size(); ++w) {
    const auto width = mom2d::echo_width(solution, w, radians(c.angles_deg));
    for (std::size_t a = 0; a < width.size(); ++a)
      bistatic.add(frequency, c.incidence_deg[w], c.angles_deg[a], width[a]);
    if (monostatic != nullptr) {
      const double back = mom2d::echo_width(solution, w, {solution.phi[w]}).front();
      monostatic->add(frequency, c.incidence_deg[w], c.incidence_deg[w], back);
    }
  }
  if (c.near_field)
    write_near_field(solution, *c.near_field, run.output("near_field" + suffix + ".vtkhdf"), p, frequency);
  report(solution, frequency, waves, run);
  return solution.report.condition;
}

/// At the speed of dense products: an entry of the matrix, of the cases of tests/scripts/time_test.py.
constexpr double entry_flops = 1000;

/// Seconds of all frequencies. Nothing outside of dry runs.
void plan_time(double unknowns, const programs::Mom2dConfig& c, const programs::Mom2dErrors& errors,
               run::Run& run) {
  if (!run.dry_run() || run.on_cuda()) return;
  const auto speed = linalg::measure_speed();
  const auto steps = double(c.frequencies.size()), columns = double(c.incidence_deg.size());
  const auto fill = [&](double n) { return entry_flops * n * n / speed.dense_flops; };
  run::plan_seconds(run, "fill", steps * fill(unknowns));
  run::plan_seconds(run, "solution", steps * linalg::dense_seconds(unknowns, columns, speed));
  if (!errors.is_wanted()) return;
  const double halved = programs::halved_growth * unknowns;
  run::plan_seconds(run, "error estimate",
                    errors.checks() * (fill(halved) + linalg::dense_seconds(halved, columns, speed)));
}

/// The library knows contours by name; which file they are in is said here.
void check_scene(const io::Config& config, const mom2d::Problem& problem) {
  try {
    mom2d::make_scene(problem);
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", config.file(), e.what()));
  }
}

void solve(const io::Config& config, run::Run& run) {
  const auto c = programs::read_mom2d_config(config, run);
  programs::Mom2dErrors errors(results::read_accuracy(config), c, run);
  // All checks before any work. Problems are made again when their turn comes: there may be many frequencies.
  mom2d::Plan largest{};
  for (const double frequency : c.frequencies) {
    const auto problem = programs::read_mom2d_problem(config, frequency, run);
    config.check_unknown_keys();
    check_scene(config, problem);
    const auto plan = mom2d::plan(problem);
    if (plan.unknowns > largest.unknowns) largest = plan;
    check_interrupt();
  }
  run.size("cells", long(largest.cells));
  run.size("unknowns", long(largest.unknowns));
  programs::plan_dense_memory(largest.unknowns, Offset(c.incidence_deg.size()), c.precision, c.device_memory,
                              linalg::EntriesMade::where_factored, run);
  if (c.near_field) {
    constexpr std::size_t bytes_per_point = 200;  // point, cell, complex field and its parts as written
    run.plan("near field", std::size_t(c.near_field->nx) * std::size_t(c.near_field->ny) * bytes_per_point);
  }
  errors.decide(long(largest.unknowns));
  plan_time(double(largest.unknowns), c, errors, run);
  if (run.dry_run()) return;

  results::ScatteringReport waves(run, results::ScatteringReport::Space::plane);
  EchoWidthFile bistatic(run.output("echo_width.csv"), run.provenance());
  std::unique_ptr<EchoWidthFile> monostatic;
  if (c.monostatic)
    monostatic = std::make_unique<EchoWidthFile>(run.output("monostatic.csv"), run.provenance());
  double condition = 0;
  run::FrequencySweep sweep(c.frequencies, run);
  sweep.each([&](std::size_t i, double f) {
    condition = run_frequency(programs::read_mom2d_problem(config, f, run), c, i, bistatic, monostatic.get(),
                              waves, errors, sweep, run);
  });
  bistatic.close();
  waves.close();
  errors.close();
  if (monostatic) monostatic->close();
  run.line(fmt::format("{} unknowns, condition {:.2e}", largest.unknowns, condition));
}

}  // namespace

int curlew::programs::mom2d(int argc, char** argv) {
  const run::AppInfo info{
      .name = "mom2d",
      .summary = "2D scattering: method of moments and locally corrected Nystroem, TM and TE.",
      .example = "mom2d configs/circle.toml --set formulation.polarization=te",
      .has_single_precision = true};
  return run::run_app(info, argc, argv, solve);
}
