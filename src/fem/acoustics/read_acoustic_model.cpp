// SPDX-License-Identifier: BSD-3-Clause
// From [[material]], [[boundary]] and [[probe]] to an AcousticModel. Every message names file, line and what
// would be right.

#include <fmt/format.h>

#include <algorithm>

#include "fem/acoustics/acoustic_model.hpp"
#include "fem/model/region_rules.hpp"
#include "io/config.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

using Type = AcousticBoundaryType;

AcousticMedium read_medium(const io::Config& table, const mesh::Mesh& mesh) {
  AcousticMedium medium;
  medium.regions = read_volume_names(table, mesh);
  medium.density = table.get<Complex>("density");
  medium.speed_of_sound = table.get<Complex>("speed_of_sound");
  medium.loss_factor = table.get_or<double>("loss_tangent", 0.0);
  table.require(medium.density.real() > 0, "density",
                "density must be positive [kg/m^3] (its real part, if complex)");
  table.require(medium.density.imag() <= 0, "density", "density must have Im <= 0: loss under exp(+jwt)");
  table.require(medium.speed_of_sound.real() > 0, "speed_of_sound",
                "speed_of_sound must be positive [m/s] (its real part, if complex)");
  table.require(medium.speed_of_sound.imag() >= 0, "speed_of_sound",
                "speed_of_sound must have Im >= 0: waves exp(-jwx/c) then decay");
  table.require(medium.loss_factor >= 0, "loss_tangent", "loss_tangent must be 0 or positive");
  return medium;
}

Type type_from(const std::string& word) {
  if (word == "neumann") return Type::neumann;
  if (word == "impedance") return Type::impedance;
  if (word == "absorbing") return Type::absorbing;
  if (word == "robin") return Type::robin;
  if (word == "dirichlet") return Type::dirichlet;
  return Type::rigid;
}

/// One number along the outward normal, real or [re, im], or [x, y, z] of a body that moves as a whole.
void read_velocity(const io::Config& table, AcousticBoundary& boundary) {
  if (!table.has("velocity")) return;
  if (table.get<std::vector<double>>("velocity").size() == 3)
    boundary.velocity = table.get<Vec3<double>>("velocity");
  else
    boundary.normal_velocity = table.get<Complex>("velocity");
}

void read_impedance(const io::Config& table, AcousticBoundary& boundary) {
  boundary.impedance = table.get<Complex>("surface_impedance");
  table.require(boundary.impedance != 0.0, "surface_impedance",
                "surface_impedance must not be zero [Pa s/m] (use type = \"dirichlet\")");
  table.require(boundary.impedance.real() >= 0, "surface_impedance",
                "surface_impedance must have Re >= 0 [Pa s/m]: the wall would feed power into the fluid");
  read_velocity(table, boundary);
  table.require(!boundary.velocity, "velocity", "the velocity of a lining is one number, along its normal");
}

AcousticBoundary read_boundary(const io::Config& table, const mesh::Mesh& mesh) {
  AcousticBoundary boundary;
  boundary.regions = read_surface_names(table, mesh);
  boundary.type =
      type_from(table.choice("type", {"rigid", "neumann", "impedance", "absorbing", "robin", "dirichlet"}));
  switch (boundary.type) {
    case Type::neumann:
      read_velocity(table, boundary);
      break;
    case Type::impedance:
      read_impedance(table, boundary);
      break;
    case Type::robin:
      if (!table.has("alpha") && table.has("surface_impedance")) {  // the same condition by its impedance
        boundary.type = Type::impedance;
        read_impedance(table, boundary);
        break;
      }
      boundary.alpha = table.get<Complex>("alpha");
      boundary.value = table.get_or<Complex>("value", 0.0);
      break;
    case Type::dirichlet:
      boundary.pressure = table.get_or<Complex>("value", 0.0);
      break;
    default:
      break;
  }
  return boundary;
}

AcousticProbe read_probe(const io::Config& table, const mesh::Mesh& mesh) {
  AcousticProbe probe;
  probe.name = table.get<std::string>("name");
  table.require(!probe.name.empty(), "name", "name must not be empty");
  table.require(table.has("point") != table.has("region"), "name",
                "a probe needs either point = [x, y, z] in metres, or region, the name of a surface");
  probe.point = table.find<Vec3<double>>("point");
  if (!probe.point) probe.regions = read_surface_names(table, mesh);
  return probe;
}

void check_probe_names(const io::Config& config, const std::vector<AcousticProbe>& probes) {
  for (std::size_t i = 0; i < probes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (probes[i].name == probes[j].name)
        config.error("probe", fmt::format("two probes are called \"{}\"", probes[i].name));
}

/// A cell of another region adjacent to one of a region; -1: none.
Index cell_beside(const mesh::Region& region, const mesh::Mesh& mesh, const mesh::Topology& topology) {
  std::vector<char> inside(std::size_t(mesh.num_cells()), 0);
  for (const Index cell : region.entities) inside[std::size_t(cell)] = 1;
  for (const auto& [a, b] : topology.face_cells)
    if (b >= 0 && inside[std::size_t(a)] != inside[std::size_t(b)]) return inside[std::size_t(a)] ? b : a;
  return -1;
}

/// A grown layer without [[material]] gets the adjacent medium.
void add_grown_media(const io::Config& config, const mesh::Mesh& mesh, const mesh::Topology& topology,
                     AcousticModel& model) {
  for (const auto& layer : grown_layers(config)) {
    const auto fills = [&](const AcousticMedium& m) { return std::ranges::count(m.regions, layer) > 0; };
    if (std::ranges::any_of(model.media, fills)) continue;
    const Index beside = cell_beside(mesh::volume_named(mesh, layer), mesh, topology);
    const auto continues = [&](const AcousticMedium& m) {
      return std::ranges::any_of(m.regions, [&](const auto& name) {
        return std::ranges::count(mesh::volume_named(mesh, name).entities, beside) > 0;
      });
    };
    const auto medium = std::ranges::find_if(model.media, continues);
    if (medium != model.media.end()) medium->regions.push_back(layer);
  }
}

}  // namespace

AcousticModel read_acoustic_model(const io::Config& config, mesh::Mesh& mesh, mesh::Topology& topology) {
  AcousticModel model;
  model.order = config.table("space").integer_in_or("order", 1, 3, 2);
  std::vector<std::string> filled;
  for (const auto& table : config.tables("material")) model.media.push_back(read_medium(table, mesh));
  add_grown_media(config, mesh, topology, model);
  for (const auto& m : model.media) filled.insert(filled.end(), m.regions.begin(), m.regions.end());
  check_filled(config, filled, mesh);
  SurfaceClaims claims(mesh);
  for (const auto& table : config.tables("boundary")) {
    model.boundaries.push_back(read_boundary(table, mesh));
    for (const auto& region : model.boundaries.back().regions) {
      claims.claim(table, region);
      if (model.boundaries.back().type != Type::dirichlet)
        require_outer(table, region, "a condition other than dirichlet", mesh, topology);
    }
  }
  for (const auto& layer : grown_layers(config)) {
    model.boundaries.push_back({{layer + "_back"}, Type::rigid});
    claims.claim(config, layer + "_back");
  }
  claims.check_outer_faces(config, topology, "[[boundary]], type = \"rigid\" for a hard wall");
  read_open_sound(config, mesh, topology, model);
  for (const auto& table : config.tables("probe")) model.probes.push_back(read_probe(table, mesh));
  check_probe_names(config, model.probes);
  return model;
}

}  // namespace curlew::fem
