// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "fields/far_field.hpp"
#include "ie/accelerated/radiation.hpp"
#include "ie/near_field.hpp"
#include "ie/volume/volume_system.hpp"
#include "io/array_names.hpp"
#include "io/far_field_files.hpp"
#include "programs/ie/accelerated.hpp"
#include "programs/ie/radiated_near_field.hpp"
#include "results/scattering_report.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::programs {
namespace {

/// States sizes and memory; settles dense or accelerated.
void plan_solve(const AcceleratedSolution& s, AcceleratedConfig& c, run::Run& run) {
  // Below a few thousand unknowns the matrix is made and factored faster than an operator is set up.
  const bool small = s.system.sources.num_cols <= 3000;
  c.options.method = c.method.value_or(small ? ie::Method::dense : ie::Method::accelerated);
  run.size("unknowns", long(s.system.sources.num_cols));
  run.size("elements", long(s.system.elements.size()));
  const auto bytes = ie::estimate_bytes(s.system, c.options, Index(c.waves.size()));
  const bool dense = c.options.method == ie::Method::dense;
  if (run.on_cuda() && !dense)
    run.plan_device("accelerated operator", bytes);
  else
    run.plan(dense ? "matrix and factors" : "accelerated operator", bytes);
}

/// @throws NumericalError if the iteration does not converge
void solve_waves(AcceleratedSolution& s, const AcceleratedConfig& c, run::Run& run) {
  const auto n = std::size_t(s.system.sources.num_cols);
  std::vector<Complex> b;
  for (const auto& wave : c.waves) {
    const auto rhs = ie::test_field(s.system, [&](Vec3<double> r) { return wave.wave.electric(s.k, r); });
    b.insert(b.end(), rhs.begin(), rhs.end());
  }
  s.x.resize(n * c.waves.size());
  const auto report = ie::solve_system(s.system, c.options, b.data(), s.x.data(), Index(c.waves.size()));
  auto& results = run.results();
  for (const auto& [name, seconds] : report.set_up) {
    log::info("{}: {:.3g} s", name, seconds);
    results["set_up_seconds"][name] = seconds;
  }
  for (const auto& [name, seconds] : report.product) results["product_seconds"][name] = seconds;
  results["solve_seconds"] = report.solve_seconds;
  results["operator_bytes"] = report.bytes;
  results["points"] = report.num_points;
  results["near_pairs"] = report.num_near_pairs;
  if (!report.dense_method.empty()) {
    run.solver("lu", 0, report.residual);
    run.solver_fact("factorisation", report.dense_method);
  }
  for (const auto& r : report.krylov) {
    run.solver(linalg::name_of(c.options.krylov.method), r.iterations, r.relative_residual, r.converged());
    results["iterations"] = r.iterations;
    if (!r.converged()) throw NumericalError(r.message(c.options.krylov));
  }
  log::info("solved in {:.3g} s", report.solve_seconds);
}

results::ScatteredWave add_pattern(const AcceleratedSolution& s, const AcceleratedConfig& c,
                                   const NamedWave& wave, const ie::RadiatingPoints& currents,
                                   io::RcsWriter& rcs) {
  std::vector<fields::Direction> directions;
  for (const double phi : c.phi_deg)
    for (const double theta : c.theta_deg) directions.push_back({theta * pi / 180, phi * pi / 180});
  std::vector<Vec3<double>> radial;
  radial.reserve(directions.size());
  for (const auto& d : directions) radial.push_back(d.radial());
  const auto e = ie::far_fields(currents, s.k, -s.system.vector_factor, radial);
  std::vector<io::RcsRow> rows;
  for (const double phi : c.phi_deg) {
    for (const double theta : c.theta_deg) {
      const auto& d = directions[rows.size()];
      const auto& field = e[rows.size()];
      rows.push_back({s.frequency, wave.theta_deg, wave.phi_deg, wave.polarization, theta, phi,
                      4 * pi * std::norm(dot(d.theta_unit(), field)),
                      4 * pi * std::norm(dot(d.phi_unit(), field))});
      rcs.row(rows.back());
    }
  }
  return results::wave_of_rows(rows);
}

/// @param absorption [m^2] of wave w: writes its pattern, reports it, and warns where power does not balance
void report_wave(const AcceleratedSolution& s, const AcceleratedConfig& c, std::size_t w, double absorption,
                 io::RcsWriter& rcs_file, results::ScatteringReport& report, run::Run& run) {
  const auto& wave = c.waves[w];
  // One point an element, as in the sums of the products: cells are small against the wavelength.
  const auto currents = ie::radiating_points(s.system, s.of(w), s.system.elements.size() > 50000 ? 1 : 2);
  auto scattered = add_pattern(s, c, wave, currents, rcs_file);
  const auto e0 = wave.wave.electric_direction();
  const auto travel = wave.wave.direction();
  const auto q =
      ie::scattering_sections(currents, s.k, -s.system.vector_factor, travel, {e0.x, e0.y, e0.z}, absorption);
  const auto rcs = [&](Vec3<double> u) {
    const auto e = ie::far_field(currents, s.k, -s.system.vector_factor, u);
    return 4 * pi * (std::norm(e.x) + std::norm(e.y) + std::norm(e.z));
  };
  scattered.backscatter = rcs(-travel), scattered.forward = rcs(travel);
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
