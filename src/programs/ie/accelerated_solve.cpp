// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "fields/far_field.hpp"
#include "ie/results/cross_sections.hpp"
#include "ie/results/near_field.hpp"
#include "ie/volume/volume_system.hpp"
#include "io/array_names.hpp"
#include "io/far_field_files.hpp"
#include "programs/ie/accelerated.hpp"
#include "programs/ie/radiated_near_field.hpp"
#include "results/scattering_report.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::programs {
namespace {

ie::MixedPotentialEquation equation_of(const AcceleratedSolution& s, const AcceleratedConfig& c) {
  return ie::MixedPotentialEquation(s.system, c.integration, c.charge_steps);
}

/// States sizes and memory; settles dense or accelerated.
void plan_solve(const AcceleratedSolution& s, AcceleratedConfig& c, run::Run& run) {
  // Below a few thousand unknowns the matrix is made and factored faster than an operator is set up.
  c.options.direct = c.direct.value_or(s.system.num_unknowns() <= 3000);
  run.size("unknowns", long(s.system.num_unknowns()));
  run.size("elements", long(s.system.elements.size()));
  const auto equation = equation_of(s, c);
  if (c.options.uses_device())
    run.plan_device("accelerated operator", ie::estimate_device_bytes(equation, c.options));
  else
    run.plan(c.options.direct ? "matrix and factors" : "accelerated operator",
             ie::estimate_bytes(equation, c.options, Index(c.waves.size())));
}

/// @throws NumericalError if the iteration does not converge
void solve_waves(AcceleratedSolution& s, const AcceleratedConfig& c, run::Run& run) {
  s.x.clear();
  for (const auto& wave : c.waves) {
    const auto rhs = ie::test_field(s.system, [&](Vec3<double> r) { return wave.wave.electric(s.k, r); });
    s.x.insert(s.x.end(), rhs.begin(), rhs.end());
  }
  const auto report = ie::solve(equation_of(s, c), c.options, s.x, Index(c.waves.size()));
  auto& results = run.results();
  for (const auto& [name, seconds] : report.set_up) {
    log::info("{}: {:.3g} s", name, seconds);
    results["set_up_seconds"][name] = seconds;
  }
  for (const auto& [name, seconds] : report.product) results["product_seconds"][name] = seconds;
  results["fill_seconds"] = report.fill_seconds;
  results["solve_seconds"] = report.solve_seconds;
  results["operator_bytes"] = report.bytes;
  results["points"] = report.num_points;
  results["near_pairs"] = report.near_entries;
  if (c.options.direct) {
    run.solver("lu", 0, report.residual);
    run.solver_fact("factorisation", report.method);
  }
  for (const auto& r : report.krylov) {
    run.solver(report.method, r.iterations, r.relative_residual, r.converged());
    results["iterations"] = r.iterations;
    if (!r.converged()) throw NumericalError(r.message(c.options.krylov));
  }
  log::info("solved in {:.3g} s", report.solve_seconds);
}

results::ScatteredWave add_pattern(const AcceleratedSolution& s, const AcceleratedConfig& c, std::size_t w,
                                   const ie::FarFields& fields, io::RcsWriter& rcs) {
  std::vector<fields::Direction> directions;
  for (const double phi : c.phi_deg)
    for (const double theta : c.theta_deg) directions.push_back({theta * pi / 180, phi * pi / 180});
  const auto far = fields.pattern(s.of(w), 1, directions);
  const auto& wave = c.waves[w];
  std::vector<io::RcsRow> rows;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    rows.push_back({s.frequency, wave.theta_deg, wave.phi_deg, wave.polarization,
                    c.theta_deg[i % c.theta_deg.size()], c.phi_deg[i / c.theta_deg.size()],
                    fields::radar_cross_section(far.e_theta[i], 1),
                    fields::radar_cross_section(far.e_phi[i], 1)});
    rcs.row(rows.back());
  }
  return results::wave_of_rows(rows);
}

/// @param absorption [m^2] of wave w: writes its pattern, reports it, and warns where power does not balance
void report_wave(const AcceleratedSolution& s, const AcceleratedConfig& c, std::size_t w, double absorption,
                 io::RcsWriter& rcs_file, results::ScatteringReport& report, run::Run& run) {
  const auto& wave = c.waves[w];
  // One point an element, as in the sums of the products: cells are small against the wavelength.
  const ie::FarFields fields(ie::radiating_points(s.system, s.system.elements.size() > 50000 ? 1 : 2));
  auto scattered = add_pattern(s, c, w, fields, rcs_file);
  const auto q = ie::cross_sections(fields, s.of(w), std::span(&wave.wave, 1), std::span(&absorption, 1))[0];
  const auto travel = wave.wave.direction();
  const fields::Direction ends[] = {
      {wave.wave.theta, wave.wave.phi},
      {std::acos(std::clamp(travel.z, -1.0, 1.0)), std::atan2(travel.y, travel.x)}};
  const auto far = fields.pattern(s.of(w), 1, ends);
  const auto rcs = [&](std::size_t i) {
    return fields::radar_cross_section(far.e_theta[i], 1) + fields::radar_cross_section(far.e_phi[i], 1);
  };
  scattered.backscatter = rcs(0), scattered.forward = rcs(1);
  scattered.sections = {q.scattering, q.absorption, q.extinction, q.imbalance()};
  report.add(scattered);
  if (q.imbalance() > 0.03) {
    run.warn(fmt::format(
        "{:.6g} Hz: extinction differs from scattering + absorption by {:.1e} of it: a finer mesh, or "
        "smaller acceleration.tolerance and integration_accuracy",
        s.frequency, q.imbalance()));
  }
}

/// Files that hold all frequencies, and the one of each.
class Files {
 public:
  Files(const AcceleratedConfig& config, const AcceleratedEquation& equation, run::Run& run)
      : config_(config),
        equation_(equation),
        run_(run),
        rcs_(run.output("rcs.csv"), run.provenance()),
        report_(run) {
    if (config.fields)
      fields_ = std::make_unique<io::VtkHdfWriter>(run.output(equation.fields_name()), equation.grid(),
                                                   run.provenance());
    const auto points = io::near_field_points(config.near_fields);
    if (!points.empty())
      near_ =
          std::make_unique<RadiatedFieldOutput>(config.near_fields, std::vector<int>(points.size(), 0), run);
  }
  void write(const AcceleratedSolution& s) {
    for (std::size_t w = 0; w < config_.waves.size(); ++w)
      report_wave(s, config_, w, equation_.absorption(w), rcs_, report_, run_);
    if (fields_) {
      fields_->begin_step(s.frequency);
      equation_.write_fields(config_.waves.size(), *fields_);
    }
    if (near_) add_near_fields(s);
    ++steps_;
    const std::string suffix = config_.frequencies.size() == 1 ? "" : fmt::format("_{}", steps_);
    auto file = io::H5File::create(run_.output("solution" + suffix + ".h5"));
    file.write_provenance(run_.provenance(), equation_.format(), 1);
    file.set_attribute("frequency_hz", s.frequency);
    file.write("x", s.x, equation_.unknowns(),
               {std::uint64_t(config_.waves.size()), std::uint64_t(s.system.sources.num_cols)});
    equation_.write_more(file);
    file.close();
  }
  void close() {
    rcs_.close();
    report_.close();
    if (fields_) fields_->close();
    if (near_) near_->close();
  }

 private:
  void add_near_fields(const AcceleratedSolution& s) {
    near_->begin_step(s.frequency);
    for (std::size_t w = 0; w < config_.waves.size(); ++w) {
      const auto& wave = config_.waves[w];
      near_->add_scattered(wave.label(), io::excitation_suffix(w, config_.waves.size()),
                           ie::radiated_field(s.system, s.of(w), near_->points(), run_.device()),
                           [&](auto r) { return wave.wave.at(r, s.k); });
    }
  }

  const AcceleratedConfig& config_;
  const AcceleratedEquation& equation_;
  run::Run& run_;
  io::RcsWriter rcs_;
  results::ScatteringReport report_;
  std::unique_ptr<io::VtkHdfWriter> fields_;
  std::unique_ptr<RadiatedFieldOutput> near_;
  int steps_ = 0;
};

}  // namespace

void solve_frequencies(AcceleratedConfig& config, AcceleratedEquation& equation, run::Run& run) {
  std::unique_ptr<Files> files;
  if (run.dry_run()) {
    for (const double frequency : config.frequencies)
      plan_solve(equation.prepare(frequency, run), config, run);
    return;
  }
  run::FrequencySweep sweep(config.frequencies, run);
  sweep.each([&](std::size_t number, double frequency) {
    auto& solution = [&]() -> AcceleratedSolution& {
      const auto timer = run.stage("basis");
      return equation.prepare(frequency, run);
    }();
    plan_solve(solution, config, run);
    if (auto known = sweep.find(number)) {
      solution.x = std::move((*known)["x"]);
    } else {
      const auto timer = run.stage("fill and solve");
      solve_waves(solution, config, run);
      sweep.keep(number, {{"x", solution.x}});
    }
    const InterruptHold hold;
    const auto timer = run.stage("fields and files");
    if (!files) files = std::make_unique<Files>(config, equation, run);
    files->write(solution);
  });
  if (files) files->close();
}

}  // namespace curlew::programs
