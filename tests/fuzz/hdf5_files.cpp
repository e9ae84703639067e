// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5_files.hpp"

#include "fem/output/system_file.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "kept_files.hpp"
#include "linalg/csr.hpp"
#include "mesh/box.hpp"
#include "mesh/check.hpp"
#include "mesh/curves.hpp"
#include "mesh/mesh_file.hpp"
#include "mesh/node_velocity.hpp"
#include "mesh/quality.hpp"
#include "mesh/size_field.hpp"
#include "scratch.hpp"

namespace curlew::fuzz {
namespace {

const io::Provenance origin{"fuzz", "fuzz.toml", ""};

void write_mesh(const std::string& path) {
  mesh::Box box;
  box.blocks = {1, 1, 2};
  mesh::write_mesh(mesh::make_box(box), path, origin);
}

void read_mesh(const std::string& path) {
  const auto mesh = mesh::read_mesh(path);
  mesh::check_mesh(mesh, mesh.cells.empty() ? mesh::MeshUse::surfaces : mesh::MeshUse::volumes);
  mesh::report_quality(mesh);
}

void write_system(const std::string& path) {
  fem::System system;
  system.a.num_rows = system.a.num_cols = 4;
  system.a.row_offsets = {0, 2, 4, 6, 7};
  system.a.columns = {0, 1, 0, 1, 2, 3, 3};
  system.a.values = {{4, 1}, {1, 0}, {1, 0}, {4, 0}, {3, -1}, {0.5, 0}, {2, 0}};
  system.block_offsets = {0, 2, 4, 4};
  system.num_rhs = 1;
  system.rhs = {1, 0, {0, 1}, 2};
  fem::write_system(path, system, origin);
}

void read_system(const std::string& path) {
  const auto system = fem::read_system(path);
  linalg::check_structure(system.a, "system");
  linalg::check_finite(system.a, "system");
  fem::block_table(system);
}

void write_curves(const std::string& path) {
  const auto arc = [](double t) { return Vec3<double>{t, t * t, 0}; };
  mesh::write_curves({{"arc", false, {mesh::follow(arc, 1)}}}, path, origin);
}

void read_curves(const std::string& path) {
  mesh::is_curve_file(path);
  for (const auto& curve : mesh::read_curves(path))
    for (const auto& section : curve.sections)
      for (const double t : {0.0, 0.3, 1.0}) evaluate(section, t);
}

void read_points(const std::string& path) {
  const auto file = io::H5File::open(path);
  for (const auto& name : file.members()) {
    if (file.is_group(name)) continue;
    io::Shape shape;
    if (file.is_complex(name))
      file.read<Complex>(name, &shape);
    else
      file.read<double>(name, &shape);
  }
}

void write_points(const std::string& path) {
  auto file = io::H5File::create(path);
  file.write("sources", std::vector<double>{0, 0, 0, 1, 1, 1, 2, 0, 1}, {"m", "points"}, {3, 3});
  file.write("charges", std::vector<Complex>{1, {0, 1}, -1}, {"1", "charges"});
  file.write("observers", std::vector<double>(30, 0.25), {"m", "points"}, {10, 3}, 4);
  file.close();
}

void write_sizes(const std::string& path) {
  mesh::Box box;
  box.blocks = {1, 1, 1};
  mesh::SizeField field{mesh::make_box(box), {}, mesh::MeshUse::volumes};
  field.sizes.assign(std::size_t(field.mesh.num_cells()), 0.25);
  auto file = io::H5File::create(path);
  mesh::write_size_field(field, file);
  file.close();
}

void read_sizes(const std::string& path) {
  const auto field = mesh::read_size_field(path);
  mesh::check_mesh(field.mesh, field.use);
}

}  // namespace

const std::array<FileKind, 8>& file_kinds() {
  static const std::array<FileKind, 8> kinds{
      FileKind{"mesh.h5", write_mesh, read_mesh},
      FileKind{"system.h5", write_system, read_system},
      FileKind{"curves.h5", write_curves, read_curves},
      FileKind{"points.h5", write_points, read_points},
      FileKind{"sizes.h5", write_sizes, read_sizes},
      FileKind{"velocity.h5",
               [](const std::string& path) {
                 mesh::write_velocities({{{1, 2, 3}, {0, -1, 4}}, {{0, 0, 1}, {2, 0, 0}}}, path);
               },
               [](const std::string& path) { mesh::read_velocities(path); }},
      FileKind{"solved_1.h5", write_solved, read_solved},
      FileKind{"refinement.h5", write_passes, read_passes}};
  return kinds;
}

std::size_t kind_of(unsigned char first) {
  return first % 8U;
}

const std::string& sound_file(std::size_t kind) {
  static std::array<std::string, 9> files;
  if (files[kind].empty()) {
    const std::string path = scratch().path(file_kinds()[kind].name);
    file_kinds()[kind].write(path);
    files[kind] = io::read_text_file(path);
  }
  return files[kind];
}

}  // namespace curlew::fuzz
