// SPDX-License-Identifier: BSD-3-Clause
// Output of antennas in ie-solve: ports as a network, and far fields of driven ports and of dipoles.
#include "programs/ie/surface_output.hpp"

#include <fmt/format.h>

#include "base/hertz.hpp"
#include "results/cells.hpp"
#include "results/port_table.hpp"

namespace curlew::programs {
namespace {

std::vector<std::string> comments_of(const ie::SurfaceConfig& c, run::Run& run) {
  auto comments = io::provenance_lines(run.provenance());
  comments.push_back(fmt::format(
      "input_impedance: impedance of each port with the others matched to {:g} ohm", c.reference_impedance));
  comments.push_back("open_impedance: impedance with the other ports open, the diagonal of Z");
  comments.push_back("reflection: S_ii to the reference impedance");
  return comments;
}

}  // namespace

PortFiles::PortFiles(const ie::SurfaceConfig& c, run::Run& run)
    : run_(run),
      reference_(c.reference_impedance),
      csv_(run.output("impedance.csv"), comments_of(c, run),
           {"frequency_hz", "port", "re_input_impedance_ohm", "im_input_impedance_ohm",
            "re_open_impedance_ohm", "im_open_impedance_ohm", "re_reflection", "im_reflection",
            "reflection_db"}) {
  touchstone_.num_ports = int(c.ports.size()), touchstone_.reference_impedance = c.reference_impedance;
  if (c.touchstone == 2) touchstone_.references.assign(c.ports.size(), c.reference_impedance);
  touchstone_.comments = io::provenance_lines(run.provenance());
  for (std::size_t i = 0; i < c.ports.size(); ++i)
    touchstone_.comments.push_back(fmt::format("Port[{}] = {}", i + 1, c.ports[i].name));
  for (const auto& port : c.ports) names_.push_back(port.name);
}

void PortFiles::add(const ie::SurfaceConfig& c, const ie::SurfaceSolution& s) {
  const ie::PortNetwork network = s.network();
  const Eigen::MatrixXcd open = network.impedance();
  touchstone_.frequencies.push_back(s.frequency);
  results::SPoint point{s.frequency, {}, {}};
  for (Eigen::Index i = 0; i < open.rows(); ++i) {
    for (Eigen::Index j = 0; j < open.cols(); ++j) {
      touchstone_.s.push_back(network.scattering(i, j));
      point.s.push_back(network.scattering(i, j));
    }
    const Complex z = network.input_impedance(i), own = network.scattering(i, i);
    const auto& name = c.ports[std::size_t(i)].name;
    const double db = io::power_decibel(std::norm(own));
    csv_.row({s.frequency, name, z.real(), z.imag(), open(i, i).real(), open(i, i).imag(), own.real(),
              own.imag(), db});
    rows_.push_back({results::in_ghz(s.frequency), name, fmt::format("{:.4f}", z.real()),
                     fmt::format("{:+.4f}", z.imag()), fmt::format("{:.3f}", db)});
    point.input_impedance.emplace_back(z);
  }
  points_.push_back(std::move(point));
  if (network.asymmetry() > 1e-2)
    run_.warn(fmt::format("{}: the error of reciprocity is {:.1e}: solver.tolerance is too large",
                          hertz(s.frequency), network.asymmetry()));
}

void PortFiles::close() {
  csv_.close();
  for (const auto& name : names_) results::state_reference(name, fmt::format("{:g} ohm", reference_), run_);
  results::state_s_parameters(points_, run_);
  std::vector<results::PortRow> ports;
  for (const auto& point : points_)
    for (const auto& name : names_)
      ports.push_back({.frequency = point.frequency, .port = name, .reference = reference_});
  results::write_port_table(ports, points_, run_);
  run_.table("ports", {results::frequency_title, "port", "R ohm", "X ohm", "reflection dB"});
  for (const auto& row : rows_) run_.row(row);
  io::write_touchstone(run_.output(io::touchstone_name(run_.stem(), touchstone_.num_ports)), touchstone_);
}

void add_radiation(const ie::SurfaceConfig& c, const ie::SurfaceSolution& s,
                   const ie::RadiatedFields& radiated, results::RadiationReport& report) {
  const auto directions = c.pattern();
  const auto& powers = radiated.powers;
  const std::size_t first = c.waves.size();
  const Eigen::MatrixXcd own_s = s.ports.empty() ? Eigen::MatrixXcd() : s.network().scattering;
  const std::size_t dipoles = s.dipoles ? 1 : 0;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    auto own = radiated.one(i);
    results::PowerBudget budget;
    if (i < dipoles) {
      s.dipoles->add_far_field(directions, own);
      const auto of = s.dipoles->powers(s.of(first), powers[i]);
      budget = results::source_budget(of.supplied, of.radiated);
    } else {
      const auto port = Eigen::Index(i - dipoles);
      if (port < own_s.rows())
        budget = results::port_budget(1, std::norm(own_s(port, port)), powers[i]);
      else
        budget = ie::combined_excitation(c).budget(own_s), budget.radiated = powers[i];
    }
    report.add({i < dipoles ? "dipole" : ie::source_name(c, s, first + i), s.frequency, directions,
                own.e_theta, own.e_phi},
               budget);
  }
}

}  // namespace curlew::programs
