// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/regions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"

namespace curlew::mesh {
namespace {

std::vector<Index> first_nodes(const Mesh& mesh, std::span<const Index> triangles, int count) {
  std::vector<Index> nodes;
  for (const Index t : triangles) nodes.insert(nodes.end(), mesh.triangle(t), mesh.triangle(t) + count);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

std::vector<std::string> names_of(const std::vector<Region>& regions) {
  std::vector<std::string> names;
  for (const auto& region : regions) names.push_back(region.name);
  return names;
}

const Region* find_region(const std::vector<Region>& regions, const std::string& name) {
  const auto at =
      std::find_if(regions.begin(), regions.end(), [&](const Region& region) { return region.name == name; });
  return at == regions.end() ? nullptr : &*at;
}

std::string volume_of(const Mesh& mesh, Index cell) {
  for (const Region& volume : mesh.volumes)
    if (std::ranges::find(volume.entities, cell) != volume.entities.end()) return volume.name;
  return {};
}

const Region& volume_named(const Mesh& mesh, const std::string& name) {
  if (const Region* volume = find_region(mesh.volumes, name)) return *volume;
  throw InputError(no_region(mesh, "volume", name));
}

const Region& surface_named(const Mesh& mesh, const std::string& name) {
  if (const Region* surface = find_region(mesh.surfaces, name)) return *surface;
  throw InputError(no_region(mesh, "surface", name));
}

std::string no_region(const Mesh& mesh, const char* kind, const std::string& name) {
  const auto& regions = std::string_view(kind) == "volume" ? mesh.volumes : mesh.surfaces;
  return fmt::format("region \"{}\" is not in {} ({}s: {})", name, mesh.name, kind,
                     fmt::join(names_of(regions), ", "));
}

std::vector<Index> triangles_of(const Mesh& mesh, std::span<const std::string> surfaces) {
  std::vector<Index> triangles;
  for (const auto& name : surfaces) {
    const auto& more = surface_named(mesh, name).entities;
    triangles.insert(triangles.end(), more.begin(), more.end());
  }
  return triangles;
}

std::vector<Index> nodes_of(const Mesh& mesh, std::span<const Index> triangles) {
  return first_nodes(mesh, triangles, mesh.nodes_per_triangle());
}

std::vector<Index> vertices_of(const Mesh& mesh, std::span<const Index> triangles) {
  return first_nodes(mesh, triangles, 3);
}

double mean_edge(const Mesh& mesh, std::span<const Index> triangles) {
  double sum = 0;
  for (const Index t : triangles)
    for (const auto& [a, b] : triangle_edge_vertices)
      sum +=
          norm(mesh.nodes[std::size_t(mesh.triangle(t)[a])] - mesh.nodes[std::size_t(mesh.triangle(t)[b])]);
  return sum / (3 * double(triangles.size()));
}

}  // namespace curlew::mesh
