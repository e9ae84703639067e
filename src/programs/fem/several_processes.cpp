// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/several_processes.hpp"

#include <fstream>
#include <iterator>
#include <string>

#include "base/temporary_folder.hpp"
#include "io/atomic_file.hpp"
#include "linalg/direct/mumps.hpp"
#include "mesh/mesh_file.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

std::string bytes_of(const mesh::Mesh& mesh, const run::Run& run) {
  const TemporaryFolder folder("mesh");
  const std::string path = folder.path() + "/mesh.h5";
  mesh::write_mesh(mesh, path, run.provenance());
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

mesh::Mesh mesh_of(const std::string& bytes) {
  const TemporaryFolder folder("mesh");
  const std::string path = folder.path() + "/mesh.h5";
  io::write_text_file(path, bytes);
  return mesh::read_mesh(path);
}

}  // namespace

bool serve_whole_matrices() {
  linalg::MumpsGroup& group = linalg::mumps_group();
  group.assembles = false;
  if (group.leads()) return false;
  group.follow([](const linalg::GroupStep&) { return linalg::MumpsGroup::Taken::no; });
  return true;
}

fem::DrivenOptions spread(fem::DrivenOptions options) {
  options.spread = true;
  return options;
}

mesh::Mesh load_shared_mesh(const io::Config& config, run::Run& run,
                            const std::vector<std::string>& surround) {
  linalg::MumpsGroup& group = linalg::mumps_group();
  const auto load = [&] { return run::load_mesh(config, run, mesh::MeshUse::volumes, surround); };
  if (!group.assembles) return load();
  std::string bytes;
  if (group.leads()) {
    mesh::Mesh mesh = load();
    bytes = bytes_of(mesh, run);
    group.announce({linalg::step_mesh, 0, 0});
    linalg::broadcast_values(*group.processes, bytes);
    return mesh;
  }
  config.allow({"mesh"});
  linalg::await_step(linalg::step_mesh);
  linalg::broadcast_values(*group.processes, bytes);
  return mesh_of(bytes);
}

}  // namespace curlew::programs
