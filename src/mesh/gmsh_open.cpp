// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_open.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/atomic_file.hpp"
#include "mesh/finished.hpp"
#include "mesh/geo_parameters.hpp"
#include "mesh/msh_groups.hpp"

namespace curlew::mesh {
namespace {

namespace fs = std::filesystem;

/// A .msh that ends early loses elements or groups, which Gmsh does not always notice.
void check_complete(const std::string& path, const std::string& text) {
  for (const char* section : {"MeshFormat", "Nodes", "Elements"})
    if (text.find(fmt::format("$End{}", section)) == std::string::npos)
      throw InputError(
          fmt::format("{}: no $End{}: the file is not a Gmsh mesh or is truncated", path, section));
}

void check_parameters(const std::string& path, FileKind kind,
                      const std::map<std::string, double>& parameters) {
  if (parameters.empty()) return;
  if (kind != FileKind::script) throw InputError(fmt::format("{}: parameters are for .geo files only", path));
  const auto known = geo_parameters(path);
  for (const auto& [name, value] : parameters) {
    if (!known.contains(name))
      throw InputError(fmt::format("{}: parameter \"{}\" is in no DefineConstant (known: {})", path, name,
                                   known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    if (!std::isfinite(value))
      throw InputError(fmt::format("{}: parameter \"{}\" is not finite", path, name));
  }
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
      if (part <= 0) throw ResourceError("a file in memory for the mesh cannot be written");
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
std::string set_unit(const std::string& path, FileKind kind, const ImportOptions& options) {
  const bool needs = kind == FileKind::step || (kind == FileKind::script && takes_in_units(path));
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

}  // namespace

FileKind kind_of(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (extension == ".geo") return FileKind::script;
  if (extension == ".msh") return FileKind::mesh;
  if (extension == ".step" || extension == ".stp") return FileKind::step;
  if (extension == ".brep") return FileKind::brep;
  if (is_foreign_mesh(path)) return FileKind::foreign;
  throw InputError(fmt::format(
      "{}: \"{}\" is not a geometry or mesh format: use .geo, .step, .stp, .brep; .msh, .stl, .ply, "
      ".bdf, .nas, .unv, .mesh",
      path, extension));
}

bool is_finished(FileKind kind) {
  return kind == FileKind::mesh || kind == FileKind::foreign;
}

void check_file(const std::string& path, FileKind kind, const ImportOptions& options) {
  if (!fs::is_regular_file(path)) throw InputError(fmt::format("{}: no such file", path));
  if (options.size && !(*options.size > 0))
    throw InputError(fmt::format("size {}: must be positive", *options.size));
  if (options.order && *options.order != 1 && *options.order != 2)
    throw InputError(fmt::format("geometry order {}: 1 (straight) or 2 (curved)", *options.order));
  check_parameters(path, kind, options.parameters);
}

void open_file(GmshSession& session, const std::string& path, FileKind kind, const ImportOptions& options) {
  const std::string unit = set_unit(path, kind, options);
  gmsh::option::setNumber("General.AbortOnError",
                          0);  // an unknown option would leave the rest of the file unread
  if (kind == FileKind::mesh)
    open_mesh(session, path);
  else
    session.run(path, "reading", [&] { gmsh::open(path); });
  gmsh::option::setNumber("General.AbortOnError", 2);
  check_unit(path, unit, options);
}

std::vector<std::string> number_arguments(const std::map<std::string, double>& parameters) {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : parameters)
    arguments.insert(arguments.end(), {"-setnumber", name, fmt::format("{:.17g}", value)});
  return arguments;
}

void open_geometry(GmshSession& session, const std::string& path, const ImportOptions& options) {
  const FileKind kind = kind_of(path);
  if (kind != FileKind::script)
    throw InputError(fmt::format("{}: has no parameters: only .geo files do", path));
  check_file(path, kind, options);
  open_file(session, path, kind, options);
}

}  // namespace curlew::mesh
