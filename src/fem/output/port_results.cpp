// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/port_results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "io/touchstone.hpp"

namespace curlew::fem {

std::string mode_label(const DrivenProblem& problem, const ModePlace& place) {
  const ModalPort& port = problem.ports()[std::size_t(place.port)];
  return fmt::format("{} {}", port.region, port.modes[std::size_t(place.mode)].name());
}

void write_s_parameters(const std::string& path, const DrivenProblem& problem,
                        const std::vector<DrivenSolution>& solutions, const io::Provenance& provenance) {
  io::Touchstone file;
  file.num_ports = int(problem.modes().size());
  file.comments = io::provenance_lines(provenance);
  file.comments.push_back(
      "modal power waves: each port is normalised to its own mode, so the reference of the option line "
      "is a formality");
  file.comments.push_back(
      "the first mode's E has the same global direction at all ports of equal cross-section");
  for (std::size_t i = 0; i < problem.modes().size(); ++i) {
    file.comments.push_back(fmt::format("port {} = {}", i + 1, mode_label(problem, problem.modes()[i])));
  }
  for (const DrivenSolution& solution : solutions) {
    file.frequencies.push_back(solution.frequency);
    const auto& s = solution.scattering.s;
    for (Eigen::Index i = 0; i < s.rows(); ++i) {
      for (Eigen::Index j = 0; j < s.cols(); ++j) file.s.push_back(s(i, j));
    }
  }
  io::write_touchstone(path, file);
}

void write_port_table(const std::string& path, const DrivenProblem& problem,
                      const std::vector<DrivenSolution>& solutions, const io::Provenance& provenance) {
  auto comments = io::provenance_lines(provenance);
  comments.push_back("gamma = alpha + j beta; z0: wave impedance E_t / H_t of the mode");
  io::CsvWriter csv(
      path, comments,
      {"frequency_hz", "port", "mode", "cutoff_hz", "alpha_per_m", "beta_per_m", "z0_re_ohm", "z0_im_ohm"});
  for (const DrivenSolution& solution : solutions) {
    const CellMaterials materials = materials_at(problem.model(), *problem.space().mesh, solution.frequency);
    const double omega = 2 * pi * solution.frequency;
    for (std::size_t i = 0; i < problem.modes().size(); ++i) {
      const ModalPort& port = problem.ports()[std::size_t(problem.modes()[i].port)];
      const WaveguideMode& mode = port.modes[std::size_t(problem.modes()[i].mode)];
      const Material medium = port_medium(port, problem.space(), materials);
      const ModeState& state = solution.modes[i];
      const Complex z0 = Complex(0, omega * vacuum_permeability) / state.admittance;
      csv.row({solution.frequency, port.region, mode.name(),
               mode.cutoff_frequency(medium.epsilon_r.scalar, medium.mu_r.scalar), state.gamma.real(),
               state.gamma.imag(), z0.real(), z0.imag()});
    }
  }
  csv.close();
}

}  // namespace curlew::fem
