// SPDX-License-Identifier: BSD-3-Clause
#include "programs/mom2d/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/decibel.hpp"
#include "base/log.hpp"
#include "io/array_names.hpp"
#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "io/vtkhdf.hpp"
#include "mom2d/far_field.hpp"
#include "mom2d/near_field.hpp"
#include "results/scattering_report.hpp"

namespace curlew::programs {
namespace {

using mom2d::Solution;

class Mom2dSink : public job::Sink<Solution> {
 public:
  Mom2dSink(const Mom2dCase& c, run::Run& run) : case_(c), run_(run) {}

 protected:
  /// Path of a file of one frequency among all.
  std::string path(const char* name, const char* ending, std::size_t number) const {
    return run_.output(case_.frequencies.size() == 1 ? fmt::format("{}{}", name, ending)
                                                     : fmt::format("{}_{}{}", name, number + 1, ending));
  }

  const Mom2dCase& case_;
  run::Run& run_;
};

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

class OnNodes : public Mom2dSink {
 public:
  using Mom2dSink::Mom2dSink;
  void add(std::size_t number, double frequency, const Solution& s) override {
    const auto& p = run_.provenance();
    write_on_nodes(s, path("current", ".csv", number), p, frequency, false);
    if (s.problem.polarization == mom2d::Polarization::te)
      write_on_nodes(s, path("charge", ".csv", number), p, frequency, true);
  }
};

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
  file.write("weight", s.nodes.weight, {"m", "arc length of each point"});
  file.write("phi_inc", s.phi, {"rad", "directions from which the waves come"});
  file.close();
}

class SolutionFile : public Mom2dSink {
 public:
  using Mom2dSink::Mom2dSink;
  void add(std::size_t number, double frequency, const Solution& s) override {
    write_solution(s, path("solution", ".h5", number), run_.provenance(), frequency);
  }
};

void write_near_field(const Solution& s, const NearFieldGrid& g, const std::string& path,
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

class NearFields : public Mom2dSink {
 public:
  using Mom2dSink::Mom2dSink;
  void plan(const job::Plan&) override {
    constexpr std::size_t bytes_per_point = 200;  // point, cell, complex field and its parts as written
    run_.plan("near field",
              std::size_t(case_.near_field->nx) * std::size_t(case_.near_field->ny) * bytes_per_point);
  }
  void add(std::size_t number, double frequency, const Solution& s) override {
    write_near_field(s, *case_.near_field, path("near_field", ".vtkhdf", number), run_.provenance(),
                     frequency);
  }
};

/// echo_width.csv, and monostatic.csv where it is asked for.
class EchoWidths : public Mom2dSink {
 public:
  using Mom2dSink::Mom2dSink;
  void open() override {
    files_.push_back(file("echo_width.csv"));
    if (case_.monostatic) files_.push_back(file("monostatic.csv"));
  }
  void add(std::size_t, double frequency, const Solution& s) override {
    std::vector<double> angles;
    for (const double a : case_.angles_deg) angles.push_back(a * pi / 180);
    for (std::size_t w = 0; w < case_.incidence_deg.size(); ++w) {
      const double inc = case_.incidence_deg[w];
      const auto width = mom2d::echo_width(s, w, angles);
      for (std::size_t a = 0; a < width.size(); ++a)
        row(files_[0], {frequency, inc, case_.angles_deg[a], width[a]});
      if (case_.monostatic)
        row(files_[1], {frequency, inc, inc, mom2d::echo_width(s, w, {s.phi[w]}).front()});
    }
  }
  void close() override {
    for (auto& file : files_) file.close();
  }

 private:
  struct Row {
    double frequency, inc, phi, width;
  };
  io::CsvWriter file(const std::string& name) {
    return {run_.output(name),
            io::provenance_lines(run_.provenance()),
            {"frequency_hz", "phi_inc_deg", "phi_deg", "width_m", "width_dbm"}};
  }
  static void row(io::CsvWriter& csv, const Row& r) {
    csv.row({r.frequency, r.inc, r.phi, r.width, power_decibel(r.width)});
  }

  std::vector<io::CsvWriter> files_;
};

void warn_of_resonance(const Solution& s, double frequency, run::Run& run) {
  const double inside = field_inside(s);
  if (inside <= most_inside) return;
  const char* equation = s.problem.equation == mom2d::Equation::efie ? "efie" : "mfie";
  run.warn(fmt::format(
      "{:.6g} Hz: the field inside a closed conductor is {:.2g} of the incident wave, where it should be 0: "
      "currents and far fields are wrong. Near a resonance of the inside equation = \"{}\" has no unique "
      "solution: take \"cfie\"; else take more cells or nodes",
      frequency, inside, equation));
}

/// Reports of one frequency in addition to files.
void report(const Solution& s, double frequency, results::ScatteringReport& waves, run::Run& run) {
  warn_of_resonance(s, frequency, run);
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

class Told : public Mom2dSink {
 public:
  Told(const Mom2dCase& c, run::Run& run)
      : Mom2dSink(c, run), waves_(run, results::ScatteringReport::Space::plane) {}
  void add(std::size_t, double frequency, const Solution& s) override {
    if (!s.report.method.empty()) state_solver(s);
    report(s, frequency, waves_, run_);
    unknowns_ = std::max(unknowns_, s.system.size);
  }
  void close() override {
    waves_.close();
    run_.line(fmt::format("{} unknowns, condition {:.2e}", unknowns_, condition_));
  }

 private:
  /// Only for full solutions of an adaptive sweep.
  void state_solver(const Solution& s) {
    const auto& r = s.report;
    log::info("fill {:.3g} s, factorisation {:.3g} s ({}), solve {:.3g} s", s.fill_seconds, r.factor_seconds,
              r.method, r.solve_seconds);
    run_.solver("lu", r.refinements, r.residual);
    run_.solver_fact("factorisation", r.method);
    run_.results()["fill_seconds"] = s.fill_seconds;
    run_.results()["factor_seconds"] = r.factor_seconds;
    run_.results()["condition"] = condition_ = r.condition;
  }

  results::ScatteringReport waves_;
  double condition_ = 0;
  Offset unknowns_ = 0;
};

}  // namespace

double field_inside(const Solution& s) {
  double inside = 0;
  if (s.problem.equation != mom2d::Equation::cfie)
    for (std::size_t w = 0; w < s.phi.size(); ++w)
      inside = std::max(inside, mom2d::field_in_conductors(s, w));
  return inside;
}

job::Sinks<Solution> mom2d_sinks(const Mom2dCase& c, const ContourBars& passes, run::Run& run) {
  job::Sinks<Solution> sinks;
  sinks.push_back(std::make_unique<OnNodes>(c, run));
  sinks.push_back(std::make_unique<SolutionFile>(c, run));
  sinks.push_back(std::make_unique<EchoWidths>(c, run));
  if (c.near_field) sinks.push_back(std::make_unique<NearFields>(c, run));
  sinks.push_back(std::make_unique<Told>(c, run));
  sinks.push_back(mom2d_errors(c, passes, run));
  return sinks;
}

}  // namespace curlew::programs
