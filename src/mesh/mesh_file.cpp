// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/mesh_file.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/hdf5.hpp"

namespace curlew::mesh {
namespace {

constexpr const char* format = "curlew-mesh";
constexpr int format_version = 1;

void write_regions(io::H5Group& file, const char* kind, const char* entity,
                   const std::vector<Region>& regions) {
  io::H5Group group = file.create_group(kind);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const std::string number = fmt::format("{}", i);
    group.write(number, regions[i].entities,
                {"1", fmt::format("numbers of the {} of this region, ascending", entity)});
    group.set_attribute("name", regions[i].name, number);
  }
}

std::vector<Region> read_regions(const io::H5Group& file, const char* kind) {
  const io::H5Group group = file.group(kind);
  std::vector<Region> regions;
  for (std::string number = "0"; group.has(number); number = fmt::format("{}", regions.size()))
    regions.push_back({group.string_attribute("name", number), group.read<Index>(number)});
  return regions;
}

/// Node numbers in rows of a fixed length.
std::vector<Index> read_rows(const io::H5Group& file, const char* name, int columns) {
  io::Shape shape;
  auto values = file.read<Index>(name, &shape);
  if (shape.size() != 2 || shape[1] != std::uint64_t(columns))
    throw InputError(fmt::format("{}: {} should have {} columns", file.file_name(), name, columns));
  return values;
}

std::vector<Vec3<double>> read_nodes(const io::H5Group& file) {
  io::Shape shape;
  const auto values = file.read<double>("nodes", &shape);
  if (shape.size() != 2 || shape[1] != 3)
    throw InputError(file.file_name() + ": nodes should have 3 columns");
  std::vector<Vec3<double>> nodes(shape[0]);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    nodes[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return nodes;
}

void write_origin(const MeshOrigin& origin, io::H5Group& file) {
  if (!origin.unit.empty()) file.set_attribute("unit", origin.unit);
  if (origin.size) file.set_attribute("size", *origin.size);
  if (!origin.mirror.empty()) file.set_attribute("mirror", origin.mirror);
  if (origin.off_surface > 0) file.set_attribute("off_surface", origin.off_surface);
  if (!origin.read_files.empty())
    file.write_string("read_files", origin.read_files, "files that the geometry reads: identity, path");
  if (origin.parameters.empty()) return;
  io::H5Group group = file.create_group("parameters");
  for (const auto& [name, value] : origin.parameters)
    group.write(name, std::vector{value}, {"1", "value of this parameter of the geometry"});
}

}  // namespace

std::string MeshOrigin::remark() const {
  if (off_surface == 0) return "";
  return fmt::format(
      "curved cells fold over: their edges lie up to {:.2g} m off the surface; a smaller size there "
      "(in a .geo, or mesh.size) avoids this",
      off_surface);
}

void write_mesh(const Mesh& mesh, const std::string& path, const io::Provenance& provenance,
                const MeshOrigin& origin) {
  auto file = io::H5File::create(path);
  file.write_provenance(provenance, format, format_version);
  write_origin(origin, file);
  write_mesh(mesh, file);
  file.close();
}

void write_mesh(const Mesh& mesh, io::H5Group& file) {
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));
  file.set_attribute("source", mesh.name);
  file.set_attribute("geometry_order", std::int64_t(mesh.geometry_order));
  file.write_raw("nodes", reinterpret_cast<const double*>(mesh.nodes.data()), {mesh.nodes.size(), 3},
                 {"m", "coordinates (node, xyz)"});
  file.write("cells", mesh.cells,
             {"1", "node numbers (cell, node): vertices ascending, then middles of edges 01 02 03 12 13 23"},
             {std::uint64_t(mesh.num_cells()), std::uint64_t(mesh.nodes_per_cell())});
  file.write("triangles", mesh.triangles,
             {"1", "node numbers (triangle, node): vertices ascending, then middles of edges 01 02 12"},
             {std::uint64_t(mesh.num_triangles()), std::uint64_t(mesh.nodes_per_triangle())});
  write_regions(file, "volumes", "cells", mesh.volumes);
  write_regions(file, "surfaces", "triangles", mesh.surfaces);
}

Mesh read_mesh(const std::string& path) {
  const auto file = io::H5File::open(path);
  file.check_format(format, format_version);
  Mesh mesh = read_mesh(static_cast<const io::H5Group&>(file));
  mesh.name = path;
  return mesh;
}

MeshOrigin read_mesh_origin(const std::string& path) {
  const auto file = io::H5File::open(path);
  file.check_format(format, format_version);
  MeshOrigin origin;
  origin.geometry_order = int(file.number_attribute("geometry_order"));
  if (file.has_attribute("unit")) origin.unit = file.string_attribute("unit");
  if (file.has_attribute("size")) origin.size = file.number_attribute("size");
  if (file.has_attribute("mirror")) origin.mirror = file.string_attribute("mirror");
  if (file.has_attribute("off_surface")) origin.off_surface = file.number_attribute("off_surface");
  if (!file.is_group("parameters")) return origin;
  const io::H5Group group = file.group("parameters");
  for (const std::string& name : group.members()) {
    const auto value = group.read<double>(name);
    if (value.size() != 1)
      throw InputError(fmt::format("{}: parameters/{} must be one number, has {}", path, name, value.size()));
    origin.parameters[name] = value[0];
  }
  return origin;
}

Mesh read_mesh(const io::H5Group& file) {
  Mesh mesh;
  mesh.name = file.string_attribute("source");
  const double order = file.number_attribute("geometry_order");
  if (order != 1 && order != 2)
    throw InputError(fmt::format("{}: geometry order {} is not 1 or 2", file.file_name(), order));
  mesh.geometry_order = int(order);
  mesh.nodes = read_nodes(file);
  mesh.cells = read_rows(file, "cells", mesh.nodes_per_cell());
  mesh.triangles = read_rows(file, "triangles", mesh.nodes_per_triangle());
  mesh.volumes = read_regions(file, "volumes");
  mesh.surfaces = read_regions(file, "surfaces");
  return mesh;
}

}  // namespace curlew::mesh
