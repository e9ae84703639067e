// SPDX-License-Identifier: BSD-3-Clause
#include "ie_volume.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "ie/volume/volume_system.hpp"
#include "ie_accelerated.hpp"
#include "io/hdf5.hpp"
#include "io/vtkhdf.hpp"
#include "run/mesh_input.hpp"

namespace curlew::apps {
namespace {

io::VtkGrid body_grid(const mesh::Mesh& mesh) {
  io::VtkGrid grid;
  grid.points = mesh.nodes;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    std::array<std::int64_t, 4> points{};
    for (int i = 0; i < 4; ++i) points[std::size_t(i)] = mesh.cell(c)[i];
    const auto v = [&](int i) { return mesh.nodes[std::size_t(mesh.cell(c)[i])]; };
    // VTK's orientation: the first three counter-clockwise seen from outside, the fourth above them.
    if (dot(v(3) - v(0), cross(v(1) - v(0), v(2) - v(0))) < 0) std::swap(points[0], points[1]);
    grid.add_cell(io::VtkCell::tetrahedron, points.data(), 4);
  }
  return grid;
}

struct VolumeMaterial {
  std::vector<std::string> regions;
  Permittivity epsilon_r;
};

/// What is solved at one frequency, with what the fields need.
struct VolumeSolution : AcceleratedSolution {
  ie::SwgBasis basis;
  std::vector<Complex> epsilon_r;  ///< of the basis' cells
};

/// The relative permittivity of every cell at a frequency; 1 where no material is named.
/// @throws InputError for an unknown region or a cell in two
std::vector<Complex> cell_permittivities(const std::vector<VolumeMaterial>& materials, const mesh::Mesh& mesh,
                                         double frequency) {
  std::vector<Complex> epsilon(std::size_t(mesh.num_cells()), 1.0);
  std::vector<const std::string*> owner(epsilon.size());
  for (const auto& m : materials) {
    for (const auto& name : m.regions) {
      const auto region = std::find_if(mesh.volumes.begin(), mesh.volumes.end(),
                                       [&](const mesh::Region& r) { return r.name == name; });
      if (region == mesh.volumes.end()) {
        std::vector<std::string> names;
        for (const auto& r : mesh.volumes) names.push_back(r.name);
        throw InputError(fmt::format("material: region \"{}\" is not in {} (volumes: {})", name, mesh.name,
                                     fmt::join(names, ", ")));
      }
      for (const Index cell : region->entities) {
        if (owner[std::size_t(cell)] != nullptr)
          throw InputError(fmt::format("material: cell {} is in \"{}\" and in \"{}\"", cell,
                                       *owner[std::size_t(cell)], name));
        owner[std::size_t(cell)] = &name;
        epsilon[std::size_t(cell)] = m.epsilon_r(frequency);
      }
    }
  }
  return epsilon;
}

VolumeSolution make_problem(const std::vector<VolumeMaterial>& materials, const mesh::Mesh& mesh,
                            const mesh::Topology& topology, double frequency) {
  VolumeSolution s{{frequency, 2 * pi * frequency / speed_of_light, {}, {}}, {}, {}};
  const auto epsilon = cell_permittivities(materials, mesh, frequency);
  std::vector<bool> in_body;
  for (const Complex e : epsilon) in_body.push_back(e != 1.0);
  s.basis = ie::make_swg(mesh, topology, in_body);
  for (const Index cell : s.basis.cells) s.epsilon_r.push_back(epsilon[std::size_t(cell)]);
  s.system = ie::make_volume_system(s.basis, s.epsilon_r, s.k);
  return s;
}

void warn_if_coarse(const VolumeSolution& s, run::Run& run) {
  double worst = 0;
  for (std::size_t i = 0; i < s.basis.cells.size(); ++i) {
    const auto& v = s.basis.corners[i];
    double edge = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < a; ++b) edge = std::max(edge, norm(v[a] - v[b]));
    }
    worst = std::max(worst, edge * s.k * std::abs(std::sqrt(s.epsilon_r[i])) / (2 * pi));
  }
  run.results()["longest_edge_wavelengths"] = worst;
  if (worst > 0.2) {
    run.warn(fmt::format(
        "{:.6g} Hz: the longest edge is {:.3g} wavelengths of its material; 0.1 gives a few tenths "
        "of a dB: set mesh.wavelength_fraction or size",
        s.frequency, worst));
  }
}

/// E and D of all cells of the mesh; nothing where there is no material.
void write_fields(const VolumeSolution& s, const AcceleratedConfig& c, const mesh::Mesh& mesh,
                  io::VtkHdfWriter& writer) {
  writer.begin_step(s.frequency);
  std::vector<Complex> epsilon(std::size_t(mesh.num_cells()), 1.0);
  for (std::size_t i = 0; i < s.basis.cells.size(); ++i)
    epsilon[std::size_t(s.basis.cells[i])] = s.epsilon_r[i];
  writer.cell_array("epsilon_r", epsilon, 1, {"1", "relative permittivity"});
  for (std::size_t w = 0; w < c.waves.size(); ++w) {
    const auto e = ie::cell_fields(s.system, s.epsilon_r, s.of(w));
    std::vector<Complex> field(3 * epsilon.size()), flux(field.size());
    for (std::size_t i = 0; i < e.size(); ++i) {
      const auto at = 3 * std::size_t(s.basis.cells[i]);
      for (int d = 0; d < 3; ++d) {
        field[at + std::size_t(d)] = e[i][d];
        flux[at + std::size_t(d)] = vacuum_permittivity * s.epsilon_r[i] * e[i][d];
      }
    }
    const std::string suffix = w == 0 ? "" : fmt::format("_{}", w);
    writer.cell_array("E" + suffix, field, 3, {"V/m", "electric field in the body for a wave of 1 V/m"});
    writer.cell_array("D" + suffix, flux, 3,
                      {"C/m^2", "electric flux density in the body for a wave of 1 V/m"});
  }
}

void write_solution(const VolumeSolution& s, const AcceleratedConfig& c, const std::string& path,
                    const io::Provenance& provenance) {
  auto file = io::H5File::create(path);
  file.write_provenance(provenance, "curlew-ie-volume-solution", 1);
  file.set_attribute("frequency_hz", s.frequency);
  file.write("x", s.x, {"V/m", "D/eps0 across every face of the body [wave, face]"},
             {std::uint64_t(c.waves.size()), std::uint64_t(s.system.sources.num_cols)});
  file.write("epsilon_r", s.epsilon_r, {"1", "relative permittivity of the cells of the body"});
  file.write("cells", s.basis.cells, {"1", "cells of the mesh that are the body"});
  file.close();
}

}  // namespace

void solve_volume_equation(const io::Config& config, run::Run& run) {
  config.table("formulation").choice("equation", {"volume"});
  AcceleratedConfig c = read_accelerated_config(config, run);
  std::vector<VolumeMaterial> materials;
  for (const auto& t : config.tables("material"))
    materials.push_back({t.get<std::vector<std::string>>("region"), read_permittivity(t)});
  if (materials.empty())
    throw InputError("the volume equation needs a [[material]] with region and epsilon_r");
  const auto mesh = run::load_mesh(config, run);
  config.check_unknown_keys();
  const auto topology = mesh::build_topology(mesh);
  start_table(run);
  std::unique_ptr<io::RcsWriter> rcs;
  std::unique_ptr<io::VtkHdfWriter> fields;
  for (std::size_t i = 0; i < c.frequencies.size(); ++i) {
    auto solution = [&] {
      const auto timer = run.stage("basis");
      return make_problem(materials, mesh, topology, c.frequencies[i]);
    }();
    warn_if_coarse(solution, run);
    plan_solve(solution, c, run);
    if (run.dry_run()) continue;
    {
      const auto timer = run.stage("fill and solve");
      solve_waves(solution, c, run);
    }
    const auto timer = run.stage("fields and files");
    if (!rcs) rcs = std::make_unique<io::RcsWriter>(run.output("rcs.csv"), run.provenance());
    for (std::size_t w = 0; w < c.waves.size(); ++w) {
      const double absorbed = ie::absorption(solution.basis, solution.epsilon_r, solution.k, solution.of(w));
      report_wave(solution, c, w, absorbed, *rcs, run);
    }
    if (c.fields) {
      if (!fields)
        fields = std::make_unique<io::VtkHdfWriter>(run.output("fields.vtkhdf"), body_grid(mesh),
                                                    run.provenance());
      write_fields(solution, c, mesh, *fields);
    }
    const std::string suffix = c.frequencies.size() == 1 ? "" : fmt::format("_{}", i + 1);
    write_solution(solution, c, run.output("solution" + suffix + ".h5"), run.provenance());
  }
  if (rcs) rcs->close();
  if (fields) fields->close();
}

}  // namespace curlew::apps
