// SPDX-License-Identifier: BSD-3-Clause
// fe-iiee: radiation and scattering by finite elements, truncated close to the body by the iteration with its
// own radiated field.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/log.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/output/field_grid.hpp"
#include "fem/output/solution_file.hpp"
#include "io/csv.hpp"
#include "io/far_field_files.hpp"
#include "run/mesh_input.hpp"
#include "run/run_app.hpp"
#include "truncation/checkpoint.hpp"
#include "truncation/read_truncation.hpp"

namespace {

using namespace curlew;
using truncation::TruncatedProblem;
using truncation::TruncationResult;

constexpr std::size_t most_field_columns = 4;  // excitations whose fields are written

struct Setup {
  mesh::Mesh mesh;
  mesh::Topology topology;
  fem::Model model;
  truncation::TruncationOptions options;
  std::vector<truncation::ArrivingWave> waves;
  truncation::FarFieldRequest far_field;
  std::vector<double> frequencies;
  bool write_fields = true;
};

Setup read_setup(const io::Config& config, run::Run& run) {
  Setup s;
  s.frequencies = fem::read_sweep_frequencies(config);
  s.options = truncation::read_truncation(config);
  s.options.frequency = s.frequencies.front();
  s.options.direct = fem::read_direct_options(config);
  s.options.device = run.device();
  s.waves = truncation::read_waves(config);
  s.far_field = truncation::read_far_field_request(config);
  s.write_fields = config.table("output").get_or<bool>("fields", true);
  s.mesh = run::load_mesh(config, run, mesh::MeshUse::volumes,
                          truncation::surround_arguments(config, s.frequencies));
  s.topology = mesh::build_topology(s.mesh);
  s.model = fem::read_model(config, s.mesh, s.topology, {s.options.names.outer});
  config.check_unknown_keys();
  if (s.waves.empty() && s.model.ports.empty())
    throw InputError(
        fmt::format("{}: nothing drives the problem: add [excitation] or a [[port]]", config.file()));
  if (!s.waves.empty() && !s.options.names.symmetry.empty())
    config.table("truncation").error("symmetry", "a plane wave does not share the symmetry of the body");
  return s;
}

/// Plane waves, or the excited modes of the ports.
struct Drive {
  std::vector<truncation::Excitation> excitations;
  std::vector<std::string> labels;
};

Drive make_drive(const Setup& s, const TruncatedProblem& problem, double k) {
  Drive drive;
  for (const auto& wave : s.waves) {
    drive.excitations.push_back({wave.at(k), -1});
    drive.labels.push_back(
        fmt::format("wave from theta {:g} phi {:g}, {}", wave.theta_deg, wave.phi_deg, wave.polarization));
  }
  if (!s.waves.empty()) return drive;
  const auto& modes = problem.system().modes();
  const bool any =
      std::any_of(s.model.ports.begin(), s.model.ports.end(), [](const auto& p) { return p.excite; });
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const auto& port = problem.system().ports()[std::size_t(modes[m].port)];
    if (modes[m].mode != 0 || !(port.excite || (!any && m == 0))) continue;
    drive.excitations.push_back({std::nullopt, int(m)});
    drive.labels.push_back(port.region);
  }
  return drive;
}

double degrees(double radians) {
  return radians * 180 / pi;
}

/// rcs.csv, a table of one line per wave.
class ScatteringOutput {
 public:
  ScatteringOutput(const Setup& setup, run::Run& run)
      : setup_(setup), run_(run), writer_(run.output("rcs.csv"), run.provenance()) {
    run.table(setup.far_field.monostatic ? "monostatic radar cross-section"
                                         : "largest bistatic radar cross-section",
              {"frequency GHz", "theta", "phi", "polarization", "RCS dBsm"});
  }
  void add(double frequency, const TruncatedProblem& problem, const TruncationResult& result) {
    const auto outside = problem.exterior(frequency);
    for (std::size_t c = 0; c < setup_.waves.size(); ++c) {
      const auto& wave = setup_.waves[c];
      const fields::Direction back{wave.theta_deg * pi / 180, wave.phi_deg * pi / 180};
      const auto directions = setup_.far_field.monostatic ? std::vector{back} : setup_.far_field.directions;
      const auto far = far_field_of(problem, result, c, directions, outside);
      double largest = 0;
      for (std::size_t d = 0; d < directions.size(); ++d) {
        const io::RcsRow row{frequency,
                             wave.theta_deg,
                             wave.phi_deg,
                             wave.polarization,
                             degrees(directions[d].theta),
                             degrees(directions[d].phi),
                             fields::radar_cross_section(far.e_theta[d], 1),
                             fields::radar_cross_section(far.e_phi[d], 1)};
        writer_.row(row);
        largest = std::max(largest, row.rcs_theta + row.rcs_phi);
      }
      if (c < 20)
        run_.row({fmt::format("{:.6f}", 1e-9 * frequency), fmt::format("{:g}", wave.theta_deg),
                  fmt::format("{:g}", wave.phi_deg), wave.polarization,
                  fmt::format("{:.4f}", io::power_decibel(largest))});
      auto& results = run_.results();
      if (setup_.waves.size() == 1 && setup_.frequencies.size() == 1)
        results["rcs_dbsm"] = io::power_decibel(largest);
    }
  }
  void close() { writer_.close(); }

 private:
  static fields::FarField far_field_of(const TruncatedProblem& problem, const TruncationResult& result,
                                       std::size_t column, const std::vector<fields::Direction>& directions,
                                       const fields::Exterior& outside) {
    const auto n = std::size_t(problem.inner_points().size());
    fields::SurfaceCurrents one(1, Offset(n));
    std::copy_n(&result.inner.electric[column * n], n, one.electric.begin());
    std::copy_n(&result.inner.magnetic[column * n], n, one.magnetic.begin());
    return fields::far_field(problem.inner_points(), one, directions, outside);
  }

  const Setup& setup_;
  run::Run& run_;
  io::RcsWriter writer_;
};

/// farfield.csv, directivity, gain and match of every excited port.
class RadiationOutput {
 public:
  RadiationOutput(const Setup& setup, run::Run& run)
      : setup_(setup), run_(run), writer_(run.output("farfield.csv"), run.provenance()) {
    run.table("radiation", {"frequency GHz", "port", "directivity dBi", "realised gain dBi", "|S11| dB",
                            "radiated / accepted"});
  }
  void add(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
           const Drive& drive) {
    const auto outside = problem.exterior(frequency);
    const auto& directions = setup_.far_field.directions;
    const auto far = fields::far_field(problem.inner_points(), result.inner, directions, outside);
    const auto radiated = fields::radiated_power(problem.inner_points(), result.inner);
    const auto n = std::size_t(problem.system().space().num_dofs());
    for (std::size_t c = 0; c < drive.excitations.size(); ++c) {
      const int mode = drive.excitations[c].mode;
      const auto waves = problem.system().outgoing(&result.x[c * n], mode,
                                                   std::ldexp(1.0, -int(problem.surfaces().planes.size())));
      double accepted = 1;  // of 1 W
      for (const Complex s : waves) accepted -= std::norm(s);
      double largest = 0;
      for (std::size_t d = 0; d < directions.size(); ++d) {
        const Complex t = far.e_theta[c * directions.size() + d], p = far.e_phi[c * directions.size() + d];
        const double directivity = fields::directivity(t, p, radiated[c], outside.impedance);
        writer_.row({frequency, drive.labels[c], degrees(directions[d].theta), degrees(directions[d].phi), t,
                     p, directivity, fields::directivity(t, p, accepted, outside.impedance),
                     fields::directivity(t, p, 1, outside.impedance), fields::axial_ratio_db(t, p)});
        largest = std::max(largest, directivity);
      }
      report(frequency, drive.labels[c], largest, radiated[c], accepted, waves[std::size_t(mode)]);
    }
  }
  void close() { writer_.close(); }

 private:
  void report(double frequency, const std::string& port, double directivity, double radiated, double accepted,
              Complex reflection) {
    run_.row({fmt::format("{:.6f}", 1e-9 * frequency), port,
              fmt::format("{:.4f}", io::power_decibel(directivity)),
              fmt::format("{:.4f}", io::power_decibel(directivity * radiated)),
              fmt::format("{:.3f}", io::power_decibel(std::norm(reflection))),
              fmt::format("{:.5f}", radiated / accepted)});
    auto& results = run_.results();
    nlohmann::json row{{"frequency_hz", frequency},
                       {"port", port},
                       {"directivity_dbi", io::power_decibel(directivity)},
                       {"s11_db", io::power_decibel(std::norm(reflection))},
                       {"radiated_w", radiated},
                       {"accepted_w", accepted}};
    if (setup_.frequencies.size() == 1)
      for (const char* key : {"directivity_dbi", "s11_db"}) results[key] = row[key];
    results["radiation"].push_back(row);
    if (setup_.model.is_lossless() && std::abs(radiated / accepted - 1) > 0.03)
      run_.warn(fmt::format(
          "port \"{}\" of a lossless structure accepts {:.5g} W and radiates {:.5g} W: the mesh is "
          "too coarse at the port or on the inner surface",
          port, accepted, radiated));
  }

  const Setup& setup_;
  run::Run& run_;
  io::FarFieldWriter writer_;
};

/// E and H inside S, a step per frequency.
class FieldOutput {
 public:
  FieldOutput(const Setup& setup, const TruncatedProblem& problem, run::Run& run)
      : setup_(setup),
        space_(problem.system().space()),
        grid_(space_, materials(setup.frequencies[0])),
        writer_(run.output("fields.vtkhdf"), grid_.grid(), run.provenance()) {
    writer_.static_cell_array("epsilon_r", grid_.cell_permittivity(materials(setup.frequencies[0])), 1,
                              {"1", "real part of epsilon_r"});
  }
  void add(double frequency, const TruncationResult& result, const Drive& drive) {
    writer_.begin_step(frequency);
    const std::size_t count = std::min(drive.labels.size(), most_field_columns);
    for (std::size_t c = 0; c < count; ++c) {
      const auto fields = grid_.evaluate(&result.x[c * std::size_t(space_.num_dofs())], materials(frequency),
                                         2 * pi * frequency);
      const std::string suffix = drive.labels.size() == 1 ? "" : fmt::format("_{}", c + 1);
      writer_.point_array("E" + suffix, fields.e, 3, {"V/m", "total electric field, " + drive.labels[c]});
      writer_.point_array("H" + suffix, fields.h, 3, {"A/m", "total magnetic field, " + drive.labels[c]});
    }
  }
  void close() { writer_.close(); }

 private:
  fem::CellMaterials materials(double f) const { return fem::materials_at(setup_.model, setup_.mesh, f); }

  const Setup& setup_;
  const fem::NedelecSpace& space_;
  fem::FieldGrid grid_;
  io::VtkHdfWriter writer_;
};

/// Keeps the state of the iteration, so that an interrupted run can go on.
class Checkpoints {
 public:
  explicit Checkpoints(run::Run& run)
      : run_(run), path_((std::filesystem::path(run.output_path()) / "checkpoint.h5").string()) {
    if (run.resume()) found_ = truncation::read_checkpoint(path_, run.inputs_hash());
    if (found_) log::info("goes on from {}", path_);
  }
  std::vector<Complex> start(double frequency, std::size_t size) const {
    return found_ && found_->frequency == frequency && found_->interface.size() == size ? found_->interface : std::vector<Complex>();
  }
  void write(double frequency, std::vector<Complex> interface) const {
    truncation::write_checkpoint(path_, {run_.inputs_hash(), frequency, std::move(interface)});
  }
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

 private:
  run::Run& run_;
  std::string path_;
  std::optional<truncation::Checkpoint> found_;
};

TruncationResult solve_one(TruncatedProblem& problem, const Drive& drive, double frequency,
                           const Checkpoints& checkpoints, io::CsvWriter& history) {
  Timer since_written;
  const auto observer = [&](int iterations, double error,
                            const std::function<std::vector<Complex>()>& current) {
    log::info("iteration {}: error {:.2e}", iterations, error);
    history.row({frequency, iterations, error});
    try {
      check_interrupt();
    } catch (const Interrupted&) {
      checkpoints.write(frequency, current());
      throw;
    }
    if (since_written.seconds() < 60) return;
    checkpoints.write(frequency, current());
    since_written.restart();
  };
  const auto size = std::size_t(problem.interface_size()) * drive.excitations.size();
  return problem.solve(frequency, drive.excitations, checkpoints.start(frequency, size), observer);
}

/// What the two surfaces disagree on is the error that the open region adds.
void certify(const Setup& setup, const TruncatedProblem& problem, const TruncationResult& result,
             double frequency, run::Run& run) {
  const auto outside = problem.exterior(frequency);
  const auto inner =
      fields::far_field(problem.inner_points(), result.inner, setup.far_field.directions, outside);
  const auto outer =
      fields::far_field(problem.outer_points(), result.outer, setup.far_field.directions, outside);
  const double difference = truncation::mismatch(inner, outer);
  run.results()["truncation"].push_back({{"frequency_hz", frequency},
                                         {"iterations", result.iteration.iterations},
                                         {"converged", result.iteration.converged},
                                         {"true_residual", result.iteration.true_residual},
                                         {"open_region_error", difference}});
  run.line(fmt::format(
      "{:.6g} GHz: {} iterations, residual {:.1e}; far fields of the inner and the outer surface "
      "differ by {:.2g} %",
      1e-9 * frequency, result.iteration.iterations, result.iteration.true_residual, 100 * difference));
}

void state_sizes(const Setup& s, const TruncatedProblem& problem, run::Run& run) {
  const auto& surfaces = problem.surfaces();
  run.size("cells", s.mesh.num_cells());
  run.size("unknowns", problem.system().space().num_dofs());
  run.size("nonzeros", long(problem.system().nnz()));
  run.size("inner_triangles", long(surfaces.inner.size()));
  run.size("outer_triangles", long(surfaces.outer.size()));
  run.size("source_points", long(problem.inner_points().size()));
  run.size("observation_points", long(problem.num_observers()));
  const double wavelength = speed_of_light / s.frequencies.back();
  log::info("{} cells, order {}, {} unknowns; {} triangles on \"{}\", {} on \"{}\", {:.3g} wavelengths apart",
            s.mesh.num_cells(), s.model.order, problem.system().space().num_dofs(), surfaces.inner.size(),
            s.options.names.inner, surfaces.outer.size(), s.options.names.outer,
            surfaces.distance / wavelength);
  if (!surfaces.is_convex)
    run.warn(
        fmt::format("the outer surface \"{}\" is not convex: the iteration may converge slowly or not at all",
                    s.options.names.outer));
}

void solve_all(const Setup& setup, TruncatedProblem& problem, run::Run& run) {
  const Checkpoints checkpoints(run);
  io::CsvWriter history(run.output("history.csv"), io::provenance_lines(run.provenance()),
                        {"frequency_hz", "iteration", "error"});
  std::unique_ptr<ScatteringOutput> scattering;
  std::unique_ptr<RadiationOutput> radiation;
  std::unique_ptr<FieldOutput> fields;
  if (setup.waves.empty())
    radiation = std::make_unique<RadiationOutput>(setup, run);
  else
    scattering = std::make_unique<ScatteringOutput>(setup, run);
  if (setup.write_fields) fields = std::make_unique<FieldOutput>(setup, problem, run);
  fem::SolutionFile solution(run.output("solution.h5"), problem.system().space(), setup.mesh,
                             run.provenance());
  bool all_converged = true;
  for (const double frequency : setup.frequencies) {
    const Drive drive = make_drive(setup, problem, problem.exterior(frequency).k);
    TruncationResult result;
    {
      const auto timer = run.stage("truncation");
      result = solve_one(problem, drive, frequency, checkpoints, history);
    }
    run.solver("direct", result.iteration.iterations, result.iteration.true_residual,
               result.iteration.converged);
    const auto timer = run.stage("results");
    all_converged = all_converged && result.iteration.converged;
    if (scattering) scattering->add(frequency, problem, result);
    if (radiation) radiation->add(frequency, problem, result, drive);
    if (fields) fields->add(frequency, result, drive);
    for (std::size_t c = 0; c < drive.labels.size(); ++c)
      solution.add(frequency, drive.labels[c],
                   &result.x[c * std::size_t(problem.system().space().num_dofs())]);
    certify(setup, problem, result, frequency, run);
    if (!result.iteration.converged)
      throw NumericalError(fmt::format(
          "the truncation did not converge in {} iterations: error {:.2e}, asked {:.2e} "
          "(truncation.max_iterations)",
          result.iteration.iterations, result.iteration.history.back(), setup.options.iteration.tolerance));
  }
  for (const auto& [name, seconds] : problem.stages().all()) run.solver_fact(name + "_seconds", seconds);
  history.close();
  solution.close();
  if (scattering) scattering->close();
  if (radiation) radiation->close();
  if (fields) fields->close();
  checkpoints.remove();
}

void solve(const io::Config& config, run::Run& run) {
  const Setup setup = read_setup(config, run);
  TruncatedProblem problem(setup.mesh, setup.topology, setup.model, setup.options);
  for (const double f : setup.frequencies) problem.system().check_ports(f);
  state_sizes(setup, problem, run);
  {
    const auto timer = run.stage("analysis");
    problem.system().analyse();
  }
  run.plan("factorisation", problem.system().solver_info().estimated_bytes);
  if (run.dry_run()) return;
  solve_all(setup, problem, run);
}

}  // namespace

int main(int argc, char** argv) {
  return run::run_app(
      {.name = "fe-iiee",
       .summary = "Radiation and scattering by finite elements, truncated close to the body by the "
                  "iteration with its own radiated field.",
       .example = "fe-iiee configs/sphere_in_air.toml --set truncation.tolerance=1e-5"},
      argc, argv, solve);
}
