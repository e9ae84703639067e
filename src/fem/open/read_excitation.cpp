// SPDX-License-Identifier: BSD-3-Clause
// [[excitation]] of a config.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/constants.hpp"
#include "fem/model/region_rules.hpp"
#include "fem/open/excitation.hpp"
#include "fem/point_location.hpp"
#include "io/config.hpp"
#include "io/plane_waves.hpp"

namespace curlew::fem {
namespace {

void read_waves(const io::Config& table, std::vector<Excitation>& out) {
  const double amplitude = table.positive_or("amplitude", 1.0);
  for (const auto& w : io::read_plane_waves(table)) {
    Excitation e;
    e.label = fmt::format("wave from theta {} phi {}, {}", w.theta_deg, w.phi_deg, w.polarization);
    e.wave = green::ArrivingWave{w.theta_deg * pi / 180, w.phi_deg * pi / 180, w.angle, amplitude};
    e.polarization = w.polarization;
    out.push_back(e);
  }
}

/// A list with one entry for each of n items, or one entry for all of them.
template <class T>
std::vector<T> read_list(const io::Config& table, const char* key, std::size_t n) {
  auto list = table.get<std::vector<T>>(key);
  table.require(
      list.size() == 1 || list.size() == n, key,
      fmt::format("{} has {} entries for {} positions: give one, or one for each", key, list.size(), n));
  list.resize(n, list.front());
  return list;
}

/// Moments of n dipoles [A m]: numbers, real or [re, im], along `direction`; without it the three components
/// of one vector.
std::vector<Vec3<Complex>> read_moments(const io::Config& table, std::size_t n) {
  if (!table.has("direction")) {
    const auto components = table.get<std::vector<Complex>>("moment");
    table.require(components.size() == 3, "moment",
                  "without direction, moment is a vector: [[re, im], [re, im], [re, im]]");
    const Vec3<Complex> moment{components[0], components[1], components[2]};
    table.require(std::norm(moment.x) + std::norm(moment.y) + std::norm(moment.z) > 0, "moment",
                  "moment must not be zero");
    return std::vector<Vec3<Complex>>(n, moment);
  }
  const auto directions = read_list<Vec3<double>>(table, "direction", n);
  const auto sizes = table.has("moment") ? read_list<Complex>(table, "moment", n)
                                         : std::vector<Complex>(n, table.get_or<double>("moment", 1.0));
  std::vector<Vec3<Complex>> moments;
  for (std::size_t i = 0; i < n; ++i) {
    table.require(norm(directions[i]) > 0, "direction", "direction must not be zero");
    table.require(sizes[i] != 0.0, "moment", "moment must not be zero");
    moments.push_back(sizes[i] * normalized(directions[i]));
  }
  return moments;
}

Excitation read_dipoles(const io::Config& table, double unit) {
  Excitation e;
  e.label = "dipole";
  const auto word = table.choice_or("formulation", {"automatic", "scattered", "total"}, "automatic");
  e.formulation = word == "total"       ? Formulation::total
                  : word == "scattered" ? Formulation::scattered
                                        : Formulation::automatic;
  const auto positions = table.get<std::vector<Vec3<double>>>("position");
  const auto moments = read_moments(table, positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) e.dipoles.push_back({unit * positions[i], moments[i]});
  return e;
}

Excitation read_current(const io::Config& table, const mesh::Mesh& mesh) {
  Excitation e;
  e.label = "current";
  const auto density = table.get<Vec3<double>>("density");
  const double phase = table.get_or<double>("phase", 0.0) * pi / 180;
  for (const auto& region : read_volume_names(table, mesh))
    e.currents.push_back({region, Complex(std::cos(phase), std::sin(phase)) * density});
  return e;
}

/// True if any cell around the point is in the set.
bool is_in(const std::vector<bool>& cells, const mesh::Mesh& mesh, Vec3<double> point) {
  const auto places = locate_point(mesh, point);
  return std::any_of(places.begin(), places.end(), [&](const auto& p) { return cells[std::size_t(p.cell)]; });
}

void check_layers_in_vacuum(const io::Config& config, const Model& model) {
  for (const auto& layer : model.pml)
    for (const auto& m : model.materials)
      for (const auto& region : layer.regions)
        if (std::find(m.regions.begin(), m.regions.end(), region) != m.regions.end() &&
            !same_medium(m, RegionMaterial{}))
          config.error("excitation",
                       fmt::format("a plane wave comes from vacuum, but layer \"{}\" contains another medium",
                                   region));
}

/// True if a cell at the surface, by its vertices, is not vacuum.
bool touches_matter(const std::string& surface, const Model& model, const mesh::Mesh& mesh) {
  const auto material = material_of_cells(model, mesh);
  std::set<std::array<Index, 3>> faces;
  for (const Index t : surface_triangles(mesh, surface)) {
    std::array<Index, 3> face{mesh.triangle(t)[0], mesh.triangle(t)[1], mesh.triangle(t)[2]};
    std::sort(face.begin(), face.end());
    faces.insert(face);
  }
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const Index m = material[std::size_t(c)];
    if (m < 0 || same_medium(model.materials[std::size_t(m)], RegionMaterial{})) continue;
    for (const auto& corners : mesh::cell_face_vertices) {
      std::array<Index, 3> face{mesh.cell(c)[corners[0]], mesh.cell(c)[corners[1]], mesh.cell(c)[corners[2]]};
      std::sort(face.begin(), face.end());
      if (faces.count(face)) return true;
    }
  }
  return false;
}

void check_boundaries_in_vacuum(const io::Config& config, const Model& model, const mesh::Mesh& mesh) {
  for (const auto& boundary : model.boundaries) {
    if (!boundary->is_absorbing()) continue;
    for (const auto& region : boundary.regions)
      if (touches_matter(region, model, mesh))
        config.error("excitation", fmt::format("a plane wave comes from vacuum, but the absorbing boundary "
                                               "\"{}\" touches another medium",
                                               region));
  }
}

/// Whether perfect walls alone bound the model.
bool is_closed(const Model& model) {
  return model.pml.empty() && model.ports.empty() && model.periodicity.empty() &&
         std::ranges::all_of(model.boundaries, [](const auto& b) { return b->is_pec() || b->is_pmc(); });
}

}  // namespace

std::vector<Excitation> read_excitations(const io::Config& config, const mesh::Mesh& mesh) {
  const double unit = length_unit(config);
  std::vector<Excitation> out;
  for (const auto& table : config.tables("excitation")) {
    const auto type = table.choice("type", {"plane_wave", "dipole", "current"});
    if (type == "plane_wave") read_waves(table, out);
    if (type == "dipole") out.push_back(read_dipoles(table, unit));
    if (type == "current") out.push_back(read_current(table, mesh));
  }
  if (out.size() > 1)
    for (std::size_t i = 0; i < out.size(); ++i)
      if (!out[i].wave) out[i].label += fmt::format(" {}", i + 1);
  return out;
}

void check_excitations(const io::Config& config, const std::vector<Excitation>& excitations,
                       const Model& model, const mesh::Mesh& mesh) {
  const auto layer = pml_cells(mesh, model.pml);
  const auto volume_is_layer = [&](const std::string& name) {
    return std::any_of(model.pml.begin(), model.pml.end(), [&](const auto& l) {
      return std::find(l.regions.begin(), l.regions.end(), name) != l.regions.end();
    });
  };
  const bool waves =
      std::any_of(excitations.begin(), excitations.end(), [](const auto& e) { return e.wave; });
  if (waves && is_closed(model))
    config.error("excitation",
                 "a plane wave does not reach the inside of a closed box of metal: end the model "
                 "by an absorbing boundary or [[pml]]");
  if (waves) check_layers_in_vacuum(config, model), check_boundaries_in_vacuum(config, model, mesh);
  for (const auto& e : excitations) {
    for (const auto& current : e.currents)
      if (volume_is_layer(current.region))
        config.error("excitation", fmt::format("current in \"{}\": that region is a perfectly matched layer, "
                                               "where no source may be",
                                               current.region));
    for (const auto& dipole : e.dipoles) {
      const auto p = dipole.position;
      const auto where = fmt::format("({:.6g}, {:.6g}, {:.6g}) m", p.x, p.y, p.z);
      if (locate_point(mesh, p).empty())
        config.error("excitation", fmt::format("dipole at {} lies outside of {}", where, mesh.name));
      if (is_in(layer, mesh, p))
        config.error("excitation", fmt::format("dipole at {} touches a perfectly matched layer: sources must "
                                               "be inside of it",
                                               where));
    }
  }
}

}  // namespace curlew::fem
