// SPDX-License-Identifier: BSD-3-Clause
// From [[material]], [[boundary]] and [[port]] to a Model. Every message names file, line and what would be
// right.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "fem/model/model.hpp"
#include "fem/model/read_port.hpp"
#include "fem/model/region_rules.hpp"
#include "io/config.hpp"
#include "mesh/surround.hpp"

namespace curlew::fem {
namespace {

Coefficient read_coefficient(const io::Config& table, const char* key) {
  constexpr io::Tensor3 unit{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  if (!table.has(key)) {
    table.get_or<double>(key, 1.0);  // recorded for resolved.toml as users write it
    return 1.0;
  }
  const auto t = table.get_or<io::Tensor3>(key, unit);
  const bool isotropic = t[0] == t[4] && t[4] == t[8] && t[1] == 0.0 && t[2] == 0.0 && t[3] == 0.0 &&
                         t[5] == 0.0 && t[6] == 0.0 && t[7] == 0.0;
  if (isotropic) {
    table.require(t[0] != 0.0, key, fmt::format("{} must not be zero", key));
    return t[0];
  }
  Mat3<Complex> tensor;
  for (int i = 0; i < 9; ++i) tensor(i / 3, i % 3) = t[std::size_t(i)];
  return tensor;
}

RegionMaterial read_material(const io::Config& table, const mesh::Mesh& mesh) {
  RegionMaterial material;
  material.regions = read_volume_names(table, mesh);
  material.epsilon_r = read_coefficient(table, "epsilon_r");
  material.mu_r = read_coefficient(table, "mu_r");
  material.dispersion = read_dispersion(table);
  if (material.dispersion.table) material.epsilon_r = 0.0;  // the table is all of it
  material.loss_tangent = table.get_or<double>("loss_tangent", 0.0);
  material.conductivity = table.get_or<double>("conductivity", 0.0);
  table.require(material.loss_tangent >= 0, "loss_tangent", "loss_tangent must be 0 or positive");
  table.require(material.conductivity >= 0, "conductivity", "conductivity must be 0 or positive [S/m]");
  return material;
}

/// Both sides of a thin sheet: resistance [ohm per square], or conductivity and a thickness below the skin
/// depth. Inside the mesh it lets through what it does not carry; on the outside it is backed by a magnetic
/// wall.
double read_sheet(const io::Config& table) {
  const bool by_conductivity = table.has("conductivity");
  table.require(by_conductivity != table.has("sheet_resistance"), "type",
                "a sheet needs sheet_resistance [ohm], or conductivity [S/m] and thickness [m]");
  if (!by_conductivity) return table.positive("sheet_resistance");
  return 1 / (table.positive("conductivity") * table.positive("thickness"));
}

/// @param unit metres in a length of the config
BoundaryCondition read_boundary(const io::Config& table, const mesh::Mesh& mesh, double unit) {
  BoundaryCondition boundary;
  boundary.regions = read_surface_names(table, mesh);
  const std::string type = table.choice("type", {"pec", "pmc", "impedance", "absorbing", "sheet"});
  if (type == "pec") boundary.type = BoundaryType::pec;
  if (type == "pmc") boundary.type = BoundaryType::pmc;
  if (type == "absorbing") {
    boundary.type = BoundaryType::absorbing;
    boundary.order = table.integer_in_or("order", 1, 2, 1);
    if (boundary.order == 2 && table.has("radius")) boundary.radius = unit * table.positive("radius");
  }
  if (type != "impedance" && type != "sheet") return boundary;
  boundary.type = BoundaryType::impedance;
  if (type == "sheet") {
    boundary.surface_impedance = read_sheet(table);
    return boundary;
  }
  const bool by_conductivity = table.has("conductivity");
  table.require(by_conductivity != table.has("surface_impedance"), "type",
                "an impedance boundary needs conductivity [S/m] or surface_impedance [ohm], one of the two");
  if (by_conductivity) {
    boundary.conductivity = table.positive("conductivity");
    boundary.roughness = read_roughness(table);
  } else {
    boundary.surface_impedance = table.get<Complex>("surface_impedance");
    table.require(boundary.surface_impedance.real() >= 0, "surface_impedance",
                  "surface_impedance must not have a negative real part: the wall would give power");
    table.require(boundary.surface_impedance != 0.0, "surface_impedance",
                  "surface_impedance must not be zero (use type = \"pec\")");
  }
  return boundary;
}

/// Layers that were added to the user's mesh hold vacuum unless a [[material]] names them.
void add_grown_materials(const io::Config& config, Model& model) {
  auto layers = grown_layers(config);
  if (config.table("truncation").has("distance")) layers.push_back(mesh::Surround{}.volume);
  for (const auto& layer : layers) {
    const bool stated = std::any_of(model.materials.begin(), model.materials.end(), [&](const auto& m) {
      return std::find(m.regions.begin(), m.regions.end(), layer) != m.regions.end();
    });
    if (!stated) model.materials.push_back({.regions = {layer}});
  }
}

/// Both faces of every pair, on the boundary; Floquet ports need them.
void claim_periodic_faces(const io::Config& config, const Model& model, const mesh::Mesh& mesh,
                          const mesh::Topology& topology, SurfaceClaims& claims) {
  const auto tables = config.tables("periodic");
  if (tables.size() != model.periodicity.pairs.size())
    config.error("periodic", "this program has no periodic faces");
  for (std::size_t p = 0; p < tables.size(); ++p) {
    const auto& pair = model.periodicity.pairs[p];
    for (const char* key : {"primary", "secondary"})
      for (const auto& region : key[0] == 'p' ? pair.primary : pair.secondary) {
        claims.claim(tables[p], region, key);
        require_outer(tables[p], region, "a periodic face", mesh, topology, key);
      }
  }
  const auto ports = config.tables("port");
  for (std::size_t i = 0; i < model.ports.size(); ++i)
    ports[i].require(
        model.ports[i].type != PortType::floquet || lattice_of(model.periodicity).pairs.size() == 2, "type",
        "a Floquet port needs a cell with two pairs of [[periodic]] faces, by translations that "
        "are not parallel");
}

}  // namespace

Model read_model(const io::Config& config, const mesh::Mesh& mesh, const mesh::Topology& topology,
                 const std::vector<std::string>& elsewhere, Periodicity periodicity) {
  Model model;
  model.periodicity = std::move(periodicity);
  model.order = config.table("space").integer_in_or("order", 1, 3, 2);
  for (const auto& table : config.tables("material")) model.materials.push_back(read_material(table, mesh));
  add_grown_materials(config, model);
  std::vector<std::string> filled;
  for (const auto& m : model.materials) filled.insert(filled.end(), m.regions.begin(), m.regions.end());
  check_filled(config, filled, mesh);
  SurfaceClaims claims(mesh);
  for (const auto& table : config.tables("boundary")) {
    model.boundaries.push_back(read_boundary(table, mesh, length_unit(config)));
    for (const auto& region : model.boundaries.back().regions) claims.claim(table, region);
  }
  model.mirrors = read_mirror_planes(config, mesh, model.boundaries);
  for (const auto& table : config.tables("port")) {
    model.ports.push_back(read_port(table, mesh, length_unit(config)));
    claims.claim(table, model.ports.back().region);
    if (model.ports.back().type != PortType::lumped)
      require_outer(table, model.ports.back().region, "a waveguide port", mesh, topology);
  }
  claim_periodic_faces(config, model, mesh, topology, claims);
  for (const auto& region : elsewhere) claims.claim(config.table("truncation"), region);
  for (const auto& layer : grown_layers(config)) {
    model.boundaries.push_back({.regions = {layer + "_back"}, .type = BoundaryType::pec});
    claims.claim(config, layer + "_back");
  }
  claims.check_outer_faces(config, topology, "[[boundary]] or [[port]]");
  model.pml = read_pml(config, mesh, topology, pec_triangles(model, mesh));
  check_pml(config, model, mesh, topology);
  return model;
}

}  // namespace curlew::fem
