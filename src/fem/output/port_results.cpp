// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/port_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "io/touchstone.hpp"

namespace curlew::fem {
namespace {

std::vector<std::string> network_comments(const PortNetwork& network, const Model& model) {
  std::vector<std::string> lines;
  lines.push_back("S-parameter uses the power definition");  // scikit-rf looks for these words
  lines.push_back(
      network.common_reference()
          ? "all ports against the reference of the option line"
          : "against the port impedances [ohm, real and imaginary parts] after each frequency; the "
            "reference of the option line is a formality");
  lines.push_back("the first mode's E has the same global direction at all ports of equal cross-section");
  const bool followed = std::any_of(network.ports().begin(), network.ports().end(),
                                    [](const PortPtr& p) { return p->follows_modes(); });
  if (followed)
    lines.push_back(
        "mode-1, mode-2, ... are numbered by falling phase constant at the lowest frequency and keep their "
        "numbers where they cross");
  if (!model.periodicity.empty())
    lines.push_back(
        "Floquet modes (m,n): E_t ~ exp(-j kt.r), r from the origin of the mesh; TE(0,0) along phi, TM(0,0) "
        "along theta of arrival; reciprocity is S(k) = transpose of S(-k), (m,n) becoming (-m,-n)");
  for (std::size_t i = 0; i < network.size(); ++i)  // as HFSS names them, and scikit-rf reads
    lines.push_back(fmt::format("Port[{}] = {}", i + 1, network.label(i)));
  for (std::size_t i = 0; i < network.size(); ++i)
    lines.push_back(fmt::format("reference[{}] = {}", i + 1, network.reference_text(i)));
  return lines;
}

const char* name_of(ImpedanceDefinition definition) {
  if (definition == ImpedanceDefinition::wave) return "wave";
  if (definition == ImpedanceDefinition::resistance) return "resistance";
  return definition == ImpedanceDefinition::power_current ? "power_current" : "power_voltage";
}

}  // namespace

void write_s_parameters(const std::string& path, const PortNetwork& network, const Model& model,
                        const io::Provenance& provenance, int version) {
  io::Touchstone file;
  file.num_ports = int(network.size());
  file.comments = io::provenance_lines(provenance);
  const auto more = network_comments(network, model);
  file.comments.insert(file.comments.end(), more.begin(), more.end());
  const auto common = network.common_reference();
  file.reference_impedance = common.value_or(1.0);
  if (version == 2) file.references = network.constant_references().value_or(std::vector<double>());
  for (const NetworkPoint& point : network.points()) {
    file.frequencies.push_back(point.frequency);
    for (Eigen::Index i = 0; i < point.s.rows(); ++i)
      for (Eigen::Index j = 0; j < point.s.cols(); ++j) file.s.push_back(point.s(i, j));
    if (!common && file.references.empty())
      file.port_impedances.insert(file.port_impedances.end(), point.references.begin(),
                                  point.references.end());
  }
  io::write_touchstone(path, file);
}

void write_port_table(const std::string& path, const PortNetwork& network, const Model& model,
                      const NedelecSpace& space, const io::Provenance& provenance) {
  auto comments = io::provenance_lines(provenance);
  comments.push_back(
      "gamma = alpha + j beta; z0: by its definition (power_current 2P/I^2, power_voltage V^2/2P, wave "
      "E_t/H_t, lumped resistance) of the whole structure where planes of symmetry cut the port, 0 where "
      "there is "
      "none; wave_impedance: E_t/H_t. Cut-offs of modes in mixed media are not known: left empty. reference: "
      "what S of "
      "the "
      "mode is stated against");
  io::CsvWriter csv(path, comments,
                    {"frequency_hz", "port", "mode", "cutoff_hz", "alpha_per_m", "beta_per_m", "re_z0_ohm",
                     "im_z0_ohm", "z0_definition", "re_wave_impedance_ohm", "im_wave_impedance_ohm",
                     "re_reference_ohm", "im_reference_ohm"});
  for (const NetworkPoint& point : network.points()) {
    const CellMaterials materials = materials_at(model, *space.mesh, point.solved_at);
    const double omega = 2 * pi * point.solved_at;
    for (std::size_t i = 0; i < network.size(); ++i) {
      const Port& port = network.port(i);
      const auto mode = std::size_t(network.modes()[i].mode);
      const ModeState& state = point.modes[i];
      const auto cutoff = port.cutoff_frequency(mode, materials.of(port.cell));
      const Complex z0 = state.impedance,
                    wave = Complex(0, omega * vacuum_permeability) / state.terminal_admittance(),
                    reference = point.references[i];
      csv.row({point.frequency, port.region, port.modes[mode].name, cutoff ? io::Cell(*cutoff) : io::Cell(""),
               state.gamma.real(), state.gamma.imag(), z0.real(), z0.imag(), name_of(state.definition),
               wave.real(), wave.imag(), reference.real(), reference.imag()});
    }
  }
  csv.close();
}

}  // namespace curlew::fem
