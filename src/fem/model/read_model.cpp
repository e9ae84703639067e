// SPDX-License-Identifier: BSD-3-Clause
// From [[material]], [[boundary]] and [[port]] to a Model. Every message names file, line and what would be
// right.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"
#include "io/config.hpp"

namespace curlew::fem {
namespace {

std::vector<std::string> names_of(const std::vector<mesh::Region>& regions) {
  std::vector<std::string> names;
  for (const auto& region : regions) names.push_back(region.name);
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The "region" key: names that are all among `known`.
std::vector<std::string> read_regions(const io::Config& table, const std::vector<std::string>& known,
                                      const char* kind, const mesh::Mesh& mesh) {
  const auto regions = table.get<std::vector<std::string>>("region");
  table.require(!regions.empty(), "region", fmt::format("needs the name of a {}", kind));
  for (const auto& region : regions) {
    table.require(
        contains(known, region), "region",
        fmt::format("region \"{}\" is not in {} ({}s: {})", region, mesh.name, kind, fmt::join(known, ", ")));
  }
  return regions;
}

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
    table.require(t[0] != 0.0, key, "must not be zero");
    return t[0];
  }
  Mat3<Complex> tensor;
  for (int i = 0; i < 9; ++i) tensor(i / 3, i % 3) = t[std::size_t(i)];
  return tensor;
}

RegionMaterial read_material(const io::Config& table, const mesh::Mesh& mesh) {
  RegionMaterial material;
  material.regions = read_regions(table, names_of(mesh.volumes), "volume", mesh);
  material.epsilon_r = read_coefficient(table, "epsilon_r");
  material.mu_r = read_coefficient(table, "mu_r");
  material.loss_tangent = table.get_or<double>("loss_tangent", 0.0);
  material.conductivity = table.get_or<double>("conductivity", 0.0);
  table.require(material.loss_tangent >= 0, "loss_tangent", "must be 0 or positive");
  table.require(material.conductivity >= 0, "conductivity", "must be 0 or positive [S/m]");
  return material;
}

BoundaryCondition read_boundary(const io::Config& table, const mesh::Mesh& mesh) {
  BoundaryCondition boundary;
  boundary.regions = read_regions(table, names_of(mesh.surfaces), "surface", mesh);
  const std::string type = table.choice("type", {"pec", "pmc", "impedance", "absorbing"});
  if (type == "pec") boundary.type = BoundaryType::pec;
  if (type == "pmc") boundary.type = BoundaryType::pmc;
  if (type == "absorbing") boundary.type = BoundaryType::absorbing;
  if (type != "impedance") return boundary;
  boundary.type = BoundaryType::impedance;
  const bool by_conductivity = table.has("conductivity");
  table.require(by_conductivity != table.has("surface_impedance"), "type",
                "an impedance boundary needs conductivity [S/m] or surface_impedance [ohm], one of the two");
  if (by_conductivity) {
    boundary.conductivity = table.positive("conductivity");
  } else {
    boundary.surface_impedance = table.get<Complex>("surface_impedance");
    table.require(boundary.surface_impedance != 0.0, "surface_impedance",
                  "must not be zero (use type = \"pec\")");
  }
  return boundary;
}

PortModel read_port(const io::Config& table, const mesh::Mesh& mesh) {
  PortModel port;
  const auto regions = read_regions(table, names_of(mesh.surfaces), "surface", mesh);
  table.require(regions.size() == 1, "region", "a port is one surface");
  port.region = regions[0];
  table.choice_or("type", {"waveguide"}, "waveguide");
  port.modes = table.integer_in_or("modes", 1, 100, 1);
  port.excite = table.get_or<bool>("excite", false);
  return port;
}

/// Who has claimed each triangle: no triangle may carry two conditions.
class Claims {
 public:
  Claims(const mesh::Mesh& mesh) : mesh_(mesh), owner_(std::size_t(mesh.num_triangles()), -1) {}

  void claim(const io::Config& table, const std::string& region) {
    const int me = int(who_.size());
    who_.push_back(fmt::format("{} (region \"{}\")", table.path(), region));
    for (const Index t : surface_triangles(mesh_, region)) {
      const int other = owner_[std::size_t(t)];
      table.require(other < 0, "region",
                    fmt::format("surface \"{}\" already has a condition by {}", region,
                                other < 0 ? "" : who_[std::size_t(other)]));
      owner_[std::size_t(t)] = me;
    }
  }
  bool is_claimed(Index triangle) const { return owner_[std::size_t(triangle)] >= 0; }

 private:
  const mesh::Mesh& mesh_;
  std::vector<int> owner_;
  std::vector<std::string> who_;
};

void check_materials(const io::Config& config, const Model& model, const mesh::Mesh& mesh) {
  std::map<std::string, int> uses;
  for (const auto& m : model.materials) {
    for (const auto& region : m.regions) ++uses[region];
  }
  for (const auto& [region, count] : uses) {
    if (count > 1) config.error("material", fmt::format("volume \"{}\" has {} materials", region, count));
  }
  std::vector<char> filled(std::size_t(mesh.num_cells()), 0);
  for (const auto& volume : mesh.volumes) {
    if (uses.count(volume.name) == 0) continue;
    for (const Index c : volume.entities) filled[std::size_t(c)] = 1;
  }
  for (const auto& volume : mesh.volumes) {
    for (const Index c : volume.entities) {
      if (filled[std::size_t(c)]) continue;
      throw InputError(
          fmt::format("{}: volume \"{}\" of {} has no [[material]] (add one with region = \"{}\")",
                      config.file(), volume.name, mesh.name, volume.name));
    }
  }
}

/// Every outer face carries a condition: a forgotten one would silently be a magnetic wall.
void check_outer_faces(const io::Config& config, const Claims& claims, const mesh::Mesh& mesh,
                       const mesh::Topology& topology) {
  std::vector<char> covered(std::size_t(topology.num_faces()), 0);
  std::string unclaimed;
  for (const auto& surface : mesh.surfaces) {
    for (const Index t : surface.entities) {
      if (claims.is_claimed(t)) covered[std::size_t(topology.triangle_face[std::size_t(t)])] = 1;
    }
  }
  Index bare = 0, example = -1;
  for (Index f = 0; f < topology.num_faces(); ++f) {
    if (topology.face_cells[std::size_t(f)][1] >= 0 || covered[std::size_t(f)]) continue;
    ++bare;
    example = f;
  }
  if (bare == 0) return;
  const Vec3<double> p = mesh.nodes[std::size_t(topology.faces[std::size_t(example)][0])];
  throw InputError(
      fmt::format("{}: {} outer faces of {} have no condition, one at ({:.4g}, {:.4g}, {:.4g}) m: give their "
                  "surface a [[boundary]] "
                  "or [[port]] (surfaces: {})",
                  config.file(), bare, mesh.name, p.x, p.y, p.z, fmt::join(names_of(mesh.surfaces), ", ")));
}

void check_port_on_boundary(const io::Config& table, const PortModel& port, const mesh::Mesh& mesh,
                            const mesh::Topology& topology) {
  for (const Index t : surface_triangles(mesh, port.region)) {
    const auto& cells = topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])];
    table.require(cells[1] < 0, "region",
                  fmt::format("surface \"{}\" lies inside the mesh; a waveguide port must be on its boundary",
                              port.region));
  }
}

}  // namespace

Model read_model(const io::Config& config, const mesh::Mesh& mesh, const mesh::Topology& topology) {
  Model model;
  model.order = config.table("space").integer_in_or("order", 1, 3, 2);
  for (const auto& table : config.tables("material")) model.materials.push_back(read_material(table, mesh));
  check_materials(config, model, mesh);
  Claims claims(mesh);
  for (const auto& table : config.tables("boundary")) {
    model.boundaries.push_back(read_boundary(table, mesh));
    for (const auto& region : model.boundaries.back().regions) claims.claim(table, region);
  }
  for (const auto& table : config.tables("port")) {
    model.ports.push_back(read_port(table, mesh));
    claims.claim(table, model.ports.back().region);
    check_port_on_boundary(table, model.ports.back(), mesh, topology);
  }
  check_outer_faces(config, claims, mesh, topology);
  return model;
}

}  // namespace curlew::fem
