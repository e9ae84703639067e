// SPDX-License-Identifier: BSD-3-Clause
// [[pml]] of a config, and what must not touch a layer.
#include <fmt/format.h>

#include "base/error.hpp"
#include "fem/model/model.hpp"
#include "fem/model/region_rules.hpp"
#include "fem/open/pml.hpp"
#include "fem/space.hpp"
#include "io/config.hpp"

namespace curlew::fem {
namespace {

PmlModel read_layer(const io::Config& table, const mesh::Mesh& mesh, const mesh::Topology& topology,
                    std::span<const Index> metal) {
  PmlModel layer;
  layer.regions = read_volume_names(table, mesh);
  const bool round = table.choice_or("type", {"cartesian", "spherical"}, "cartesian") == "spherical";
  Vec3<double> center;
  if (round) center = table.get_or<Vec3<double>>("center", {});
  layer.reflection = table.positive_or("reflection", layer.reflection);
  table.require(layer.reflection < 1, "reflection",
                "reflection must be below 1: it is what the layer leaves of a wave");
  layer.exponent = table.integer_in_or("exponent", 1, 6, layer.exponent);
  if (table.has("frequency")) layer.reference_frequency = table.positive("frequency");
  try {
    layer.geometry = pml_geometry(mesh, topology, layer.regions,
                                  round ? PmlShape::spherical : PmlShape::cartesian, center, metal);
  } catch (const InputError& e) {
    table.error("region", e.what());
  }
  return layer;
}

/// True if a triangle of the region has a cell of a layer on any side.
bool touches(const std::string& region, const std::vector<bool>& layer, const mesh::Mesh& mesh,
             const mesh::Topology& topology) {
  for (const Index t : surface_triangles(mesh, region))
    for (const Index c : topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])])
      if (c >= 0 && layer[std::size_t(c)]) return true;
  return false;
}

}  // namespace

std::vector<PmlModel> read_pml(const io::Config& config, const mesh::Mesh& mesh,
                               const mesh::Topology& topology, std::span<const Index> metal) {
  std::vector<PmlModel> layers;
  for (const auto& table : config.tables("pml")) layers.push_back(read_layer(table, mesh, topology, metal));
  return layers;
}

void check_pml(const io::Config& config, const Model& model, const mesh::Mesh& mesh,
               const mesh::Topology& topology) {
  if (model.pml.empty()) return;
  const auto layer = pml_cells(mesh, model.pml);
  const auto ports = config.tables("port");
  for (std::size_t i = 0; i < model.ports.size(); ++i) {
    if (touches(model.ports[i].region, layer, mesh, topology))
      ports[i].error("region", fmt::format("port \"{}\" lies on a perfectly matched layer, where fields are "
                                           "no fields: keep the port inside",
                                           model.ports[i].region));
  }
  const auto boundaries = config.tables("boundary");
  for (std::size_t i = 0; i < model.boundaries.size(); ++i) {
    const auto type = model.boundaries[i].type;
    if (type != BoundaryType::impedance && type != BoundaryType::absorbing) continue;
    for (const auto& region : model.boundaries[i].regions)
      if (touches(region, layer, mesh, topology))
        boundaries[i].error("region",
                            fmt::format("surface \"{}\" lies on a perfectly matched layer: back the layer by "
                                        "type = \"pec\", which the absorbed wave hardly reaches",
                                        region));
  }
}

}  // namespace curlew::fem
