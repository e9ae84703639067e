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

struct MeshFollows {};

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

bool serve_whole_matrices(const run::Run& run) {
  const ProcessGroup* group = run.processes();
  if (group != nullptr) group->part();
  if (is_first(group)) return false;
  group->follow([](const GroupStep&) { return ProcessGroup::Taken::no; });
  return true;
}

fem::DrivenOptions spread(fem::DrivenOptions options) {
  options.spread = true;
  return options;
}

mesh::Mesh load_shared_mesh(const io::Config& config, run::Run& run,
                            const std::vector<std::string>& surround) {
  const ProcessGroup* group = run.processes();
  const auto load = [&] { return run::load_mesh(config, run, mesh::MeshUse::volumes, surround); };
  if (group == nullptr || !group->is_together()) return load();
  std::string bytes;
  if (group->rank() == 0) {
    mesh::Mesh mesh = load();
    bytes = bytes_of(mesh, run);
    group->announce(MeshFollows{});
    broadcast_values(*group, bytes);
    return mesh;
  }
  config.allow({"mesh"});
  linalg::await_step<MeshFollows>(*group);
  broadcast_values(*group, bytes);
  return mesh_of(bytes);
}

}  // namespace curlew::programs
