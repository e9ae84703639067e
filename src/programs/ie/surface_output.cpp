// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_output.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "ie/near_field.hpp"
#include "ie/results.hpp"
#include "io/hdf5.hpp"

namespace curlew::programs {
namespace {

std::vector<fields::Direction> pattern(const SurfaceConfig& c) {
  std::vector<fields::Direction> out;
  for (const double phi : c.phi_deg)
    for (const double theta : c.theta_deg) out.push_back({theta * pi / 180, phi * pi / 180});
  return out;
}

fields::FarField far_field_of(const SurfaceSolution& s, std::size_t rhs,
                              const std::vector<fields::Direction>& directions) {
  return fields::far_field(ie::outer_points(s.system), ie::outer_currents(s.system, s.of(rhs), 1), directions,
                           {s.system.scene().regions[0].k.real()});
}

void write_rcs(const SurfaceConfig& c, const SurfaceSolution& s, io::RcsWriter& csv) {
  for (std::size_t w = 0; w < c.waves.size(); ++w) {
    check_interrupt();
    const auto& wave = c.waves[w];
    auto directions = pattern(c);
    if (c.monostatic) directions.assign(1, {wave.wave.theta, wave.wave.phi});
    const auto far = far_field_of(s, w, directions);
    for (std::size_t d = 0; d < directions.size(); ++d)
      csv.row({s.frequency, wave.theta_deg, wave.phi_deg, wave.polarization, directions[d].theta * 180 / pi,
               directions[d].phi * 180 / pi, fields::radar_cross_section(far.e_theta[d], 1),
               fields::radar_cross_section(far.e_phi[d], 1)});
  }
}

void report_waves(const SurfaceConfig& c, const SurfaceSolution& s, run::Run& run) {
  if (c.waves.empty()) return;
  for (std::size_t w = 0; w < std::min<std::size_t>(c.waves.size(), 20); ++w) {
    check_interrupt();
    const auto& wave = c.waves[w];
    const auto sections = ie::cross_sections(s.system, s.of(w), wave.wave);
    const fields::Direction back{wave.wave.theta, wave.wave.phi};
    const auto far = far_field_of(s, w, {back});
    const double rcs =
        fields::radar_cross_section(far.e_theta[0], 1) + fields::radar_cross_section(far.e_phi[0], 1);
    run.row({fmt::format("{:.6g}", s.frequency),
             fmt::format("{:g} {:g} {}", wave.theta_deg, wave.phi_deg, wave.polarization),
             fmt::format("{:.4f}", io::power_decibel(rcs)), fmt::format("{:.6g}", sections.scattering),
             fmt::format("{:.6g}", sections.absorption), fmt::format("{:.6g}", sections.extinction),
             fmt::format("{:.1e}", sections.imbalance())});
    if (w == 0) {
      auto& results = run.results();
      results["backscatter_dbsm"] = io::power_decibel(rcs);
      results["scattering_m2"] = sections.scattering;
      results["absorption_m2"] = sections.absorption;
      results["extinction_m2"] = sections.extinction;
      results["power_imbalance"] = sections.imbalance();
    }
    // Forward amplitude f and a relative error e of the solution: extinction is Im f, known to e |f| only,
    // which for bodies far below the wavelength is more than all of it.
    const double k = s.system.scene().regions[0].k.real();
    const double unknown = 4 * pi / k * c.solver.krylov.tolerance * std::sqrt(rcs / (4 * pi));
    if (sections.imbalance() > 0.05 && std::abs(sections.extinction) > unknown)
      run.warn(fmt::format(
          "{:.6g} Hz, wave from {:g} {:g}: extinction differs from scattering + absorption by {:.1e}: the "
          "mesh is too coarse, or an interior resonance is near (CFIE has none)",
          s.frequency, wave.theta_deg, wave.phi_deg, sections.imbalance()));
  }
}

/// Currents through all ports for a volt at each: Y, with series impedances counted as part of the antenna.
Eigen::MatrixXcd admittance(const SurfaceConfig& c, const SurfaceSolution& s) {
  const auto n = Eigen::Index(c.ports.size());
  const std::size_t first = std::size_t(s.count) - c.ports.size();
  Eigen::MatrixXcd y(n, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      y(i, j) = ie::port_current(s.ports[std::size_t(i)], s.of(first + std::size_t(j)));
  return y;
}

/// @param rows of the table that the run prints
void add_ports(const SurfaceConfig& c, const SurfaceSolution& s, io::CsvWriter& csv,
               io::Touchstone& touchstone, std::vector<std::vector<std::string>>& rows, run::Run& run) {
  const auto y = admittance(c, s);
  const auto n = y.rows();
  const Eigen::MatrixXcd one = Eigen::MatrixXcd::Identity(n, n), scaled = c.reference_impedance * y;
  const Eigen::MatrixXcd scattering = (one + scaled).partialPivLu().solve(one - scaled);
  touchstone.frequencies.push_back(s.frequency);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) touchstone.s.push_back(scattering(i, j));
    const Complex z = 1.0 / y(i, i), own = scattering(i, i);
    csv.row({s.frequency, c.ports[std::size_t(i)].name, z.real(), z.imag(), own.real(), own.imag(),
             io::power_decibel(std::norm(own))});
    rows.push_back({fmt::format("{:.6g}", s.frequency), c.ports[std::size_t(i)].name,
                    fmt::format("{:.4f}", z.real()), fmt::format("{:+.4f}", z.imag()),
                    fmt::format("{:.3f}", io::power_decibel(std::norm(own)))});
    if (i == 0) run.results()["impedance_ohm"] = z;
  }
  const double asymmetry = (y - y.transpose()).norm() / y.norm();
  if (asymmetry > 1e-2)
    run.warn(fmt::format("{:.6g} Hz: ports are not reciprocal by {:.1e}: solver.tolerance is too loose",
                         s.frequency, asymmetry));
}

void write_far_fields(const SurfaceConfig& c, const SurfaceSolution& s, results::PatternOutput& csv) {
  const auto directions = pattern(c);
  const std::size_t first = c.waves.size();
  for (std::size_t rhs = first; rhs < std::size_t(s.count); ++rhs) {
    const bool is_dipole = !c.dipoles.empty() && rhs == first;
    const auto far = far_field_of(s, rhs, directions);
    const double power = ie::far_field_power(s.system, s.of(rhs));
    double accepted = power, available = power;
    std::string name = "dipole";
    if (!is_dipole) {
      const std::size_t port = rhs - (std::size_t(s.count) - c.ports.size());
      const Complex current = ie::port_current(s.ports[port], s.of(rhs)), z = 1.0 / current;
      const double z0 = c.reference_impedance;
      accepted = 0.5 * current.real();  // for 1 V
      available = accepted / (1 - std::norm((z - z0) / (z + z0)));
      name = c.ports[port].name;
    }
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const auto gain = [&](double p) {
        return fields::directivity(far.e_theta[d], far.e_phi[d], p, vacuum_impedance);
      };
      csv.row({s.frequency, name, directions[d].theta * 180 / pi, directions[d].phi * 180 / pi,
               far.e_theta[d], far.e_phi[d], gain(power), gain(accepted), gain(available),
               fields::axial_ratio_db(far.e_theta[d], far.e_phi[d])});
    }
  }
}

io::VtkGrid surface_grid(const ie::SurfaceMesh& mesh) {
  io::VtkGrid grid;
  grid.points = mesh.nodes;
  for (const auto& t : mesh.triangles) {
    const std::array<std::int64_t, 3> points{t[0], t[1], t[2]};
    grid.add_cell(io::VtkCell::triangle, points.data(), 3);
  }
  return grid;
}

void write_currents(const SurfaceSolution& s, io::VtkHdfWriter& writer) {
  writer.begin_step(s.frequency);
  const auto flat = [](const std::vector<Vec3<Complex>>& v) {
    std::vector<Complex> out;
    for (const auto& a : v) out.insert(out.end(), {a.x, a.y, a.z});
    return out;
  };
  const bool magnetic = s.system.num_unknowns() > s.system.num_electric();
  for (Index rhs = 0; rhs < std::min<Index>(s.count, 10); ++rhs) {
    const auto c = ie::centroid_currents(s.system, s.of(std::size_t(rhs)));
    const std::string suffix = rhs == 0 ? "" : fmt::format("_{}", rhs);
    writer.cell_array("J" + suffix, flat(c.electric), 3, {"A/m", "electric surface current n x H"});
    if (magnetic)
      writer.cell_array("M" + suffix, flat(c.magnetic), 3, {"V/m", "magnetic surface current -n x E"});
  }
}

void add_near_fields(const SurfaceConfig& c, const SurfaceSolution& s, Device device,
                     RadiatedFieldOutput& out) {
  out.begin_step(s.frequency);
  const double k = s.system.scene().regions[0].k.real();
  for (std::size_t rhs = 0; rhs < std::size_t(s.count); ++rhs) {
    const std::string suffix = s.count == 1 ? "" : fmt::format("_{}", rhs + 1);
    const auto radiated = ie::radiated_field(s.system, s.of(rhs), out.points(), out.regions(), device);
    const std::size_t first_port = std::size_t(s.count) - c.ports.size();
    if (rhs >= first_port) {
      out.add(c.ports[rhs - first_port].name, suffix, radiated);
    } else if (rhs < c.waves.size()) {
      const auto& wave = c.waves[rhs];
      out.add_scattered(wave.label(), suffix, radiated, [&](auto r) { return wave.wave.at(r, k); });
    } else {
      out.add_scattered("dipole", suffix, radiated, [&](Vec3<double> r) {
        green::FieldPair sum{};
        for (const auto& dipole : c.dipoles) {
          const auto one = dipole.at(r, k);
          sum.e += one.e, sum.h += one.h;
        }
        return sum;
      });
    }
  }
}

void write_solution(const SurfaceSolution& s, const std::string& path, const io::Provenance& provenance) {
  auto file = io::H5File::create(path);
  file.write_provenance(provenance, "curlew-ie-surface-solution", 1);
  file.set_attribute("frequency_hz", s.frequency);
  file.write("x", s.x, {"A/m", "J across every edge, then M/eta0 [right-hand side, unknown]"},
             {std::uint64_t(s.count), std::uint64_t(s.system.num_unknowns())});
  std::vector<Index> edges;
  for (const auto& f : s.system.space().functions()) edges.insert(edges.end(), {f.a, f.b});
  file.write("edges", edges, {"1", "nodes of the edge of every J [function, 2]"}, {edges.size() / 2, 2});
  std::vector<double> nodes;
  for (const auto& p : s.system.mesh().nodes) nodes.insert(nodes.end(), {p.x, p.y, p.z});
  file.write("nodes", nodes, {"m", "nodes of the surfaces (node, xyz)"}, {nodes.size() / 3, 3});
  file.close();
}

}  // namespace

SurfaceFiles::SurfaceFiles(const SurfaceConfig& c, const ie::System& system, run::Run& run) : run_(run) {
  const auto& p = run.provenance();
  if (!c.waves.empty()) {
    rcs_ = std::make_unique<io::RcsWriter>(run.output("rcs.csv"), p);
    run.table("cross-sections", {"frequency Hz", "wave from", "back dBsm", "scattering m2", "absorption m2",
                                 "extinction m2", "imbalance"});
  }
  if (!c.ports.empty() || !c.dipoles.empty()) far_ = std::make_unique<results::PatternOutput>(c.formats, run);
  if (!c.ports.empty()) {
    auto comments = io::provenance_lines(p);
    comments.push_back(
        "input impedance of each port with the others shorted; s11 to the reference impedance");
    impedance_ = std::make_unique<io::CsvWriter>(
        run.output("impedance.csv"), comments,
        std::vector<std::string>{"frequency_hz", "port", "re_z_ohm", "im_z_ohm", "re_s", "im_s", "s_db"});
    touchstone_.num_ports = int(c.ports.size()), touchstone_.reference_impedance = c.reference_impedance;
    touchstone_.comments = io::provenance_lines(p);
    for (std::size_t i = 0; i < c.ports.size(); ++i)
      touchstone_.comments.push_back(fmt::format("Port[{}] = {}", i + 1, c.ports[i].name));
  }
  if (c.fields)
    currents_ =
        std::make_unique<io::VtkHdfWriter>(run.output("currents.vtkhdf"), surface_grid(system.mesh()), p);
  if (!c.near_fields.empty())
    near_ = std::make_unique<RadiatedFieldOutput>(
        c.near_fields, ie::regions_of(system, io::near_field_points(c.near_fields)), run);
}

void SurfaceFiles::write(const SurfaceConfig& c, const SurfaceSolution& s, const std::string& suffix) {
  if (rcs_) write_rcs(c, s, *rcs_);
  report_waves(c, s, run_);
  if (far_) write_far_fields(c, s, *far_);
  if (currents_) write_currents(s, *currents_);
  if (near_) add_near_fields(c, s, run_.device(), *near_);
  if (impedance_) add_ports(c, s, *impedance_, touchstone_, port_rows_, run_);
  write_solution(s, run_.output("solution" + suffix + ".h5"), run_.provenance());
}

void SurfaceFiles::close() {
  if (rcs_) rcs_->close();
  if (far_) far_->close();
  if (impedance_) {
    impedance_->close();
    run_.table("ports", {"frequency Hz", "port", "R ohm", "X ohm", "S dB"});
    for (const auto& row : port_rows_) run_.row(row);
    io::write_touchstone(run_.output(io::touchstone_name(run_.stem(), touchstone_.num_ports)), touchstone_);
  }
  if (currents_) currents_->close();
  if (near_) near_->close();
}

}  // namespace curlew::programs
