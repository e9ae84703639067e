// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>

#include "base/threads.hpp"
#include "io/atomic_file.hpp"
#include "mesh/check.hpp"
#include "mesh/finished.hpp"
#include "mesh/geo_parameters.hpp"
#include "mesh/gmsh_curvature.hpp"
#include "mesh/gmsh_curves.hpp"
#include "mesh/gmsh_extract.hpp"
#include "mesh/gmsh_join.hpp"
#include "mesh/gmsh_long_edges.hpp"
#include "mesh/gmsh_session.hpp"
#include "mesh/inverted_cells.hpp"
#include "mesh/length_unit.hpp"
#include "mesh/msh_groups.hpp"
#include "mesh/size_field.hpp"
#include "mesh/straighten.hpp"

namespace curlew::mesh {
namespace {

namespace fs = std::filesystem;

enum class Kind { script, mesh, foreign, step, brep };

/// Cells or triangles are in the file.
bool is_finished(Kind kind) {
  return kind == Kind::mesh || kind == Kind::foreign;
}

Kind kind_of(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (extension == ".geo") return Kind::script;
  if (extension == ".msh") return Kind::mesh;
  if (extension == ".step" || extension == ".stp") return Kind::step;
  if (extension == ".brep") return Kind::brep;
  if (is_foreign_mesh(path)) return Kind::foreign;
  throw InputError(fmt::format(
      "{}: \"{}\" is not a geometry or mesh format: use .geo, .step, .stp, .brep; .msh, .stl, .ply, "
      ".bdf, .nas, .unv, .mesh",
      path, extension));
}

/// A .msh that ends early loses elements or groups, which Gmsh does not always notice.
void check_complete(const std::string& path, const std::string& text) {
  for (const char* section : {"MeshFormat", "Nodes", "Elements"})
    if (text.find(fmt::format("$End{}", section)) == std::string::npos)
      throw InputError(
          fmt::format("{}: no $End{}: the file is not a Gmsh mesh or is truncated", path, section));
}

void check_parameters(const std::string& path, Kind kind, const std::map<std::string, double>& parameters) {
  if (parameters.empty()) return;
  if (kind != Kind::script) throw InputError(fmt::format("{}: parameters are for .geo files only", path));
  const auto known = geo_parameters(path);
  for (const auto& [name, value] : parameters) {
    if (!known.contains(name))
      throw InputError(fmt::format("{}: parameter \"{}\" is in no DefineConstant (known: {})", path, name,
                                   known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    if (!std::isfinite(value))
      throw InputError(fmt::format("{}: parameter \"{}\" is not finite", path, name));
  }
}

void check_file(const std::string& path, Kind kind, const ImportOptions& options) {
  if (!fs::is_regular_file(path)) throw InputError(fmt::format("{}: no such file", path));
  if (options.size && !(*options.size > 0))
    throw InputError(fmt::format("size {}: must be positive", *options.size));
  if (options.order && *options.order != 1 && *options.order != 2)
    throw InputError(fmt::format("geometry order {}: 1 (straight) or 2 (curved)", *options.order));
  check_parameters(path, kind, options.parameters);
}

/// OpenCASCADE converts the lengths of a STEP file to this unit: the one that the user's numbers are in.
std::string occ_unit(const std::string& path, const std::string& unit) {
  if (unit == "nm")
    throw InputError(fmt::format("{}: unit \"nm\" is not offered for STEP files: use \"um\"", path));
  if (unit == "in") return "INCH";
  std::string upper = unit;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return upper;
}

/// A text as a file without a name, for the life of the object.
class NamelessFile {
 public:
  explicit NamelessFile(const std::string& text) : file_(memfd_create("mesh", MFD_CLOEXEC)) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t part = file_ < 0 ? -1 : write(file_, text.data() + done, text.size() - done);
      if (part <= 0) throw ResourceError("a mesh cannot be kept in memory");
      done += std::size_t(part);
    }
  }
  ~NamelessFile() { close(file_); }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;
  std::string path() const { return fmt::format("/proc/self/fd/{}", file_); }

 private:
  int file_;
};

/// Refuses a mesh if elements were lost while it was read, which the user would not notice.
void check_counts(const std::string& path, const MshGroups& groups) {
  for (const auto& [group, count] : groups.counts) {
    if (group.second == 0) continue;  // of no group
    std::vector<int> entities;
    gmsh::model::getEntitiesForPhysicalGroup(group.first, group.second, entities);
    std::size_t found = 0;
    for (const int entity : entities) {
      std::vector<int> types;
      std::vector<std::vector<std::size_t>> tags, nodes;
      gmsh::model::mesh::getElements(types, tags, nodes, group.first, entity);
      for (const auto& of_type : tags) found += of_type.size();
    }
    if (found != count)
      throw InputError(
          fmt::format("{}: group {} of dimension {} has {} elements, of which Gmsh reads {}: "
                      "write the mesh as version 4",
                      path, group.second, group.first, count, found));
  }
}

void open_mesh(GmshSession& session, const std::string& path) {
  const std::string text = io::read_text_file(path);
  check_complete(path, text);
  const MshGroups groups = separate_groups(text, path);
  if (groups.text.empty()) {
    session.run(path, "reading", [&] { gmsh::open(path); });
  } else {
    const NamelessFile file(groups.text);
    session.run(path, "reading", [&] { gmsh::open(file.path()); });
  }
  check_counts(path, groups);
}

/// Whether a script includes a geometry with its own unit, judged by file names in its text.
bool takes_in_units(const std::string& script) {
  const auto files = geo_files(script);
  return std::any_of(files.begin(), files.end(), [](const std::string& file) {
    const auto ending = fs::path(file).extension().string();
    return ending == ".step" || ending == ".stp" || ending == ".iges" || ending == ".igs";
  });
}

/// Lengths of STEP files, also those that a script includes, are converted to the user's unit. @return
/// OpenCASCADE's target unit; empty where it does not support the unit and need not
std::string set_unit(const std::string& path, Kind kind, const ImportOptions& options) {
  const bool needs = kind == Kind::step || (kind == Kind::script && takes_in_units(path));
  if (!needs && options.unit == "nm") return "";
  const std::string unit = occ_unit(path, options.unit);
  gmsh::option::setString("Geometry.OCCTargetUnit", unit);
  return unit;
}

void check_unit(const std::string& path, const std::string& told, const ImportOptions& options) {
  std::string unit;
  gmsh::option::getString("Geometry.OCCTargetUnit", unit);
  if (!told.empty() && unit != told)
    throw InputError(
        fmt::format("{}: Geometry.OCCTargetUnit = \"{}\" is another unit than {}, which is that of "
                    "its numbers: leave that line out",
                    path, unit, options.unit));
}

void open_file(GmshSession& session, const std::string& path, Kind kind, const ImportOptions& options) {
  const std::string unit = set_unit(path, kind, options);
  gmsh::option::setNumber("General.AbortOnError",
                          0);  // an unknown option would leave the rest of the file unread
  if (kind == Kind::mesh)
    open_mesh(session, path);
  else
    session.run(path, "reading", [&] { gmsh::open(path); });
  gmsh::option::setNumber("General.AbortOnError", 2);
  check_unit(path, unit, options);
}

/// One group for every entity of a dimension.
void add_default_groups(int dimension, const char* kind) {
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, dimension);
  for (const auto& [d, tag] : entities) {
    const int group = gmsh::model::addPhysicalGroup(d, {tag}, tag);
    gmsh::model::setPhysicalName(d, group, fmt::format("{}_{}", kind, tag));
  }
}

/// Parts that touch share their common faces and edges afterwards, as a conforming mesh needs.
void group_whole_geometry(const std::string& path) {
  const auto all = model_parts();
  if (all.empty()) throw InputError(fmt::format("{}: the geometry has no volume and no surface", path));
  if (all.size() > 1) {
    gmsh::vectorpair joined;
    std::vector<gmsh::vectorpair> of_each;
    gmsh::model::occ::fragment({all.front()}, {all.begin() + 1, all.end()}, joined, of_each);
    gmsh::model::occ::synchronize();
  }
  add_default_groups(3, "volume");
  add_default_groups(2, "surface");
  log::info(
      "{}: no physical groups: every volume and surface is a region of its own, volume_1, surface_1, ...",
      path);
}

std::vector<std::string> group_names(int dimension) {
  std::vector<std::string> names;
  for (auto& group : physical_groups(dimension)) names.push_back(std::move(group.name));
  return names;
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

constexpr double least_around_circle = 6;

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
AskedSize set_sizes(const std::string& path, Kind kind, const ImportOptions& options, double around_circle,
                    double metres, int dimension) {
  const bool is_sized = options.size.has_value() || !options.region_sizes.empty();
  // Points without a size count as a tenth of the model's diagonal, which would hold back a greater size.
  if (is_sized && !(kind == Kind::script && geo_sizes_points(path)))
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

/// Raises straight cells to second order. A few inverted curved cells are flattened; if curved cells were
/// requested, only where that changes the surface little. Otherwise Gmsh untangles them, with all nodes on
/// their surfaces; its optimiser sorts by addresses, so that no two of its meshes are the same. If that fails
/// and curved cells were not requested, all cells become straight.
Imported curve_cells(GmshSession& gmsh_session, const std::string& path, double metres, bool is_asked) {
  gmsh_session.run(path, "curving the cells", [] { gmsh::model::mesh::setOrder(2); });
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
      gmsh_session.run(path, "optimising the curved cells", [&] { gmsh::model::mesh::optimize(method); });
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

/// Coarse facets of curved surfaces close to each other, as of a thin coat, cross, and coarse closed surfaces
/// get lost. Gmsh makes no further mesh after its error.
class TooCoarse : public InputError {
 public:
  TooCoarse(const std::string& what, bool surface_lost) : InputError(what), is_surface_lost(surface_lost) {}
  bool is_surface_lost;
};

struct Attempt {
  double around_circle = least_around_circle;  ///< cells at least
  bool adapts = false;                         ///< triangles by local changes, not by Gmsh's default way
  bool is_last = true;                         ///< a mesh with such faults is taken
};

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
void make_cells(GmshSession& session, const std::string& path, bool is_last, const AskedSize& asked) {
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

/// Gmsh lets triangles cross.
void make_triangles(GmshSession& session, const std::string& path, double metres, bool is_last,
                    const AskedSize& asked) {
  session.run(path, "meshing", [] { gmsh::model::mesh::generate(2); });
  remake_long_edges(session, path, asked);
  if (is_last || !has_curved_entities(2)) return;
  if (is_surface_lost()) throw TooCoarse(path + ": meshing: a surface has no triangles", true);
  if (!are_joined(extract_mesh(path, metres, 1), true))
    throw TooCoarse(path + ": meshing: triangles cross or touch", false);
}

void generate(GmshSession& gmsh_session, const std::string& path, Kind kind, const ImportOptions& options,
              const Attempt& attempt, double metres) {
  gmsh::vectorpair volumes;
  gmsh::model::getEntities(volumes, 3);
  if (volumes.empty()) throw InputError(fmt::format("{}: the geometry has no volume to mesh", path));
  const auto asked = set_sizes(path, kind, options, attempt.around_circle, metres, 3);
  gmsh::option::setNumber("Mesh.ElementOrder", 1);
  replace_frontal(path);
  make_cells(gmsh_session, path, attempt.is_last, options.for_surfaces ? asked : AskedSize());
}

/// Triangles only: a file with physical surfaces and no physical volume is for surface integral equations.
Mesh import_surfaces(GmshSession& session, const std::string& path, Kind kind, const ImportOptions& options,
                     const Attempt& attempt, double metres) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, 2);
  if (types.empty()) {
    if (is_finished(kind)) throw InputError(fmt::format("{}: the mesh has no triangles", path));
    const auto asked = set_sizes(path, kind, options, attempt.around_circle, metres, 2);
    gmsh::option::setNumber("Mesh.ElementOrder", 1);
    make_triangles(session, path, metres, attempt.is_last, asked);
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
[[noreturn]] void refuse_without_groups(const std::string& path, Kind kind) {
  gmsh::vectorpair volumes, surfaces, curves;
  gmsh::model::getEntities(volumes, 3);
  gmsh::model::getEntities(surfaces, 2);
  gmsh::model::getEntities(curves, 1);
  if (volumes.empty() && surfaces.empty() && !curves.empty())
    throw InputError(fmt::format(
        "{}: has curves alone, and cells need a volume or surface: a thin wire is a strip of four times its "
        "radius, Physical Surface(\"wire\") (for mom2d: --curves)",
        path));
  if (kind == Kind::script && has_groups_in_text(path))
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
  const Kind kind = kind_of(path);
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
    if (kind == Kind::foreign) session.run(path, "naming its parts", [&] { group_foreign_mesh(path); });
    if (kind == Kind::step || kind == Kind::brep)
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
    generate(session, path, kind, options, attempt, metres);
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

std::vector<std::string> number_arguments(const std::map<std::string, double>& parameters) {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : parameters)
    arguments.insert(arguments.end(), {"-setnumber", name, fmt::format("{:.17g}", value)});
  return arguments;
}

void open_geometry(GmshSession& session, const std::string& path, const ImportOptions& options) {
  const Kind kind = kind_of(path);
  if (kind != Kind::script) throw InputError(fmt::format("{}: has no parameters: only .geo files do", path));
  check_file(path, kind, options);
  open_file(session, path, kind, options);
}

Mesh import_gmsh(const std::string& path, const ImportOptions& options) {
  return import_geometry(path, options).mesh;
}

/// In scripts alone: parts of other geometries are joined always, and cells in a file cannot be.
Imported import_geometry(const std::string& path, const ImportOptions& options) {
  auto made = import_parts(path, options, false);
  if (kind_of(path) != Kind::script || are_joined(made->mesh, options.for_surfaces)) return *std::move(made);
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
  const Kind kind = kind_of(path);
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
  if (groups.empty() && kind != Kind::script) add_default_groups(1, "curve");
  std::vector<PhysicalCurve> curves;
  session.run(path, "following the curves",
              [&] { curves = extract_curves(path, metres_per_unit(options.unit)); });
  return curves;
}

std::string gmsh_version() {
  return fmt::format("{}", GMSH_API_VERSION);
}

}  // namespace curlew::mesh
