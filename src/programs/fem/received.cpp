// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/received.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "fem/driven/port_network.hpp"
#include "fem/open/total_scattered_source.hpp"
#include "programs/fem/cut_ports.hpp"
#include "results/cells.hpp"

namespace curlew::programs {
namespace {

std::vector<std::string> comments(const run::Run& run) {
  auto lines = io::provenance_lines(run.provenance());
  lines.push_back("outgoing power waves b at matched ports, in sqrt W: |b|^2 is the power that leaves");
  return lines;
}

}  // namespace

ReceivedOutput::ReceivedOutput(const io::Config& config, MaxwellSetup& setup)
    : excitations_(fem::read_excitations(config, setup.mesh)) {
  fem::check_excitations(config, excitations_, setup.model, setup.mesh);
  if (has_waves() && !setup.symmetry.planes.empty())
    config.error("symmetry", "a plane wave that [[port]]s receive needs the whole body: model all of it");
  if (!excitations_.empty()) require_stated_planes(config, setup);
  fem::apply_symmetry(config, setup.symmetry, setup.mesh, excitations_);
  for (const auto& e : excitations_)
    if (e.formulation == fem::Formulation::scattered)
      config.error("excitation",
                   "formulation = \"scattered\" is for problems without [[port]]: take \"total\"");
  if (excitations_.empty()) return;
  if (!setup.model.periodicity.empty())
    config.error("excitation", "waves come to [[periodic]] faces through [[port]] type = \"floquet\"");
  if (!has_waves()) return;
  fem::FarFieldRequest request;
  fem::choose_surface(request, setup.model, setup.mesh, setup.topology);
  entrance_ = request.surface;
}

bool ReceivedOutput::has_waves() const {
  return std::any_of(excitations_.begin(), excitations_.end(), [](const auto& e) { return e.wave; });
}

std::vector<Complex> ReceivedOutput::loads(const fem::DrivenProblem& problem, double frequency) {
  const auto& space = problem.space();
  if (has_waves() && !surface_) surface_ = fem::make_radiating_surface(space, problem.model(), entrance_);
  std::vector<Complex> all;
  for (const auto& e : excitations_) {
    std::vector<Complex> b(std::size_t(space.num_dofs()));
    if (e.wave) {
      b = fem::wave_load(space, *surface_, *e.wave, wavenumber(frequency));
    } else {
      fem::add_current_load(space, e, b.data());
      for (Complex& value : b) value *= Complex(0, -2 * pi * frequency * vacuum_permeability);
    }
    all.insert(all.end(), b.begin(), b.end());
  }
  return all;
}

void ReceivedOutput::add(const fem::DrivenProblem& problem, const fem::DrivenSolution& solution,
                         double copies, FarFieldOutput* far, NearFieldOutput* near, fem::SolutionFile& file,
                         run::Run& run) {
  if (!csv_)
    csv_.emplace(run.output("received.csv"), comments(run),
                 std::vector<std::string>{"frequency_hz", "excitation", "port", "re_b", "im_b", "power_w"});
  const double k0 = wavenumber(solution.frequency);
  const auto n = std::size_t(problem.space().num_dofs());
  for (std::size_t i = 0; i < excitations_.size(); ++i) {
    const auto& e = excitations_[i];
    for (std::size_t m = 0; m < problem.modes().size(); ++m) {
      const Complex b = std::sqrt(copies) * solution.source_waves(Eigen::Index(m), Eigen::Index(i));
      const std::string port = fem::mode_label(problem.ports(), problem.modes()[m]);
      csv_->row({solution.frequency, e.label, port, b.real(), b.imag(), std::norm(b)});
      run.results()["received"].push_back({{"frequency_hz", solution.frequency},
                                           {"excitation", e.label},
                                           {"port", port},
                                           {"power_w", std::norm(b)}});
      table_.push_back(
          {results::in_ghz(solution.frequency), e.label, port, fmt::format("{:.6g}", std::norm(b))});
    }
    std::vector<Complex> x(&solution.source_x[i * n], &solution.source_x[i * n] + n);
    fem::IncidentField wave;
    if (e.wave) {
      const auto trace = fem::wave_trace(problem.space(), *surface_, *e.wave, k0);
      for (std::size_t d = 0; d < n; ++d) x[d] += trace[d];
      wave = fem::incident_field(e, k0);
      // The scattered field is the total one without the wave.
      const auto minus = [&](Vec3<double> at) { return fem::KnownField{-wave(at).e, -wave(at).curl}; };
      if (far) far->add_wave(e, x.data(), solution.frequency, minus);
    }
    if (near) near->add(e.label, fmt::format("_source{}", i + 1), x.data(), solution.frequency, wave);
    file.add(solution.frequency, e.label, x.data());
  }
}

void ReceivedOutput::close(run::Run& run) {
  if (!csv_) return;
  csv_->close();
  run.table("received by matched ports", {results::frequency_title, "excitation", "port", "power W"});
  for (const auto& row : table_) run.row(row);
}

}  // namespace curlew::programs
