// SPDX-License-Identifier: BSD-3-Clause
// From [[material]], [[boundary]] and [[port]] to a Model. Every message names file, line and what would be
// right.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "fem/model/model.hpp"
#include "fem/model/read_port.hpp"
#include "fem/model/region_rules.hpp"
#include "fem/model/shared_rims.hpp"
#include "io/config.hpp"
#include "material/medium.hpp"
#include "mesh/regions.hpp"
#include "mesh/surround.hpp"

namespace curlew::fem {
namespace {

Coefficient coefficient_of(const material::Tensor& t) {
  if (material::is_isotropic(t)) return t[0];
  Mat3<Complex> tensor;
  for (int i = 0; i < 9; ++i) tensor(i / 3, i % 3) = t[std::size_t(i)];
  return tensor;
}

RegionMaterial read_material(const io::Config& table, const mesh::Mesh& mesh) {
  const auto regions = read_volume_names(table, mesh);
  const auto medium = material::read_medium(table, material::MediumKind::tensor);
  return {.regions = regions,
          .epsilon_r = coefficient_of(medium.epsilon_r),
          .mu_r = coefficient_of(medium.mu_r),
          .loss_tangent = medium.loss_tangent,
          .conductivity = medium.conductivity,
          .dispersion = medium.dispersion};
}

/// Layers added to the user's mesh are vacuum unless a [[material]] names them.
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
    config.error("periodic", "this program does not support periodic faces");
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
        !model.ports[i].kind->ends_periodic_cell() || lattice_of(model.periodicity).pairs.size() == 2, "type",
        "a Floquet port needs a cell with two pairs of [[periodic]] faces, by translations that "
        "are not parallel");
}

/// Reads orders of the mesh and of regions, and those of adaptive passes.
void read_orders(const io::Config& config, const mesh::Mesh& mesh, Model& model) {
  const io::Config space = config.table("space");
  model.order = space.integer_in_or("order", 1, max_order, 2);
  CellOrders orders(std::size_t(mesh.num_cells()), std::int8_t(model.order));
  const io::Config regions = space.table("orders");
  for (const std::string& name : regions.keys()) {
    const auto volume = std::find_if(mesh.volumes.begin(), mesh.volumes.end(),
                                     [&](const mesh::Region& region) { return region.name == name; });
    regions.require(volume != mesh.volumes.end(), name,
                    fmt::format("region \"{}\" is not in {} (volumes: {})", name, mesh.name,
                                fmt::join(names_of(mesh.volumes), ", ")));
    const int order = regions.integer_in(name, 1, max_order);
    for (const Index c : volume->entities) orders[std::size_t(c)] = std::int8_t(order);
  }
  for (std::size_t c = 0; c < mesh.element_orders.size(); ++c)
    orders[c] = std::max(orders[c], mesh.element_orders[c]);
  if (orders.empty()) return;
  const auto [least, highest] = std::minmax_element(orders.begin(), orders.end());
  model.order = *least;
  if (*least == *highest) return;
  if (config.has("periodic"))
    space.error("orders", "cells between [[periodic]] faces must have the same order");
  model.cell_orders = std::move(orders);
}

/// Two ports of one name could not be told apart in the files.
void require_distinct(const io::Config& table, const PortModel& port, const std::vector<PortModel>& others) {
  table.require(std::ranges::none_of(others, [&](const auto& o) { return o.title() == port.title(); }),
                "name", fmt::format("two ports are named \"{}\": give each a name of its own", port.title()));
}

}  // namespace

std::vector<BoundaryCondition> read_boundaries(const io::Config& config, const mesh::Mesh& mesh) {
  std::vector<BoundaryCondition> boundaries;
  for (const auto& table : config.tables("boundary"))
    boundaries.push_back({read_surface_names(table, mesh), read_condition(table, length_unit(config))});
  return boundaries;
}

Model read_model(const io::Config& config, const mesh::Mesh& mesh, const mesh::Topology& topology,
                 const std::vector<std::string>& elsewhere, Periodicity periodicity) {
  Model model;
  model.periodicity = std::move(periodicity);
  read_orders(config, mesh, model);
  for (const auto& table : config.tables("material")) model.materials.push_back(read_material(table, mesh));
  add_grown_materials(config, model);
  std::vector<std::string> filled;
  for (const auto& m : model.materials) filled.insert(filled.end(), m.regions.begin(), m.regions.end());
  check_filled(config, filled, mesh);
  SurfaceClaims claims(mesh);
  model.boundaries = read_boundaries(config, mesh);
  const auto tables = config.tables("boundary");
  for (std::size_t b = 0; b < tables.size(); ++b)
    for (const auto& region : model.boundaries[b].regions) claims.claim(tables[b], region);
  model.mirrors = read_mirror_planes(config, mesh, model.boundaries);
  for (const auto& table : config.tables("port")) {
    auto port = read_port(table, mesh, length_unit(config));
    claims.claim(table, port.region);
    require_distinct(table, port, model.ports);
    if (port.kind->is_outer()) require_outer(table, port.region, "a waveguide port", mesh, topology);
    model.ports.push_back(std::move(port));
  }
  claim_periodic_faces(config, model, mesh, topology, claims);
  for (const auto& region : elsewhere) claims.claim(config.table("truncation"), region);
  for (const auto& layer : grown_layers(config)) {
    model.boundaries.push_back({{layer + "_back"}, pec_condition()});
    claims.claim(config, layer + "_back");
  }
  claims.check_outer_faces(config, topology, "[[boundary]] or [[port]]");
  model.pml = read_pml(config, mesh, topology, pec_triangles(model, mesh));
  check_pml(config, model, mesh, topology);
  state_shared_rims(model, mesh, topology);
  return model;
}

}  // namespace curlew::fem
