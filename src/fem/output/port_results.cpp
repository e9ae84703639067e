// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/port_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "io/touchstone.hpp"

namespace curlew::fem {

std::string mode_label(const PortedProblem& problem, const ModePlace& place) {
  const ModalPort& port = problem.ports()[std::size_t(place.port)];
  return fmt::format("{} {}", port.region, port.modes[std::size_t(place.mode)].name);
}

namespace {

/// The resistance that all ports share, if all are lumped.
std::optional<double> common_resistance(const PortedProblem& problem) {
  std::optional<double> common;
  for (const ModalPort& port : problem.ports()) {
    if (!port.lumped || (common && *common != port.lumped->resistance)) return std::nullopt;
    common = port.lumped->resistance;
  }
  return common;
}

}  // namespace

void write_s_parameters(const std::string& path, const PortedProblem& problem,
                        const std::vector<DrivenSolution>& solutions, const io::Provenance& provenance,
                        std::optional<double> reference_impedance) {
  io::Touchstone file;
  file.num_ports = int(problem.modes().size());
  file.comments = io::provenance_lines(provenance);
  if (reference_impedance) {
    file.reference_impedance = *reference_impedance;
    file.comments.push_back(
        "renormalised to the reference of the option line, from each mode's z0 in ports.csv");
  } else if (const auto resistance = common_resistance(problem)) {
    file.reference_impedance = *resistance;
    file.comments.push_back("normalised to the resistance of the lumped ports");
  } else {
    file.comments.push_back(
        "power waves: a waveguide port is normalised to its own mode, a lumped port to its resistance, so "
        "the reference of the option line is a formality");
  }
  file.comments.push_back(
      "the first mode's E has the same global direction at all ports of equal cross-section");
  if (!problem.model().periodicity.empty())
    file.comments.push_back(
        "Floquet modes (m,n): E_t ~ exp(-j kt.r), r from the origin of the mesh; TE(0,0) along phi, TM(0,0) "
        "along "
        "theta of arrival; reciprocity is S(k) = transpose of S(-k), (m,n) becoming (-m,-n)");
  for (std::size_t i = 0; i < problem.modes().size(); ++i) {  // as HFSS names them, and scikit-rf reads
    file.comments.push_back(fmt::format("Port[{}] = {}", i + 1, mode_label(problem, problem.modes()[i])));
  }
  for (const DrivenSolution& solution : solutions) {
    file.frequencies.push_back(solution.frequency);
    Eigen::MatrixXcd s = solution.scattering.s;
    if (reference_impedance) {
      std::vector<Complex> impedances;
      for (const ModeState& mode : solution.modes) impedances.push_back(mode.impedance);
      s = renormalized(s, impedances, *reference_impedance);
    }
    for (Eigen::Index i = 0; i < s.rows(); ++i) {
      for (Eigen::Index j = 0; j < s.cols(); ++j) file.s.push_back(s(i, j));
    }
  }
  io::write_touchstone(path, file);
}

namespace {

const char* name_of(ImpedanceDefinition definition) {
  if (definition == ImpedanceDefinition::wave) return "wave";
  return definition == ImpedanceDefinition::power_current ? "power_current" : "power_voltage";
}

}  // namespace

void write_port_table(const std::string& path, const PortedProblem& problem,
                      const std::vector<DrivenSolution>& solutions, const io::Provenance& provenance) {
  auto comments = io::provenance_lines(provenance);
  comments.push_back(
      "gamma = alpha + j beta; z0: by its definition (power_current 2P/I^2, power_voltage V^2/2P, wave "
      "E_t/H_t, "
      "lumped resistance), 0 where there is none; wave: E_t/H_t. Cut-offs of modes in mixed media are not "
      "known: left empty");
  io::CsvWriter csv(path, comments,
                    {"frequency_hz", "port", "mode", "cutoff_hz", "alpha_per_m", "beta_per_m", "z0_re_ohm",
                     "z0_im_ohm", "z0_definition", "wave_re_ohm", "wave_im_ohm"});
  for (const DrivenSolution& solution : solutions) {
    const CellMaterials materials = materials_at(problem.model(), *problem.space().mesh, solution.frequency);
    const double omega = 2 * pi * solution.frequency;
    for (std::size_t i = 0; i < problem.modes().size(); ++i) {
      const ModalPort& port = problem.ports()[std::size_t(problem.modes()[i].port)];
      const PortMode& mode = port.modes[std::size_t(problem.modes()[i].mode)];
      const Material& medium = materials.of(port.cell);
      const ModeState& state = solution.modes[i];
      const bool has_cutoff = !port.is_dispersive() && !port.lumped;
      const io::Cell cutoff =
          has_cutoff ? io::Cell(mode.cutoff_frequency(medium.epsilon_r.scalar, medium.mu_r.scalar))
                     : io::Cell("");
      const Complex z0 = state.impedance, wave = Complex(0, omega * vacuum_permeability) / state.admittance;
      csv.row({solution.frequency, port.region, mode.name, cutoff, state.gamma.real(), state.gamma.imag(),
               z0.real(), z0.imag(), port.lumped ? "resistance" : name_of(state.definition), wave.real(),
               wave.imag()});
    }
  }
  csv.close();
}

}  // namespace curlew::fem
