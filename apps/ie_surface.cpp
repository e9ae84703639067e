// SPDX-License-Identifier: BSD-3-Clause
#include "ie_surface.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "ie/results.hpp"
#include "ie_surface_config.hpp"
#include "io/far_field_files.hpp"
#include "io/hdf5.hpp"
#include "io/touchstone.hpp"
#include "io/vtkhdf.hpp"
#include "run/mesh_input.hpp"

namespace curlew::apps {
namespace {

/// Below this many unknowns the dense matrix is factored, where nothing else is asked.
constexpr Index dense_limit = 6000;

/// One frequency: the system, its right-hand sides in the order waves, dipoles (one), ports, and their
/// solutions.
struct Solved {
  double frequency;
  const ie::System& system;
  std::vector<ie::PortEdges> ports;
  std::vector<Complex> x;
  Index count = 0;

  const Complex* of(std::size_t rhs) const { return &x[rhs * std::size_t(system.num_unknowns())]; }
};

void set_right_hand_sides(const SurfaceConfig& c, Solved& s) {
  const auto append = [&](const std::vector<Complex>& b) {
    s.x.insert(s.x.end(), b.begin(), b.end());
    ++s.count;
  };
  for (const auto& wave : c.waves) append(ie::right_hand_side(s.system, wave.wave));
  if (!c.dipoles.empty()) {
    std::vector<Complex> sum(std::size_t(s.system.num_unknowns()));
    for (const auto& dipole : c.dipoles) {
      const auto b = ie::right_hand_side(s.system, dipole);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
    }
    append(sum);
  }
  for (const auto& port : c.ports) {
    s.ports.push_back(ie::find_port(s.system, port));
    append(ie::right_hand_side(s.system, s.ports.back()));
  }
}

void warn_if_coarse(const ie::System& system, double frequency, run::Run& run) {
  const auto r = ie::resolution(system.problem(), system.scene());
  run.results()["longest_edge_wavelengths"] = 1 / r.per_wavelength();
  if (r.per_wavelength() < 6)
    run.warn(fmt::format(
        "{:.6g} Hz: the longest edge, {:.4g} m, is {:.3g} of the shortest wavelength, {:.4g} m: 0.1 gives "
        "a few tenths of a dB, so make it {:.3g} m (mesh.size or wavelength_fraction)",
        frequency, r.longest_edge, 1 / r.per_wavelength(), r.wavelength, 0.1 * r.wavelength));
}

void choose_solver(const ie::System& system, SurfaceConfig& c) {
  if (!c.automatic) return;
  c.solver.direct = system.num_unknowns() <= dense_limit;
  if (c.solver.direct) c.solver.accelerated = false;
}

void solve(const SurfaceConfig& c, Solved& s, run::Run& run) {
  const auto report = ie::solve_surface(s.system, c.ports, c.solver, s.x, s.count);
  log::info("{}: fill {:.3g} s, solve {:.3g} s", report.method, report.fill_seconds, report.solve_seconds);
  run.results()["fill_seconds"] = report.fill_seconds;
  run.results()["solve_seconds"] = report.solve_seconds;
  run.solver(report.method, report.iterations, report.residual, report.converged);
  if (report.lu.condition > 0) run.results()["condition"] = report.lu.condition;
  if (!report.converged)
    throw NumericalError(
        fmt::format("{:.6g} Hz: {}", s.frequency, report.krylov.back().message(c.solver.krylov)) +
        ": preconditioner = \"near\" or (small cells against the wavelength) \"loop_tree\", or method = "
        "\"direct\"");
}

std::vector<fields::Direction> pattern(const SurfaceConfig& c) {
  std::vector<fields::Direction> out;
  for (const double phi : c.phi_deg)
    for (const double theta : c.theta_deg) out.push_back({theta * pi / 180, phi * pi / 180});
  return out;
}

fields::FarField far_field_of(const Solved& s, std::size_t rhs,
                              const std::vector<fields::Direction>& directions) {
  return fields::far_field(ie::outer_points(s.system), ie::outer_currents(s.system, s.of(rhs), 1), directions,
                           {s.system.scene().regions[0].k.real()});
}

void write_rcs(const SurfaceConfig& c, const Solved& s, io::RcsWriter& csv) {
  for (std::size_t w = 0; w < c.waves.size(); ++w) {
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

void report_waves(const SurfaceConfig& c, const Solved& s, run::Run& run) {
  if (c.waves.empty()) return;
  for (std::size_t w = 0; w < std::min<std::size_t>(c.waves.size(), 20); ++w) {
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
    if (sections.imbalance() > 0.05)
      run.warn(fmt::format(
          "{:.6g} Hz, wave from {:g} {:g}: extinction differs from scattering + absorption by {:.1e}: the "
          "mesh is too coarse, or an interior resonance is near (CFIE has none)",
          s.frequency, wave.theta_deg, wave.phi_deg, sections.imbalance()));
  }
}

/// Currents through all ports for a volt at each: Y, with series impedances counted as part of the antenna.
Eigen::MatrixXcd admittance(const SurfaceConfig& c, const Solved& s) {
  const auto n = Eigen::Index(c.ports.size());
  const std::size_t first = std::size_t(s.count) - c.ports.size();
  Eigen::MatrixXcd y(n, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      y(i, j) = ie::port_current(s.ports[std::size_t(i)], s.of(first + std::size_t(j)));
  return y;
}

void report_ports(const SurfaceConfig& c, const Solved& s, io::CsvWriter& csv, io::Touchstone& touchstone,
                  run::Run& run) {
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
    run.row({fmt::format("{:.6g}", s.frequency), c.ports[std::size_t(i)].name,
             fmt::format("{:.4f}", z.real()), fmt::format("{:+.4f}", z.imag()),
             fmt::format("{:.3f}", io::power_decibel(std::norm(own)))});
    if (i == 0) run.results()["impedance_ohm"] = {z.real(), z.imag()};
  }
  const double asymmetry = (y - y.transpose()).norm() / y.norm();
  if (asymmetry > 1e-2)
    run.warn(fmt::format("{:.6g} Hz: ports are not reciprocal by {:.1e}: solver.tolerance is too loose",
                         s.frequency, asymmetry));
}

void write_far_fields(const SurfaceConfig& c, const Solved& s, io::FarFieldWriter& csv) {
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

void write_currents(const Solved& s, io::VtkHdfWriter& writer) {
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

void write_solution(const Solved& s, const std::string& path, const io::Provenance& provenance) {
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

/// Files that hold all frequencies, made by the first that needs them.
struct Files {
  std::unique_ptr<io::RcsWriter> rcs;
  std::unique_ptr<io::FarFieldWriter> far;
  std::unique_ptr<io::CsvWriter> impedance;
  std::unique_ptr<io::VtkHdfWriter> currents;
  io::Touchstone touchstone;

  Files(const SurfaceConfig& c, const ie::SurfaceMesh& mesh, run::Run& run) {
    const auto& p = run.provenance();
    if (!c.waves.empty()) rcs = std::make_unique<io::RcsWriter>(run.output("rcs.csv"), p);
    if (!c.ports.empty() || !c.dipoles.empty())
      far = std::make_unique<io::FarFieldWriter>(run.output("farfield.csv"), p);
    if (!c.ports.empty()) {
      auto comments = io::provenance_lines(p);
      comments.push_back(
          "input impedance of each port with the others shorted; s11 to the reference impedance");
      impedance = std::make_unique<io::CsvWriter>(
          run.output("impedance.csv"), comments,
          std::vector<std::string>{"frequency_hz", "port", "re_z_ohm", "im_z_ohm", "re_s", "im_s", "s_db"});
      touchstone.num_ports = int(c.ports.size()), touchstone.reference_impedance = c.reference_impedance;
      touchstone.comments = io::provenance_lines(p);
    }
    if (c.fields)
      currents = std::make_unique<io::VtkHdfWriter>(run.output("currents.vtkhdf"), surface_grid(mesh), p);
  }
  void close(run::Run& run) {
    if (rcs) rcs->close();
    if (far) far->close();
    if (impedance) {
      impedance->close();
      io::write_touchstone(run.output(io::touchstone_name(run.stem(), touchstone.num_ports)), touchstone);
    }
    if (currents) currents->close();
  }
};

void start_tables(const SurfaceConfig& c, run::Run& run) {
  if (!c.waves.empty())
    run.table("cross-sections", {"frequency Hz", "wave from", "back dBsm", "scattering m2", "absorption m2",
                                 "extinction m2", "imbalance"});
}

}  // namespace

void solve_surface_equation(const io::Config& config, run::Run& run) {
  SurfaceConfig c = read_surface_config(config, run);
  const auto mesh = run::load_mesh(config, run, mesh::MeshUse::surfaces);
  std::vector<std::unique_ptr<ie::System>> systems;
  for (const double f : c.frequencies)
    systems.push_back(std::make_unique<ie::System>(read_surface_problem(config, mesh, f)));
  config.check_unknown_keys();
  const auto& first = *systems.front();
  choose_solver(first, c);
  Index rhs = Index(c.waves.size() + c.ports.size()) + (c.dipoles.empty() ? 0 : 1);
  for (const auto& port : c.ports) ie::find_port(first, port);
  run.size("unknowns", first.num_unknowns());
  run.size("right_hand_sides", rhs);
  run.plan(c.solver.direct ? "matrix and factors" : "matrix", ie::estimate_bytes(first, c.solver, rhs));
  for (std::size_t i = 0; i < systems.size(); ++i) warn_if_coarse(*systems[i], c.frequencies[i], run);
  if (run.dry_run()) return;

  start_tables(c, run);
  Files files(c, first.mesh(), run);
  std::vector<Solved> solved;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    Solved s{c.frequencies[i], *systems[i], {}, {}, 0};
    SurfaceConfig at = c;  // loads depend on the frequency
    if (i > 0) at.ports = read_surface_ports(config, c.frequencies[i]);
    set_right_hand_sides(at, s);
    {
      const auto timer = run.stage("fill and solve");
      solve(at, s, run);
    }
    const auto timer = run.stage("fields and files");
    if (files.rcs) write_rcs(at, s, *files.rcs);
    report_waves(at, s, run);
    if (files.far) write_far_fields(at, s, *files.far);
    if (files.currents) write_currents(s, *files.currents);
    const std::string suffix = systems.size() == 1 ? "" : fmt::format("_{}", i + 1);
    write_solution(s, run.output("solution" + suffix + ".h5"), run.provenance());
    solved.push_back(std::move(s));
  }
  if (!c.ports.empty()) {
    run.table("ports", {"frequency Hz", "port", "R ohm", "X ohm", "S dB"});
    for (const auto& s : solved) report_ports(c, s, *files.impedance, files.touchstone, run);
  }
  files.close(run);
}

}  // namespace curlew::apps
