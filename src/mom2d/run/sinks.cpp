// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/run/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/decibel.hpp"
#include "base/hertz.hpp"
#include "base/log.hpp"
#include "io/csv.hpp"
#include "mom2d/far_field.hpp"
#include "mom2d/near_field.hpp"
#include "mom2d/rounding.hpp"
#include "results/scattering_report.hpp"

namespace curlew::mom2d {
namespace {

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
class OnNodes : public Mom2dSink {
 public:
  using Mom2dSink::Mom2dSink;
  void add(std::size_t number, double frequency, const Solution& s) override {
    const auto& p = run_.provenance();
    write_currents(s, path("current", ".csv", number), p, frequency);
    if (s.problem.polarization == Polarization::te)
      write_charges(s, path("charge", ".csv", number), p, frequency);
  }
};

class SolutionFile : public Mom2dSink {
 public:
  using Mom2dSink::Mom2dSink;
  void add(std::size_t number, double frequency, const Solution& s) override {
    write_solution(s, path("solution", ".h5", number), run_.provenance(), frequency);
  }
};

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
      const auto width = echo_width(s, w, angles);
      for (std::size_t a = 0; a < width.size(); ++a)
        row(files_[0], {frequency, inc, case_.angles_deg[a], width[a]});
      if (case_.monostatic) row(files_[1], {frequency, inc, inc, echo_width(s, w, {s.phi[w]}).front()});
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
  const char* equation = s.problem.equation == Equation::efie ? "efie" : "mfie";
  run.warn(fmt::format(
      "{}: the field inside a closed conductor is {:.2g} of the incident wave, where it should be 0: "
      "currents and far fields are wrong. Near an interior resonance equation = \"{}\" has no unique "
      "solution: take \"cfie\"; else take more cells or nodes",
      hertz(frequency), inside, equation));
}

/// Reports of one frequency in addition to files.
void report(const Solution& s, double frequency, results::ScatteringReport& waves, run::Run& run) {
  warn_of_resonance(s, frequency, run);
  for (std::size_t w = 0; w < s.phi.size(); ++w) {
    const auto c = cross_sections(s, w);
    const double inc = s.phi[w] * 180 / pi;
    const auto width = echo_width(s, w, {s.phi[w], s.phi[w] + pi});
    waves.add({.frequency = frequency,
               .phi_inc_deg = inc,
               .polarization = s.problem.polarization == Polarization::tm ? "tm" : "te",
               .backscatter = width[0],
               .forward = width[1],
               .sections = results::Sections{c.scattering, c.absorption, c.extinction, c.imbalance}});
    // Of bodies far below the wavelength the imaginary part of the amplitude is less than its rounding error.
    if (c.imbalance > 1e-2 &&
        s.problem.wavenumber * c.imbalance * std::abs(c.extinction) > rounding_error(s, w)) {
      run.warn(fmt::format(
          "{}, incidence {:g}: extinction differs from scattering + absorption by {:.1e}: too few "
          "cells or nodes, or an interior resonance",
          hertz(frequency), inc, c.imbalance));
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
  if (s.problem.equation != Equation::cfie)
    for (std::size_t w = 0; w < s.phi.size(); ++w) inside = std::max(inside, field_in_conductors(s, w));
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

}  // namespace curlew::mom2d
