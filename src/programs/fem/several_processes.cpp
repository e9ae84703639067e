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

/// Bytes of process 0 on all.
void broadcast(std::string& bytes) {
  const linalg::ProcessGroup& processes = *linalg::mumps_group().processes;
  std::size_t size = bytes.size();
  processes.broadcast(&size, sizeof size);
  bytes.resize(size);
  processes.broadcast(bytes.data(), size);
}

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

mesh::Mesh load_shared_mesh(const io::Config& config, run::Run& run) {
  linalg::MumpsGroup& group = linalg::mumps_group();
  if (!group.assembles) return run::load_mesh(config, run);
  std::string bytes;
  if (group.leads()) {
    mesh::Mesh mesh = run::load_mesh(config, run);
    bytes = bytes_of(mesh, run);
    group.announce({linalg::step_mesh, 0, 0});
    broadcast(bytes);
    return mesh;
  }
  config.allow({"mesh"});
  linalg::await_step(linalg::step_mesh);
  broadcast(bytes);
  return mesh_of(bytes);
}

}  // namespace curlew::programs
