// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "base/log.hpp"
#include "base/threads.hpp"
#include "mesh/check.hpp"
#include "mesh/geo_parameters.hpp"
#include "mesh/gmsh_curvature.hpp"
#include "mesh/gmsh_extract.hpp"
#include "mesh/gmsh_join.hpp"
#include "mesh/gmsh_long_edges.hpp"
#include "mesh/inverted_cells.hpp"
#include "mesh/size_field.hpp"
#include "mesh/straighten.hpp"

namespace curlew::mesh {
namespace {

/// The least of the sizes wanted on both sides of every entity, in units of the model.
using SizeOfEntity = std::map<std::pair<int, int>, double>;

SizeOfEntity region_sizes(const std::string& path, const ImportOptions& options, double metres) {
  SizeOfEntity sizes;
  auto groups = physical_groups(3);
  const auto volumes = groups.size();
  for (auto& group : physical_groups(2)) groups.push_back(std::move(group));
  for (const auto& [name, size] : options.region_sizes) {
    const auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.name == name; });
    if (group == groups.end()) {
      throw InputError(fmt::format("{}: no volume region \"{}\" to give a size to (volumes: {})", path, name,
                                   fmt::join(group_names(3), ", ")));
    }
    const int own = std::size_t(group - groups.begin()) < volumes ? 3 : 2;
    for (const int tag : group->entities) {
      gmsh::vectorpair around{{own, tag}};
      for (int dimension = own; dimension >= 0 && !around.empty(); --dimension) {
        for (const auto& entity : around) {
          const auto known = sizes.try_emplace(entity, size / metres).first;
          known->second = std::min(known->second, size / metres);
        }
        gmsh::vectorpair boundary;
        if (dimension > 0) gmsh::model::getBoundary(around, boundary, false, false, false);
        around = boundary;
      }
    }
  }
  return sizes;
}

/// With a wrong unit or frequency there may be so many cells that Gmsh would not end, nor report it.
/// @param dimension 3: tetrahedra, 2: triangles
void require_affordable(const std::string& path, const ImportOptions& options, const SizeOfEntity& sizes,
                        int dimension) {
  constexpr std::size_t bytes_per_cell = 300;             // of Gmsh, at least
  const double regular = dimension == 3 ? 0.118 : 0.433;  // contents of a cell with edges of length 1
  gmsh::vectorpair entities;
  gmsh::model::occ::getEntities(entities, dimension);  // other geometry kernels do not compute volumes
  double cells = 0;
  for (const auto& entity : entities) {
    double size = options.size.value_or(std::numeric_limits<double>::infinity()), contents = 0;
    if (const auto own = sizes.find(entity); own != sizes.end()) size = std::min(size, own->second);
    gmsh::model::occ::getMass(dimension, entity.second, contents);
    cells += contents / (regular * std::pow(size, dimension));
  }
  if (0.1 * cells * bytes_per_cell <= double(available_memory()))
    return;  // an estimate: only numbers far beyond the limit are refused
  throw ResourceError(fmt::format(
      "{}: about {:.1e} cells of this size need {:.1e} GiB of memory in Gmsh: check size, frequency and unit",
      path, cells, cells * bytes_per_cell / (1 << 30)));
}

/// @returns the sizes that the options ask for
AskedSize set_sizes(const std::string& path, FileKind kind, const ImportOptions& options,
                    double around_circle, double metres, int dimension) {
  const bool is_sized = options.size.has_value() || !options.region_sizes.empty();
  // Points without a size count as a tenth of the model's diagonal, which would hold back a greater size.
  if (is_sized && !(kind == FileKind::script && geo_sizes_points(path)))
    gmsh::option::setNumber("Mesh.MeshSizeFromPoints", 0);
  // At least so many, where the script does not say how many: with fewer, Gmsh loses closed surfaces.
  double stated = 0;
  gmsh::option::getNumber("Mesh.MeshSizeFromCurvature", stated);
  if (stated == 0 || around_circle > least_around_circle)
    gmsh::option::setNumber("Mesh.MeshSizeFromCurvature", std::max(stated, around_circle));
  if (options.size) {
    double greatest = 0, least = 0;
    gmsh::option::getNumber("Mesh.MeshSizeMax", greatest);  // 1e22, or what the geometry states
    gmsh::option::setNumber("Mesh.MeshSizeMax", std::min(greatest, *options.size));
    gmsh::option::getNumber("Mesh.MeshSizeMin", least);
    if (least > *options.size) gmsh::option::setNumber("Mesh.MeshSizeMin", 0);
  }
  const auto sizes = region_sizes(path, options, metres);
  require_affordable(path, options, sizes, dimension);
  std::shared_ptr<const SizeAt> field;
  if (!options.size_field.empty()) {
    field = std::make_shared<const SizeAt>(read_size_field(options.size_field));
    gmsh::option::setNumber("Mesh.MeshSizeExtendFromBoundary", 0);  // the field says how sizes continue
  }
  const double everywhere = options.size.value_or(1e22);
  const AskedSize asked = [=](int d, int tag, double x, double y, double z) {
    const auto known = sizes.find({d, tag});
    return std::min({everywhere, known == sizes.end() ? 1e22 : known->second,
                     field ? (*field)({x * metres, y * metres, z * metres}) / metres : 1e22});
  };
  // Gmsh 4.9 passes the size found so far as an argument, and uses the returned size instead of the smaller
  // of both.
  if (!sizes.empty() || field)
    gmsh::model::mesh::setSizeCallback([=](int d, int tag, double x, double y, double z, auto... found) {
      return std::min({asked(d, tag, x, y, z), double(found)...});
    });
  return asked;
}

/// Gmsh's frontal algorithm is Netgen's, which many builds lack: they would end there.
void replace_frontal(const std::string& path) {
  constexpr double delaunay = 1, frontal = 4;
  double algorithm = delaunay;
  std::string parts;
  gmsh::option::getNumber("Mesh.Algorithm3D", algorithm);
  gmsh::option::getString("General.BuildOptions", parts);
  if (algorithm != frontal || parts.find("Netgen") != std::string::npos) return;
  log::warn(
      "{}: Mesh.Algorithm3D = 4 needs a Gmsh with Netgen, which is not installed: the mesh is made by "
      "Delaunay's algorithm instead",
      path);
  gmsh::option::setNumber("Mesh.Algorithm3D", delaunay);
}

/// Whether a surface got no triangles: of few cells around a circle Gmsh loses closed ones, and by its
/// default way of making triangles stretched spheres.
bool is_surface_lost() {
  gmsh::vectorpair surfaces;
  gmsh::model::getEntities(surfaces, 2);
  return std::ranges::any_of(surfaces, [](const auto& surface) {
    std::vector<int> types;
    std::vector<std::vector<std::size_t>> tags, nodes;
    gmsh::model::mesh::getElements(types, tags, nodes, 2, surface.second);
    return types.empty();
  });
}

/// @param asked where edges may not be long; may be empty
void generate_cells(GmshSession& session, const std::string& path, bool is_last, const AskedSize& asked) {
  try {
    if (asked) {
      session.run(path, "meshing", [] { gmsh::model::mesh::generate(2); });
      remake_long_edges(session, path, asked);
    }
    session.run(path, "meshing", [] { gmsh::model::mesh::generate(3); });
  } catch (const InputError& e) {
    const std::string why = e.what();
    for (const char* words : {"intersect", "overlapping", "No elements"})
      if (why.find(words) != std::string::npos) throw TooCoarse(why, is_surface_lost());
    throw;
  }
  if (!is_last && has_curved_entities(2) && is_surface_lost())
    throw TooCoarse(path + ": meshing: a surface has no triangles", true);
}

}  // namespace

void make_cells(GmshSession& session, const std::string& path, FileKind kind, const ImportOptions& options,
                const Attempt& attempt, double metres) {
  gmsh::vectorpair volumes;
  gmsh::model::getEntities(volumes, 3);
  if (volumes.empty()) throw InputError(fmt::format("{}: the geometry has no volume to mesh", path));
  const auto asked = set_sizes(path, kind, options, attempt.around_circle, metres, 3);
  gmsh::option::setNumber("Mesh.ElementOrder", 1);
  replace_frontal(path);
  generate_cells(session, path, attempt.is_last, options.for_surfaces ? asked : AskedSize());
}

void make_triangles(GmshSession& session, const std::string& path, FileKind kind,
                    const ImportOptions& options, const Attempt& attempt, double metres) {
  const auto asked = set_sizes(path, kind, options, attempt.around_circle, metres, 2);
  gmsh::option::setNumber("Mesh.ElementOrder", 1);
  session.run(path, "meshing", [] { gmsh::model::mesh::generate(2); });
  remake_long_edges(session, path, asked);
  if (attempt.is_last || !has_curved_entities(2)) return;
  if (is_surface_lost()) throw TooCoarse(path + ": meshing: a surface has no triangles", true);
  if (!are_joined(extract_mesh(path, metres, 1), true))
    throw TooCoarse(path + ": meshing: triangles cross or touch", false);
}

Imported curve_cells(GmshSession& session, const std::string& path, double metres, bool is_asked) {
  session.run(path, "curving the cells", [] { gmsh::model::mesh::setOrder(2); });
  const Mesh raised = extract_mesh(path, metres, 2);
  Mesh mesh = raised;
  auto bad = inverted_cells(mesh).size();
  const auto at_first = bad;
  if (auto flat = flatten_few(raised); bad == 0 || flat.cells > 0) {
    constexpr double near = 0.03;  // of an edge
    if (flat.farthest_share <= near || !is_asked) return {std::move(flat.mesh), flat.farthest};
  }
  for (const char* method : {"HighOrder", "HighOrderElastic", "HighOrder"}) {
    if (bad == 0) return {std::move(mesh)};
    log::info("{}: {} curved cells are (nearly) inverted: optimising them ({})", path, bad, method);
    try {
      session.run(path, "optimising the curved cells", [&] { gmsh::model::mesh::optimize(method); });
    } catch (const InputError& e) {  // it reports a missed target as an error; check_mesh decides
      log::info("{}", e.what());
    }
    mesh = extract_mesh(path, metres, 2);
    bad = inverted_cells(mesh).size();
    if (!is_asked && bad >= at_first) break;  // the others take long and fail too
  }
  if (is_asked) {
    auto flat = flatten_inverted(std::move(mesh));
    return {std::move(flat.mesh), flat.farthest};
  }
  mesh = straight_where_folded(std::move(mesh));
  return {mesh.geometry_order == 2 ? mesh
                                   : corners_only(raised, raised.nodes)};  // Gmsh may have moved corners
}

}  // namespace curlew::mesh
