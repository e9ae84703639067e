// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/region_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/error.hpp"
#include "fem/space.hpp"
#include "mesh/length_unit.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

/// @param kind "volume" or "surface"
std::vector<std::string> read_regions(const io::Config& table, const char* kind, const mesh::Mesh& mesh,
                                      std::string_view key) {
  const auto& known = kind == std::string_view("volume") ? mesh.volumes : mesh.surfaces;
  const auto regions = table.get<std::vector<std::string>>(key);
  table.require(!regions.empty(), key, fmt::format("needs the name of a {}", kind));
  for (const auto& region : regions)
    if (mesh::find_region(known, region) == nullptr) table.error(key, mesh::no_region(mesh, kind, region));
  return regions;
}

}  // namespace

double length_unit(const io::Config& config) {
  const io::Config mesh = config.table("mesh");
  return mesh.has("unit") ? mesh::metres_per_unit(mesh.get<std::string>("unit")) : 1.0;
}

std::vector<std::string> read_volume_names(const io::Config& table, const mesh::Mesh& mesh) {
  return read_regions(table, "volume", mesh, "region");
}

std::vector<std::string> read_surface_names(const io::Config& table, const mesh::Mesh& mesh,
                                            std::string_view key) {
  return read_regions(table, "surface", mesh, key);
}

void check_filled(const io::Config& config, const std::vector<std::string>& filled, const mesh::Mesh& mesh) {
  std::map<std::string, int> uses;
  for (const auto& region : filled) ++uses[region];
  for (const auto& [region, count] : uses) {
    if (count > 1)
      config.error("material",
                   fmt::format("volume \"{}\" has {} materials: name it in one [[material]]", region, count));
  }
  std::vector<char> has(std::size_t(mesh.num_cells()), 0);
  for (const auto& volume : mesh.volumes) {
    if (uses.count(volume.name) == 0) continue;
    for (const Index c : volume.entities) has[std::size_t(c)] = 1;
  }
  for (const auto& volume : mesh.volumes) {
    for (const Index c : volume.entities) {
      if (has[std::size_t(c)]) continue;
      throw InputError(
          fmt::format("{}: volume \"{}\" of {} has no [[material]] (add one with region = \"{}\")",
                      config.file(), volume.name, mesh.name, volume.name));
    }
  }
}

SurfaceClaims::SurfaceClaims(const mesh::Mesh& mesh)
    : mesh_(mesh), owner_(std::size_t(mesh.num_triangles()), -1) {}

void SurfaceClaims::claim(const io::Config& table, const std::string& region, std::string_view key) {
  const int me = int(who_.size());
  who_.push_back(fmt::format("{} (region \"{}\")", table.path(), region));
  for (const Index t : surface_triangles(mesh_, region)) {
    const int other = owner_[std::size_t(t)];
    table.require(other < 0, key,
                  fmt::format("surface \"{}\" already has a condition by {}", region,
                              other < 0 ? "" : who_[std::size_t(other)]));
    owner_[std::size_t(t)] = me;
  }
}

void SurfaceClaims::check_outer_faces(const io::Config& config, const mesh::Topology& topology,
                                      const std::string& remedy) const {
  std::vector<char> covered(std::size_t(topology.num_faces()), 0);
  for (Index t = 0; t < mesh_.num_triangles(); ++t) {
    if (owner_[std::size_t(t)] >= 0) covered[std::size_t(topology.triangle_face[std::size_t(t)])] = 1;
  }
  Index bare = 0, example = -1;
  for (Index f = 0; f < topology.num_faces(); ++f) {
    if (topology.face_cells[std::size_t(f)][1] >= 0 || covered[std::size_t(f)]) continue;
    ++bare;
    example = f;
  }
  if (bare == 0) return;
  const Vec3<double> p = mesh_.nodes[std::size_t(topology.faces[std::size_t(example)][0])];
  throw InputError(fmt::format(
      "{}: {} outer faces of {} have no condition, one at ({:.4g}, {:.4g}, {:.4g}) m: give their surface a "
      "{} "
      "(surfaces: {})",
      config.file(), bare, mesh_.name, p.x, p.y, p.z, remedy,
      fmt::join(mesh::names_of(mesh_.surfaces), ", ")));
}

void require_outer(const io::Config& table, const std::string& region, const char* what,
                   const mesh::Mesh& mesh, const mesh::Topology& topology, std::string_view key) {
  for (const Index t : surface_triangles(mesh, region)) {
    const auto& cells = topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])];
    table.require(
        cells[1] < 0, key,
        fmt::format("surface \"{}\" lies inside the mesh; {} must be on its boundary", region, what));
  }
}

}  // namespace curlew::fem
