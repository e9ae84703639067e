// SPDX-License-Identifier: BSD-3-Clause
#include "ie_films.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "ie/accelerated/sheet_system.hpp"
#include "ie/volume/volume_system.hpp"
#include "ie_accelerated.hpp"
#include "io/hdf5.hpp"
#include "io/vtkhdf.hpp"
#include "run/mesh_input.hpp"

namespace curlew::apps {
namespace {

/// One [[boundary]]: a film or a perfect conductor.
struct Film {
  std::vector<std::string> regions;
  double thickness = 0;  ///< [m]; 0: a perfect conductor
  Permittivity epsilon_r;
};

std::vector<Film> read_films(const io::Config& config) {
  std::vector<Film> films;
  for (const auto& t : config.tables("boundary")) {
    Film film{t.get<std::vector<std::string>>("region"), 0, {}};
    if (t.choice("type", {"pec", "film"}) == "film") {
      film.thickness = t.positive("thickness");
      film.epsilon_r = read_permittivity(t);
    }
    films.push_back(film);
  }
  if (films.empty())
    throw InputError("the film equation needs a [[boundary]] with region and type = \"film\" or \"pec\"");
  return films;
}

ie::SurfaceMesh film_surfaces(const std::vector<Film>& films, const mesh::Mesh& mesh) {
  std::vector<std::string> names;
  for (const auto& f : films) names.insert(names.end(), f.regions.begin(), f.regions.end());
  return ie::extract_surfaces(mesh, names);
}

/// Zs of every triangle at a frequency [Hz].
std::vector<Complex> impedances(const std::vector<Film>& films, const ie::SurfaceMesh& surface,
                                double frequency) {
  const double k = 2 * pi * frequency / speed_of_light;
  std::vector<Complex> by_tag(surface.tag_names.size());
  for (const auto& f : films) {
    if (f.thickness == 0) continue;
    const Complex z = ie::film_impedance(f.thickness, f.epsilon_r(frequency), k);
    for (std::size_t i = 0; i < by_tag.size(); ++i) {
      if (std::find(f.regions.begin(), f.regions.end(), surface.tag_names[i]) != f.regions.end())
        by_tag[i] = z;
    }
  }
  std::vector<Complex> z;
  for (const int tag : surface.tag) z.push_back(by_tag[std::size_t(tag)]);
  return z;
}

io::VtkGrid surface_grid(const ie::SurfaceMesh& surface) {
  io::VtkGrid grid;
  grid.points = surface.nodes;
  for (const auto& t : surface.triangles) {
    const std::int64_t points[3] = {t[0], t[1], t[2]};
    grid.add_cell(io::VtkCell::triangle, points, 3);
  }
  return grid;
}

void write_currents(const AcceleratedSolution& s, std::size_t num_waves, io::VtkHdfWriter& writer) {
  writer.begin_step(s.frequency);
  for (std::size_t w = 0; w < num_waves; ++w) {
    std::vector<Complex> j;
    for (const auto& v : ie::centre_currents(s.system, s.of(w))) j.insert(j.end(), {v.x, v.y, v.z});
    writer.cell_array(w == 0 ? "J" : fmt::format("J_{}", w), j, 3,
                      {"A/m", "surface current density, the sum of both sides, for a wave of 1 V/m"});
  }
}

void write_solution(const AcceleratedSolution& s, std::size_t num_waves, const std::string& path,
                    const io::Provenance& provenance) {
  auto file = io::H5File::create(path);
  file.write_provenance(provenance, "curlew-ie-film-solution", 1);
  file.set_attribute("frequency_hz", s.frequency);
  file.write("x", s.x, {"A/m", "current density across the edges [wave, edge]"},
             {std::uint64_t(num_waves), std::uint64_t(s.system.sources.num_cols)});
  file.close();
}

}  // namespace

void solve_film_equation(const io::Config& config, run::Run& run) {
  config.table("formulation").choice("equation", {"film"});
  AcceleratedConfig c = read_accelerated_config(config, run);
  const auto films = read_films(config);
  const auto mesh = run::load_mesh(config, run, mesh::MeshUse::surfaces);
  config.check_unknown_keys();
  const auto surface = film_surfaces(films, mesh);
  const ie::RwgSpace space(surface);
  start_table(run);
  std::unique_ptr<io::RcsWriter> rcs;
  std::unique_ptr<io::VtkHdfWriter> currents;
  for (std::size_t i = 0; i < c.frequencies.size(); ++i) {
    const double frequency = c.frequencies[i], k = 2 * pi * frequency / speed_of_light;
    AcceleratedSolution solution{
        frequency, k, ie::make_sheet_system(surface, space, impedances(films, surface, frequency), k), {}};
    plan_solve(solution, c, run);
    if (run.dry_run()) continue;
    {
      const auto timer = run.stage("fill and solve");
      solve_waves(solution, c, run);
    }
    const auto timer = run.stage("fields and files");
    if (!rcs) rcs = std::make_unique<io::RcsWriter>(run.output("rcs.csv"), run.provenance());
    for (std::size_t w = 0; w < c.waves.size(); ++w) {
      // Over the power density of the wave, 1/(2 eta) for 1 V/m.
      const double absorbed = 2 * vacuum_impedance * ie::absorbed_power(solution.system, solution.of(w));
      report_wave(solution, c, w, absorbed, *rcs, run);
    }
    if (c.fields) {
      if (!currents)
        currents = std::make_unique<io::VtkHdfWriter>(run.output("currents.vtkhdf"), surface_grid(surface),
                                                      run.provenance());
      write_currents(solution, c.waves.size(), *currents);
    }
    const std::string suffix = c.frequencies.size() == 1 ? "" : fmt::format("_{}", i + 1);
    write_solution(solution, c.waves.size(), run.output("solution" + suffix + ".h5"), run.provenance());
  }
  if (rcs) rcs->close();
  if (currents) currents->close();
}

}  // namespace curlew::apps
