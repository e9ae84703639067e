// SPDX-License-Identifier: BSD-3-Clause
#include "fem/report/port_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/constants.hpp"
#include "fem/driven/scattering.hpp"
#include "fem/output/port_results.hpp"
#include "fem/report/combined.hpp"
#include "results/cells.hpp"
#include "results/port_table.hpp"
#include "results/s_parameters.hpp"

namespace curlew::fem {
namespace {

using results::decibel;

/// Text on reference impedances of the printed ports.
std::string references_text(const PortNetwork& network, std::size_t shown) {
  std::set<std::string> all;
  for (std::size_t i = 0; i < network.size(); ++i) all.insert(network.reference_text(i));
  if (all.size() == 1) return "each port against " + *all.begin();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += fmt::format("{}{} against {}", i > 0 ? ", " : "", i + 1, network.reference_text(i));
  return text;
}

/// Rows of the table on the screen: all, or if many the ends and the extremes of |S11|.
std::vector<std::size_t> shown_rows(const std::vector<NetworkPoint>& points) {
  constexpr std::size_t all_shown_up_to = 24;
  std::vector<std::size_t> rows(points.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  if (rows.size() <= all_shown_up_to) return rows;
  const auto smaller = [&](std::size_t a, std::size_t b) {
    return std::abs(points[a].s(0, 0)) < std::abs(points[b].s(0, 0));
  };
  const auto [least, greatest] = std::minmax_element(rows.begin(), rows.end(), smaller);
  std::vector<std::size_t> chosen{rows.front(), *least, *greatest, rows.back()};
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

void print_s_parameters(const PortNetwork& network, run::Run& run) {
  const auto shown = std::min<std::size_t>(network.size(), 4);
  std::vector<std::string> columns{results::frequency_title};
  for (std::size_t i = 0; i < shown; ++i) columns.push_back(fmt::format("|S{}1| dB", i + 1));
  run.table(
      fmt::format("S-parameters, incident at {}; {}", network.label(0), references_text(network, shown)),
      columns);
  const auto rows = shown_rows(network.points());
  for (const std::size_t r : rows) {
    const auto& point = network.points()[r];
    std::vector<std::string> cells{results::in_ghz(point.frequency)};
    for (std::size_t i = 0; i < shown; ++i)
      cells.push_back(fmt::format("{:.4f}", decibel(std::abs(point.s(Eigen::Index(i), 0)))));
    run.row(cells);
  }
  if (rows.size() < network.points().size())
    run.line(fmt::format("shown: the ends and the extremes of |S11|; all {} frequencies: {}.s{}p",
                         network.points().size(), run.stem(), network.size()));
}

/// S, and the input impedance of lumped ports with all others matched.
results::SPoint s_point(const PortNetwork& network, const NetworkPoint& point) {
  results::SPoint out{point.frequency, {}, {}};
  for (Eigen::Index i = 0; i < point.s.rows(); ++i) {
    for (Eigen::Index j = 0; j < point.s.cols(); ++j) out.s.push_back(point.s(i, j));
    const bool has_terminals = network.port(std::size_t(i)).has_terminals();
    out.input_impedance.push_back(
        has_terminals ? std::optional(network.input_impedance(point, std::size_t(i))) : std::nullopt);
  }
  return out;
}

const char* name_of(ImpedanceDefinition definition) {
  if (definition == ImpedanceDefinition::wave) return "wave";
  if (definition == ImpedanceDefinition::resistance) return "resistance";
  return definition == ImpedanceDefinition::power_current ? "power_current" : "power_voltage";
}

/// Every mode at every frequency.
std::vector<results::PortRow> port_rows(const PortNetwork& network, const Model& model,
                                        const NedelecSpace& space) {
  std::vector<results::PortRow> rows;
  for (const NetworkPoint& point : network.points()) {
    const auto materials = materials_at(model, *space.mesh, point.solved_at);
    const double omega = 2 * pi * point.solved_at;
    for (std::size_t i = 0; i < network.size(); ++i) {
      const Port& port = network.port(i);
      const auto mode = std::size_t(network.modes()[i].mode);
      const ModeState& state = point.modes[i];
      rows.push_back({.frequency = point.frequency,
                      .port = port.title,
                      .mode = port.modes[mode].name,
                      .cutoff = port.cutoff_frequency(mode, materials.of(port.cell)),
                      .gamma = state.gamma,
                      .z0 = state.impedance,
                      .wave_impedance = Complex(0, omega * vacuum_permeability) / state.terminal_admittance(),
                      .z0_definition = name_of(state.definition),
                      .reference = point.references[i]});
    }
  }
  return rows;
}

/// The worst of all frequencies.
ScatteringChecks worst_checks(const PortNetwork& network) {
  ScatteringChecks worst;
  for (const auto& point : network.points()) {
    const auto checks = check_scattering(point.modal, point.modes);
    worst.reciprocity = std::max(worst.reciprocity, checks.reciprocity);
    if (checks.largest_gain > worst.largest_gain)
      worst.largest_gain = checks.largest_gain, worst.gaining_mode = checks.gaining_mode;
    if (checks.power_balance > worst.power_balance)
      worst.power_balance = checks.power_balance, worst.unbalanced_mode = checks.unbalanced_mode;
  }
  return worst;
}

}  // namespace

void state_symmetry(const std::vector<PortPtr>& ports, run::Run& run) {
  for (const auto& port : ports) {
    if (port->whole.planes.empty() || !port->states_whole_structure()) continue;
    run.line(
        fmt::format("port \"{}\" is cut by {} plane{} of symmetry: impedances are those of the whole "
                    "structure, {:g} times the "
                    "model's",
                    port->region, port->whole.planes.size(), port->whole.planes.size() > 1 ? "s" : "",
                    port->whole.impedance));
  }
}

void write_network(const PortNetwork& network, const Model& model, const NedelecSpace& space, int touchstone,
                   run::Run& run) {
  if (touchstone == 2 && !network.constant_references()) {
    run.warn(
        "touchstone2: the format needs a real reference for each port, but some are complex or "
        "depend on frequency: version 1 is written, with the references in comments; set reference_impedance "
        "of the ports");
    touchstone = 1;
  }
  write_s_parameters(run.output(fmt::format("{}.s{}p", run.stem(), network.size())), network, model,
                     run.provenance(), touchstone);
  for (std::size_t i = 0; i < network.size(); ++i)
    results::state_reference(network.label(i), network.reference_text(i), run);
  std::vector<results::SPoint> points;
  for (const auto& point : network.points()) points.push_back(s_point(network, point));
  results::write_port_table(port_rows(network, model, space), points, run);
  results::state_s_parameters(points, run);
  print_s_parameters(network, run);
  CombinedExcitation combined(network.ports(), network.modes());
  for (const auto& point : network.points()) combined.add(point.frequency, point.modal, run);
  combined.close(run);
}

void write_port_modes(const PortNetwork& network, const Model& model, const NedelecSpace& space,
                      run::Run& run) {
  results::write_port_table(port_rows(network, model, space), {}, run);
  run.table("modes of the ports", {results::frequency_title, "mode", "alpha 1/m", "beta 1/m", "Z0 ohm"});
  std::vector<std::size_t> shown{0};
  if (network.points().size() > 1) shown.push_back(network.points().size() - 1);
  for (const std::size_t r : shown) {
    const auto& point = network.points()[r];
    for (std::size_t i = 0; i < network.size(); ++i) {
      const auto& mode = point.modes[i];
      run.row({results::in_ghz(point.frequency), network.label(i), fmt::format("{:.6g}", mode.gamma.real()),
               fmt::format("{:.6g}", mode.gamma.imag()),
               mode.impedance == 0.0
                   ? ""
                   : fmt::format("{:.4f} {:+.4f}j", mode.impedance.real(), mode.impedance.imag())});
    }
  }
}

void check_network(const PortNetwork& network, bool is_symmetric, bool is_lossless, run::Run& run) {
  const ScatteringChecks worst = worst_checks(network);
  auto& results = run.results();
  if (is_symmetric) results["reciprocity_error"] = worst.reciprocity;
  results["passivity_excess"] = std::max(0.0, worst.largest_gain);
  results[is_lossless ? "power_balance_error" : "absorbed_share_max"] = worst.power_balance;
  run.line(fmt::format("{}{} {:.1e}",
                       is_symmetric && network.size() > 1
                           ? fmt::format("reciprocity |Sij - Sji| <= {:.1e}; ", worst.reciprocity)
                           : "",
                       is_lossless ? "power balance of this lossless device to"
                                   : "largest part of the incident power that is lost or radiated",
                       worst.power_balance));
  if (worst.largest_gain > 1e-3) {
    run.warn(
        fmt::format("more power comes out than goes in (singular value of S 1 + {:.1e}, mostly by {}): a "
                    "material with gain "
                    "(Im epsilon_r > 0?), or a mesh too coarse at the ports",
                    worst.largest_gain, network.label(std::size_t(worst.gaining_mode))));
  } else if (is_lossless && worst.power_balance > 1e-2) {
    run.warn(fmt::format(
        "the power balance of a lossless device has an error of {:.1e} for waves into {}: higher modes "
        "reach a port (move it "
        "away, or raise its modes), or the mesh is too coarse",
        worst.power_balance, network.label(std::size_t(worst.unbalanced_mode))));
  }
}

}  // namespace curlew::fem
