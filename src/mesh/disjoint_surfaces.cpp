// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/disjoint_surfaces.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace curlew::mesh {
namespace {

const std::string between = " & ";  ///< names of surfaces that share triangles

}  // namespace

std::optional<Mesh> with_disjoint_surfaces(const Mesh& mesh, std::span<const std::string> whole) {
  const auto is_whole = [&](const Region& surface) {
    return std::ranges::find(whole, surface.name) != whole.end();
  };
  std::map<Index, std::vector<const Region*>> owners;
  for (const Region& surface : mesh.surfaces)
    for (const Index t : surface.entities) owners[t].push_back(&surface);
  std::erase_if(owners, [](const auto& of) { return of.second.size() < 2; });
  if (owners.empty()) return std::nullopt;
  Mesh apart = mesh;
  for (Region& surface : apart.surfaces)
    if (!is_whole(surface)) std::erase_if(surface.entities, [&](Index t) { return owners.contains(t); });
  std::erase_if(apart.surfaces, [](const Region& surface) { return surface.entities.empty(); });
  std::map<std::string, std::vector<Index>> parts;
  for (const auto& [triangle, surfaces] : owners) {
    if (std::ranges::any_of(surfaces, [&](const Region* s) { return is_whole(*s); })) continue;
    std::string name = surfaces[0]->name;
    for (const Region* other : std::span(surfaces).subspan(1)) name += between + other->name;
    parts[name].push_back(triangle);
  }
  for (auto& [name, triangles] : parts) apart.surfaces.push_back({name, std::move(triangles)});
  return apart;
}

bool is_part_of(const std::string& surface, const std::string& name) {
  return (between + surface + between).find(between + name + between) != std::string::npos;
}

}  // namespace curlew::mesh
