// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/solution_files.hpp"

#include "base/constants.hpp"
#include "io/array_names.hpp"
#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "io/vtkhdf.hpp"
#include "mom2d/near_field.hpp"

namespace curlew::mom2d {
namespace {

void write_on_nodes(const Solution& s, const std::string& path, const io::Provenance& provenance,
                    double frequency, bool charge) {
  auto comments = io::provenance_lines(provenance);
  comments.push_back(
      charge ? "surface charge of the currents, at the quadrature points"
             : "electric surface current for an incident wave of 1 V/m: Jz (TM) or J along the contour, "
               "counter-clockwise (TE); at the quadrature points");
  const std::string quantity = charge ? "rho_c_per_m2" : "j_a_per_m";
  io::CsvWriter csv(path, comments,
                    {"frequency_hz", "phi_inc_deg", "contour", "cell", "x_m", "y_m", "s_m", "re_" + quantity,
                     "im_" + quantity, "abs_" + quantity});
  const auto lengths = arc_lengths(s.nodes);
  for (std::size_t w = 0; w < s.phi.size(); ++w) {
    const auto charges = charge ? surface_charge(s, w) : std::vector<Complex>{};
    for (std::size_t i = 0; i < s.nodes.x.size(); ++i) {
      const std::size_t panel = i / std::size_t(s.nodes.per_panel);
      const auto contour = std::size_t(s.nodes.panels[panel].contour);
      const Offset first = s.nodes.contour_offsets[contour] / s.nodes.per_panel;
      const Complex value = charge ? charges[i] : surface_current(s, w, Offset(i));
      csv.row({frequency, s.phi[w] * 180 / pi, s.problem.bodies[contour].contour.name,
               long(Offset(panel) - first), s.nodes.x[i], s.nodes.y[i], lengths[i], value.real(),
               value.imag(), std::abs(value)});
    }
  }
  csv.close();
}

}  // namespace

void write_currents(const Solution& s, const std::string& path, const io::Provenance& provenance,
                    double frequency) {
  write_on_nodes(s, path, provenance, frequency, false);
}

void write_charges(const Solution& s, const std::string& path, const io::Provenance& provenance,
                   double frequency) {
  write_on_nodes(s, path, provenance, frequency, true);
}

void write_solution(const Solution& s, const std::string& path, const io::Provenance& provenance,
                    double frequency) {
  auto file = io::H5File::create(path);
  file.write_provenance(provenance, "curlew-mom2d-solution", 1);
  file.set_attribute("frequency_hz", frequency);
  const auto n = std::uint64_t(s.nodes.size()), waves = std::uint64_t(s.phi.size());
  file.write("x", s.u, {"1", "u = Ez (TM) or Hz (TE) on the contours for unit waves [wave, node]"},
             {waves, n});
  file.write("v", s.v, {"1", "v = (du/dn)/(factor k0), factor = mu_r (TM) or epsilon_r (TE) [wave, node]"},
             {waves, n});
  file.write("node_x", s.nodes.x, {"m", "x of the quadrature points"});
  file.write("node_y", s.nodes.y, {"m", "y of the quadrature points"});
  file.write("normal_x", s.nodes.nx, {"1", "unit normal out of the body"});
  file.write("normal_y", s.nodes.ny, {"1", "unit normal out of the body"});
  file.write("weight", s.nodes.weight, {"m", "arc length of each point"});
  file.write("phi_inc", s.phi, {"rad", "directions from which the waves come"});
  file.close();
}

void write_near_field(const Solution& s, const FieldGrid& g, const std::string& path,
                      const io::Provenance& provenance, double frequency) {
  const auto step = [](double a, double b, int n) { return n > 1 ? (b - a) / (n - 1) : 0.0; };
  const auto grid = io::regular_grid({g.x0, g.y0, 0},
                                     {Vec3<double>{step(g.x0, g.x1, g.nx), 0, 0},
                                      Vec3<double>{0, step(g.y0, g.y1, g.ny), 0}, Vec3<double>{0, 0, 1}},
                                     {g.nx, g.ny, 1});
  std::vector<Point2> points;
  for (const auto& p : grid.points) points.push_back({p.x, p.y});
  const bool tm = s.problem.polarization == Polarization::tm;
  io::VtkHdfWriter writer(path, grid, provenance);
  std::vector<int> regions;
  for (std::size_t w = 0; w < s.phi.size(); ++w) {
    auto field = total_field(s, w, points, &regions);
    if (w == 0) {
      writer.static_point_array("region", std::vector<double>(regions.begin(), regions.end()), 1,
                                {"1", "0 outside, -1 in conductors, else the number of the material"});
      writer.begin_step(frequency);
    }
    if (!tm) {
      for (auto& v : field) v /= vacuum_impedance;
    }
    const std::string name = (tm ? "Ez" : "Hz") + io::excitation_suffix(w, s.phi.size());
    writer.point_array(name, field, 1, {tm ? "V/m" : "A/m", "total field of an incident wave of 1 V/m"});
  }
  writer.close();
}

}  // namespace curlew::mom2d
