// SPDX-License-Identifier: BSD-3-Clause
// [[excitation]] of a config.
#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
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

Excitation read_dipoles(const io::Config& table, double unit) {
  Excitation e;
  e.label = "dipole";
  const auto word = table.choice_or("formulation", {"automatic", "scattered", "total"}, "automatic");
  e.formulation = word == "total"       ? Formulation::total
                  : word == "scattered" ? Formulation::scattered
                                        : Formulation::automatic;
  const auto positions = table.get<std::vector<Vec3<double>>>("position");
  const auto directions = read_list<Vec3<double>>(table, "direction", positions.size());
  table.get_or<double>("moment", 1.0);
  const auto moments = table.kind("moment") == io::Config::Kind::missing
                           ? std::vector<Complex>(positions.size(), 1.0)
                           : read_list<Complex>(table, "moment", positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    table.require(norm(directions[i]) > 0, "direction", "direction must not be zero");
    e.dipoles.push_back({unit * positions[i], moments[i] * normalized(directions[i])});
  }
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

/// True if any cell around the point is one of these.
bool is_in(const std::vector<bool>& cells, const mesh::Mesh& mesh, Vec3<double> point) {
  const auto places = locate_point(mesh, point);
  return std::any_of(places.begin(), places.end(), [&](const auto& p) { return cells[std::size_t(p.cell)]; });
}

bool is_vacuum(const RegionMaterial& m) {
  const auto one = [](const Coefficient& c) { return c.is_scalar && c.scalar == 1.0; };
  return one(m.epsilon_r) && one(m.mu_r) && m.loss_tangent == 0 && m.conductivity == 0;
}

void check_layers_in_vacuum(const io::Config& config, const Model& model) {
  for (const auto& layer : model.pml)
    for (const auto& m : model.materials)
      for (const auto& region : layer.regions)
        if (std::find(m.regions.begin(), m.regions.end(), region) != m.regions.end() && !is_vacuum(m))
          config.error(
              "excitation",
              fmt::format("a plane wave comes from vacuum, but layer \"{}\" is filled otherwise", region));
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
  for (const auto& e : excitations) {
    if (e.wave) check_layers_in_vacuum(config, model);
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
