// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "base/log.hpp"
#include "base/sets.hpp"
#include "io/atomic_file.hpp"
#include "mesh/contacts.hpp"
#include "mesh/geo_parameters.hpp"

namespace curlew::mesh {
namespace {

using Face = std::array<Index, 3>;
using DimTag = std::pair<int, int>;  ///< dimension and tag

struct Group {
  DimTag group;
  std::string name;
  std::vector<int> entities;
};

std::vector<Group> groups_of_regions() {
  std::vector<Group> groups;
  gmsh::vectorpair all;
  gmsh::model::getPhysicalGroups(all);
  for (const auto& [dimension, tag] : all) {
    if (dimension < 2) continue;
    Group group{{dimension, tag}, {}, {}};
    gmsh::model::getPhysicalName(dimension, tag, group.name);
    gmsh::model::getEntitiesForPhysicalGroup(dimension, tag, group.entities);
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Surfaces of regions that bound volumes.
gmsh::vectorpair named_faces(const std::vector<Group>& groups, const gmsh::vectorpair& parts) {
  std::set<DimTag> faces;
  for (const auto& group : groups)
    for (const int entity : group.entities)
      if (group.group.first == 2) faces.insert({2, entity});
  for (const auto& part : parts) faces.erase(part);
  return {faces.begin(), faces.end()};
}

/// Pairs of regions that have entities of this dimension, or a higher one, in common.
std::set<std::pair<std::string, std::string>> overlaps(const std::vector<Group>& groups, int least) {
  std::map<DimTag, std::string> owners;
  std::set<std::pair<std::string, std::string>> pairs;
  for (const auto& group : groups)
    if (group.group.first >= least)
      for (const int entity : group.entities)
        if (const auto [owner, is_new] = owners.try_emplace({group.group.first, entity}, group.name); !is_new)
          pairs.insert({owner->second, group.name});
  return pairs;
}

/// Fields of sizes name curves and points by tags, which joining changes.
bool names_entities(const std::string& script) {
  return std::ranges::any_of(geo_files(script), [](const std::string& file) {
    return io::read_text_file(file).find("Field[") != std::string::npos;
  });
}

Face corners(const Mesh& mesh, Index triangle) {
  const Index* n = mesh.triangle(triangle);
  return {n[0], n[1], n[2]};
}

std::vector<Face> all_triangles(const Mesh& mesh) {
  std::vector<Face> all;
  for (Index t = 0; t < mesh.num_triangles(); ++t) all.push_back(corners(mesh, t));
  return all;
}

/// Outer faces of cells, and triangles that are no faces.
std::vector<Face> outer_triangles(const Mesh& mesh) {
  std::vector<Face> faces;
  faces.reserve(4 * std::size_t(mesh.num_cells()));
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (const auto& f : cell_face_vertices)
      faces.push_back({mesh.cell(c)[f[0]], mesh.cell(c)[f[1]], mesh.cell(c)[f[2]]});
  std::sort(faces.begin(), faces.end());
  std::vector<Face> outer;
  for (auto face = faces.begin(); face != faces.end();) {
    const auto next = std::find_if(face, faces.end(), [&](const Face& other) { return other != *face; });
    if (next - face == 1) outer.push_back(*face);
    face = next;
  }
  for (const Face& triangle : all_triangles(mesh))
    if (!std::binary_search(faces.begin(), faces.end(), triangle)) outer.push_back(triangle);
  return outer;
}

/// Whether a surface has nodes of no cell: it lies across cells, far from outer faces.
bool has_loose_surface(const Mesh& mesh) {
  std::vector<char> is_of_cell(mesh.nodes.size(), 0);
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (int v = 0; v < 4; ++v) is_of_cell[std::size_t(mesh.cell(c)[v])] = 1;
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    for (int v = 0; v < 3; ++v)
      if (!is_of_cell[std::size_t(mesh.triangle(t)[v])]) return true;
  return false;
}

bool is_inside(Vec3<double> p, const Mesh& mesh, Index cell) {
  const auto corner = [&](int v) { return mesh.nodes[std::size_t(mesh.cell(cell)[v])]; };
  for (int v = 0; v < 4; ++v) {  // on the side of each face where the opposite corner is
    const auto a = corner((v + 1) % 4), normal = cross(corner((v + 2) % 4) - a, corner((v + 3) % 4) - a);
    if (dot(p - a, normal) * dot(corner(v) - a, normal) < 0) return false;
  }
  return true;
}

/// Whether cells of one part lie in those of another, which it does not touch.
bool has_nested_parts(const Mesh& mesh) {
  Sets<Index> parts(mesh.nodes.size());
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (int v = 1; v < 4; ++v) parts.join(mesh.cell(c)[0], mesh.cell(c)[v]);
  std::map<Index, Vec3<double>> inner;  // a point in each
  const auto part = [&](Index c) { return parts.root(mesh.cell(c)[0]); };
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    Vec3<double> middle{};
    for (int v = 0; v < 4; ++v) middle += 0.25 * mesh.nodes[std::size_t(mesh.cell(c)[v])];
    inner.try_emplace(part(c), middle);
  }
  constexpr std::size_t most = 100;  // parts, of a lattice of bodies
  if (inner.size() < 2 || inner.size() > most) return false;
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (const auto& [of, point] : inner)
      if (of != part(c) && is_inside(point, mesh, c)) return true;
  return false;
}

}  // namespace

gmsh::vectorpair model_parts() {
  gmsh::vectorpair parts, surfaces;
  gmsh::model::getEntities(parts, 3);
  gmsh::model::getEntities(surfaces, 2);
  for (const auto& surface : surfaces) {
    std::vector<int> volumes, curves;
    gmsh::model::getAdjacencies(surface.first, surface.second, volumes, curves);
    if (volumes.empty()) parts.push_back(surface);
  }
  return parts;
}

bool are_joined(const Mesh& mesh, bool on_surfaces) {
  const bool has_cells = !on_surfaces && !mesh.cells.empty();
  if (has_cells && (has_loose_surface(mesh) || has_nested_parts(mesh))) return false;
  return find_contacts(mesh.nodes, has_cells ? outer_triangles(mesh) : all_triangles(mesh)).count == 0;
}

bool join_parts(const std::string& path, bool may_share) {
  constexpr std::size_t most = 300;  // parts: the time of OpenCASCADE grows with their square
  const auto parts = model_parts();
  gmsh::vectorpair of_kernel;
  gmsh::model::occ::getEntities(of_kernel);
  if (parts.size() < 2 || parts.size() > most || of_kernel.empty() || names_entities(path)) return false;
  auto groups = groups_of_regions();
  const auto before = overlaps(groups, 2);

  // Fragments are told for whole parts alone: copies of named faces are such, and coincide with the
  // originals.
  const auto faces = named_faces(groups, parts);
  gmsh::vectorpair copies, joined;
  if (!faces.empty()) gmsh::model::occ::copy(faces, copies);
  gmsh::vectorpair others(parts.begin() + 1, parts.end());
  others.insert(others.end(), copies.begin(), copies.end());
  std::vector<gmsh::vectorpair> of_each;
  gmsh::model::occ::fragment({parts.front()}, others, joined, of_each);
  gmsh::model::occ::synchronize();

  std::map<DimTag, gmsh::vectorpair> fragments;
  for (std::size_t i = 0; i < parts.size() + faces.size(); ++i)
    fragments[i < parts.size() ? parts[i] : faces[i - parts.size()]] = of_each.at(i);
  gmsh::vectorpair removed;
  for (const auto& group : groups) removed.push_back(group.group);
  gmsh::model::removePhysicalGroups(removed);
  for (auto& [group, name, entities] : groups) {
    std::set<int> now;
    for (const int entity : entities)
      for (const auto& fragment : fragments[{group.first, entity}])
        if (fragment.first == group.first) now.insert(fragment.second);
    entities.assign(now.begin(), now.end());
    gmsh::model::addPhysicalGroup(group.first, entities, group.second);
    if (!name.empty()) gmsh::model::setPhysicalName(group.first, group.second, name);
  }
  const auto now_shared = [&](int dimension) {
    auto pairs = overlaps(groups, dimension);
    std::erase_if(pairs, [&](const auto& pair) { return before.contains(pair); });
    return pairs;
  };
  if (const auto pairs = now_shared(3); !pairs.empty())
    throw RegionsOverlap(
        fmt::format("{}: regions \"{}\" and \"{}\" overlap: cut one out of the other (BooleanDifference, "
                    "BooleanFragments), and "
                    "give each part one region",
                    path, pairs.begin()->first, pairs.begin()->second));
  if (const auto pairs = now_shared(2); !may_share && !pairs.empty()) {
    log::warn(
        "{}: regions \"{}\" and \"{}\" touch without common faces: give what they share a region of its own",
        path, pairs.begin()->first, pairs.begin()->second);
    return false;
  }
  return true;
}

}  // namespace curlew::mesh
