// SPDX-License-Identifier: BSD-3-Clause
// [[pml]] of a config, and checks of surfaces that must not touch a layer.
#include <fmt/format.h>

#include "base/error.hpp"
#include "fem/model/model.hpp"
#include "fem/model/region_rules.hpp"
#include "fem/open/pml.hpp"
#include "fem/space.hpp"
#include "io/config.hpp"
#include "mesh/extrude_layers.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

std::string grown_name(std::size_t table) {
  return fmt::format("layer{}", table + 1);
}

bool is_spherical(const io::Config& table) {
  return table.has("center");
}

PmlModel read_layer(const io::Config& table, std::size_t number, double unit, const mesh::Mesh& mesh,
                    const mesh::Topology& topology, std::span<const Index> metal) {
  PmlModel layer;
  const bool grown = table.has("around");
  layer.regions = grown ? std::vector{grown_name(number)} : read_volume_names(table, mesh);
  const bool round = is_spherical(table);
  Vec3<double> center;
  if (round) center = unit * table.get<Vec3<double>>("center");
  layer.reflection = table.positive_or("reflection", layer.reflection);
  table.require(layer.reflection < 1, "reflection",
                "reflection must be below 1: it is the amplitude of the reflected wave");
  if (table.has("frequency")) layer.reference_frequency = table.positive("frequency");
  try {
    layer.geometry = pml_geometry(mesh, topology, layer.regions,
                                  round ? PmlShape::spherical : PmlShape::cartesian, center, metal);
  } catch (const InputError& e) {
    table.error(grown ? "around" : "region", e.what());
  }
  return layer;
}

}  // namespace

void grow_layers(const io::Config& config, mesh::Mesh& mesh) {
  const double unit = length_unit(config);
  std::size_t number = 0;
  for (const auto& table : config.tables("pml")) {
    const std::size_t mine = number++;
    if (!table.has("around")) continue;
    table.require(!table.has("region"), "around", "give region or around, not both");
    const auto around = table.get<std::string>("around");
    if (mesh::find_region(mesh.surfaces, around) == nullptr)
      table.error("around", mesh::no_region(mesh, "surface", around));
    mesh::LayerExtrusion extrusion;
    extrusion.spherical = is_spherical(table);
    if (extrusion.spherical) extrusion.center = unit * table.get<Vec3<double>>("center");
    extrusion.thickness = unit * table.positive("thickness");
    extrusion.layers = table.integer_in_or("layers", 1, 20, extrusion.layers);
    extrusion.volume = grown_name(mine);
    extrusion.back = extrusion.volume + "_back";
    try {
      const auto triangles = surface_triangles(mesh, around);
      mesh::extrude_layers(mesh, triangles, extrusion);
    } catch (const InputError& e) {
      table.error("around", fmt::format("\"{}\": {}", around, e.what()));
    }
  }
}

std::vector<std::string> grown_layers(const io::Config& config) {
  std::vector<std::string> names;
  const auto tables = config.tables("pml");
  for (std::size_t i = 0; i < tables.size(); ++i)
    if (tables[i].has("around")) names.push_back(grown_name(i));
  return names;
}

std::vector<PmlModel> read_pml(const io::Config& config, const mesh::Mesh& mesh,
                               const mesh::Topology& topology, std::span<const Index> metal) {
  std::vector<PmlModel> layers;
  for (const auto& table : config.tables("pml"))
    layers.push_back(read_layer(table, layers.size(), length_unit(config), mesh, topology, metal));
  return layers;
}

bool touches_layer(const std::string& surface, const std::vector<bool>& layer, const mesh::Mesh& mesh,
                   const mesh::Topology& topology) {
  for (const Index t : surface_triangles(mesh, surface))
    for (const Index c : topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])])
      if (c >= 0 && layer[std::size_t(c)]) return true;
  return false;
}

void check_pml(const io::Config& config, const Model& model, const mesh::Mesh& mesh,
               const mesh::Topology& topology) {
  if (model.pml.empty()) return;
  const auto layer = pml_cells(mesh, model.pml);
  const auto ports = config.tables("port");
  for (std::size_t i = 0; i < model.ports.size(); ++i) {
    if (touches_layer(model.ports[i].region, layer, mesh, topology))
      ports[i].error("region", fmt::format("port \"{}\" lies on a perfectly matched layer, where fields have "
                                           "no physical meaning: keep the port inside",
                                           model.ports[i].region));
  }
  const auto boundaries = config.tables("boundary");
  for (std::size_t i = 0; i < model.boundaries.size(); ++i) {
    if (!model.boundaries[i]->has_terms()) continue;
    for (const auto& region : model.boundaries[i].regions)
      if (touches_layer(region, layer, mesh, topology))
        boundaries[i].error("region",
                            fmt::format("surface \"{}\" lies on a perfectly matched layer: end the layer by "
                                        "type = \"pec\", which the absorbed wave hardly reaches",
                                        region));
  }
}

}  // namespace curlew::fem
