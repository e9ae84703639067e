// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "io/atomic_file.hpp"
#include "mesh/geo_parameters.hpp"
#include "mesh/gmsh_cells.hpp"
#include "mesh/gmsh_curvature.hpp"
#include "mesh/gmsh_curves.hpp"
#include "mesh/gmsh_extract.hpp"
#include "mesh/gmsh_join.hpp"
#include "mesh/gmsh_open.hpp"
#include "mesh/length_unit.hpp"

namespace curlew::mesh {
namespace {

/// A group for every entity of a dimension, of those with the same name one.
void add_default_groups(int dimension, const char* kind, const std::map<int, std::string>& names = {}) {
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, dimension);
  std::map<std::string, std::vector<int>> groups;
  for (const auto& [d, tag] : entities)
    groups[names.contains(tag) ? names.at(tag) : fmt::format("{}_{}", kind, tag)].push_back(tag);
  for (const auto& [name, tags] : groups) {
    gmsh::model::addPhysicalGroup(dimension, tags, tags.front());
    gmsh::model::setPhysicalName(dimension, tags.front(), name);
  }
}

/// The name that a STEP file gives to a body or sheet, which Gmsh shows behind those of its assemblies; empty
/// without one, as where OpenCASCADE makes one up.
std::string stated_name(const std::pair<int, int>& part) {
  std::string path;
  gmsh::model::getEntityName(part.first, part.second, path);
  const std::string name = path.substr(path.rfind('/') + 1);
  for (const char* kind : {"SOLID", "SHELL", "FACE", "COMPOUND", "COMPSOLID"})
    if (name == kind) return "";
  return name.starts_with("Open CASCADE") || name.starts_with("=>[") ? "" : name;
}

/// Parts that touch share their common faces and edges afterwards, as a conforming mesh needs. What several
/// parts with different names have in common keeps its number.
void group_whole_geometry(const std::string& path) {
  const auto all = model_parts();
  if (all.empty()) throw InputError(fmt::format("{}: the geometry has no volume and no surface", path));
  std::vector<gmsh::vectorpair> of_each{all};
  std::vector<std::string> stated;
  for (const auto& part : all) stated.push_back(stated_name(part));
  if (all.size() > 1) {
    gmsh::vectorpair joined;
    gmsh::model::occ::fragment({all.front()}, {all.begin() + 1, all.end()}, joined, of_each);
    gmsh::model::occ::synchronize();
  }
  std::map<int, std::map<int, std::string>> names;  // by dimension and number
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto& [dimension, tag] : of_each[i]) {
      const auto [known, is_new] = names[dimension].emplace(tag, stated[i]);
      if (!is_new && known->second != stated[i]) known->second.clear();
    }
  for (auto& [dimension, of_parts] : names)
    std::erase_if(of_parts, [](const auto& part) { return part.second.empty(); });
  add_default_groups(3, "volume", names[3]);
  add_default_groups(2, "surface", names[2]);
  const auto volumes = group_names(3);
  log::info("{}: its parts are the regions: {}", path,
            fmt::join(volumes.empty() ? group_names(2) : volumes, ", "));
}

/// Makes groups for files of other programs, which number their parts but have no groups. Adjacent triangles
/// of an STL or PLY file share their corners afterwards.
void group_foreign_mesh(const std::string& path) {
  gmsh::model::mesh::removeDuplicateNodes();
  add_default_groups(3, "volume");
  add_default_groups(2, "surface");
  auto names = group_names(3);
  for (auto& name : group_names(2)) names.push_back(std::move(name));
  if (names.empty())
    throw InputError(fmt::format(
        "{}: no triangles and no tetrahedra: the file is empty, truncated or of another kind", path));
  log::info("{}: its parts are the regions: {}", path, fmt::join(names, ", "));
}

void check_needs(const std::string& path, const std::vector<RegionNeed>& needs) {
  if (needs.empty()) return;
  const auto volumes = group_names(3), surfaces = group_names(2);
  const auto has = [](const std::vector<std::string>& known, const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  for (const auto& [kind, name] : needs) {
    if ((kind != "surface" && has(volumes, name)) || (kind != "volume" && has(surfaces, name))) continue;
    if (kind == "volume" && volumes.empty() && !surfaces.empty())
      throw InputError(fmt::format(
          "region \"{}\" is not in {} (volumes: none, only surfaces: mesh a volume, or use ie-solve)", name,
          path));
    throw InputError(fmt::format("region \"{}\" is not in {} ({}s: {})", name, path,
                                 kind == "volume" ? "volume" : "surface",
                                 fmt::join(kind == "volume" ? volumes : surfaces, ", ")));
  }
}

/// Triangles only: a file with physical surfaces and no physical volume is for surface integral equations.
Mesh import_surfaces(GmshSession& session, const std::string& path, FileKind kind,
                     const ImportOptions& options, const Attempt& attempt, double metres) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, 2);
  if (types.empty()) {
    if (is_finished(kind)) throw InputError(fmt::format("{}: the mesh has no triangles", path));
    make_triangles(session, path, kind, options, attempt, metres);
  }
  const int order = options.order.value_or(!is_finished(kind) && has_curved_entities(2) ? 2 : 1);
  if (order == 2) session.run(path, "curving the triangles", [] { gmsh::model::mesh::setOrder(2); });
  return extract_mesh(path, metres, order);
}

bool has_groups_in_text(const std::string& path) {
  const auto files = geo_files(path);
  return std::ranges::any_of(files, [](const std::string& file) {
    const auto text = io::read_text_file(file);
    return text.find("Physical Volume") != std::string::npos ||
           text.find("Physical Surface") != std::string::npos;
  });
}

/// Reports the missing group, the contents of the file and how to add it.
[[noreturn]] void refuse_without_groups(const std::string& path, FileKind kind) {
  gmsh::vectorpair volumes, surfaces, curves;
  gmsh::model::getEntities(volumes, 3);
  gmsh::model::getEntities(surfaces, 2);
  gmsh::model::getEntities(curves, 1);
  if (volumes.empty() && surfaces.empty() && !curves.empty())
    throw InputError(fmt::format(
        "{}: has curves alone, and cells need a volume or surface: a thin wire is a strip of four times its "
        "radius, Physical Surface(\"wire\") (for mom2d: --curves)",
        path));
  if (kind == FileKind::script && has_groups_in_text(path))
    throw InputError(
        fmt::format("{}: its physical groups contain no volume and no surface of the geometry: check their "
                    "numbers ({} volumes, {} surfaces)",
                    path, volumes.size(), surfaces.size()));
  const bool are_triangles = volumes.empty() && !surfaces.empty();
  throw InputError(fmt::format(
      "{}: no physical {}: add Physical {} = {{1}}; or the like{}", path,
      are_triangles ? "surface" : "volume", are_triangles ? "Surface(\"metal\")" : "Volume(\"air\")",
      is_finished(kind) ? " to the geometry that the mesh was made of, and mesh it again" : ""));
}

/// @param joins parts that touch @return no mesh if there is nothing to join
std::optional<Imported> import_once(const std::string& path, const ImportOptions& options, bool joins,
                                    const Attempt& attempt) {
  const FileKind kind = kind_of(path);
  check_file(path, kind, options);
  const double metres = metres_per_unit(options.unit);
  GmshSession session(number_arguments(options.parameters));
  open_file(session, path, kind, options);
  constexpr int mesh_adapt = 1;
  if (attempt.adapts) gmsh::option::setNumber("Mesh.Algorithm", mesh_adapt);

  gmsh::vectorpair groups, surfaces;
  gmsh::model::getPhysicalGroups(groups, 3);
  gmsh::model::getPhysicalGroups(surfaces, 2);
  if (groups.empty() && surfaces.empty()) {
    if (kind == FileKind::foreign) session.run(path, "naming its parts", [&] { group_foreign_mesh(path); });
    if (kind == FileKind::step || kind == FileKind::brep)
      session.run(path, "joining its parts", [&] { group_whole_geometry(path); });
    gmsh::model::getPhysicalGroups(groups, 3);
    gmsh::model::getPhysicalGroups(surfaces, 2);
  }
  bool is_joined = false;
  if (joins)
    session.run(path, "joining its parts", [&] { is_joined = join_parts(path, options.for_surfaces); });
  if (joins && !is_joined) return std::nullopt;
  if (groups.empty() && !surfaces.empty()) {
    check_needs(path, options.needs);
    return Imported{import_surfaces(session, path, kind, options, attempt, metres)};
  }
  if (groups.empty()) refuse_without_groups(path, kind);
  check_needs(path, options.needs);
  if (order_of_cells(path) == 0) {
    if (is_finished(kind)) throw InputError(fmt::format("{}: the mesh has no cells (tetrahedra)", path));
    make_cells(session, path, kind, options, attempt, metres);
  }
  const int present = order_of_cells(path);
  const auto from_geometry = [] { return has_curved_entities(1) || has_curved_entities(2) ? 2 : 1; };
  const int wanted = options.order.value_or(is_finished(kind) ? std::max(present, 1) : from_geometry());
  if (wanted < 2 || present == 2) return Imported{extract_mesh(path, metres, wanted)};
  if (is_finished(kind))
    log::warn("{}: its cells are straight and remain so at geometry order 2, since there is no geometry",
              path);
  if (options.for_surfaces) {
    session.run(path, "curving the triangles", [] { gmsh::model::mesh::setOrder(2); });
    return Imported{extract_mesh(path, metres, 2)};
  }
  return curve_cells(session, path, metres, options.order.has_value());
}

/// With other triangles where a surface is lost, and more cells around circles where the mesh is too coarse.
/// What does not help, as where surfaces cross in the geometry, is left out.
std::optional<Imported> import_parts(const std::string& path, const ImportOptions& options, bool joins) {
  constexpr double most_around_circle = 48;
  Attempt attempt{.is_last = false};
  while (attempt.around_circle <= most_around_circle) try {
      return import_once(path, options, joins, attempt);
    } catch (const TooCoarse& e) {
      log::info("{}, with {} cells around a circle{}", e.what(), attempt.around_circle,
                attempt.adapts ? " by local changes" : "");
      if (e.is_surface_lost && !attempt.adapts)
        attempt.adapts = true;
      else
        attempt.around_circle *= 2;
    }
  return import_once(path, options, joins, {.adapts = attempt.adapts});
}

}  // namespace
Mesh import_gmsh(const std::string& path, const ImportOptions& options) {
  return import_geometry(path, options).mesh;
}

/// In scripts alone: parts of other geometries are joined always, and cells in a file cannot be.
Imported import_geometry(const std::string& path, const ImportOptions& options) {
  auto made = import_parts(path, options, false);
  if (kind_of(path) != FileKind::script || are_joined(made->mesh, options.for_surfaces))
    return *std::move(made);
  try {
    auto joined = import_parts(path, options, true);
    if (!joined || !are_joined(joined->mesh, options.for_surfaces)) return *std::move(made);
    log::info("{}: parts touch or cross without common faces, edges or points: joined (BooleanFragments)",
              path);
    return *std::move(joined);
  } catch (const RegionsOverlap&) {
    if (!options.for_surfaces) throw;
  } catch (const InputError& e) {
    log::debug("{}", e.what());
  }
  return *std::move(made);
}

std::vector<PhysicalCurve> import_curves(const std::string& path, const ImportOptions& options) {
  const FileKind kind = kind_of(path);
  if (is_finished(kind))
    throw InputError(
        fmt::format("{}: a mesh contains only points of its curves: give the geometry (.geo, .step, .brep), "
                    "or the points as a .csv",
                    path));
  check_file(path, kind, options);
  GmshSession session(number_arguments(options.parameters));
  open_file(session, path, kind, options);
  gmsh::vectorpair groups;
  gmsh::model::getPhysicalGroups(groups, 1);
  if (groups.empty() && kind != FileKind::script) add_default_groups(1, "curve");
  std::vector<PhysicalCurve> curves;
  session.run(path, "following the curves",
              [&] { curves = extract_curves(path, metres_per_unit(options.unit)); });
  return curves;
}

}  // namespace curlew::mesh
