// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/surface_names.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <map>

#include "mesh/disjoint_surfaces.hpp"
#include "mesh/regions.hpp"

namespace curlew::mesh {
namespace {

using Face = std::array<Index, 3>;

/// Faces of a volume's cells that only one of them has.
std::map<Face, int> boundary_faces(const Mesh& mesh, const Region& volume) {
  std::map<Face, int> uses;
  for (const Index c : volume.entities)
    for (const auto& f : cell_face_vertices)
      ++uses[{mesh.cell(c)[f[0]], mesh.cell(c)[f[1]], mesh.cell(c)[f[2]]}];
  std::erase_if(uses, [](const auto& use) { return use.second != 1; });
  return uses;
}

std::vector<std::string> surfaces_around(const Mesh& mesh, const Region& volume) {
  const auto faces = boundary_faces(mesh, volume);
  std::vector<std::string> out;
  for (const auto& surface : mesh.surfaces) {
    const bool around = std::all_of(surface.entities.begin(), surface.entities.end(), [&](Index t) {
      const Index* n = mesh.triangle(t);
      return faces.count({n[0], n[1], n[2]}) != 0;
    });
    if (around && !surface.entities.empty()) out.push_back(surface.name);
  }
  return out;
}

}  // namespace

std::vector<std::string> named_surfaces(const Mesh& mesh, const std::string& stated) {
  std::vector<std::string> out;
  for (const auto& surface : mesh.surfaces)
    if (is_part_of(surface.name, stated)) out.push_back(surface.name);
  if (!out.empty()) return out;
  if (const auto* volume = find_region(mesh.volumes, stated)) return surfaces_around(mesh, *volume);
  for (const auto& surface : mesh.surfaces)
    if (fnmatch(stated.c_str(), surface.name.c_str(), 0) == 0) out.push_back(surface.name);
  return out;
}

std::size_t faces_without_surface(const Mesh& mesh, const std::vector<std::string>& stated) {
  Region body;
  for (const auto& name : stated) {
    const auto* volume = find_region(mesh.volumes, name);
    const bool has_surfaces =
        std::ranges::any_of(mesh.surfaces, [&](const Region& s) { return is_part_of(s.name, name); });
    if (volume == nullptr || has_surfaces) continue;
    body.entities.insert(body.entities.end(), volume->entities.begin(), volume->entities.end());
  }
  auto faces = boundary_faces(mesh, body);
  for (const auto& surface : mesh.surfaces)
    for (const Index t : surface.entities) {
      const Index* n = mesh.triangle(t);
      faces.erase({n[0], n[1], n[2]});
    }
  return faces.size();
}

}  // namespace curlew::mesh
