// SPDX-License-Identifier: BSD-3-Clause
#include "programs/family.hpp"

#include <filesystem>
#include <utility>

#include "base/log.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "mesh/bisect.hpp"
#include "mesh/refined_sizes.hpp"
#include "run/mesh_input.hpp"
#include "run/run_state.hpp"

namespace curlew::programs {
namespace {

/// Triangles of a geometry that divides its curves itself, or makes each triangle a surface of its own, stay
/// as large as it says: they are cut. Those of Gmsh are hardly ever so much larger than asked as here, where
/// it has made more of them at all.
mesh::Mesh cut_where_larger(mesh::Mesh mesh, const mesh::SizeField& field) {
  if (field.use != mesh::MeshUse::surfaces || !mesh.cells.empty()) return mesh;
  const bool is_finer = mesh.num_triangles() > field.mesh.num_triangles();
  const double most = is_finer ? 1.5 : 1;
  const mesh::SizeAt size_at(field);
  std::vector<double> sizes(std::size_t(mesh.num_triangles()));
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    Vec3<double> middle{};
    for (int i = 0; i < 3; ++i) middle += 1.0 / 3 * mesh.nodes[std::size_t(mesh.triangle(Index(t))[i])];
    const double own = mesh::triangle_size(mesh, Index(t)), asked = size_at(middle);
    sizes[t] = own > most * asked ? asked : own;
  }
  mesh::SizeField own{std::move(mesh), std::move(sizes), field.use};
  mesh = mesh::bisected(own);
  if (mesh.num_triangles() > own.mesh.num_triangles())
    log::info(
        "the geometry divides its curves itself (Transfinite) and ignores sizes: {} triangles are bisected "
        "to {}",
        own.mesh.num_triangles(), mesh.num_triangles());
  return mesh;
}

}  // namespace

mesh::Mesh mesh_of_sizes(const Refinement& refinement, const io::Config& config, const std::string& path,
                         run::Run& run) {
  return cut_where_larger(run::remesh(config, run, path, refinement.use, refinement.surround),
                          mesh::read_size_field(path));
}

Family::Family(run::Run& run, bool is_geometry)
    : path_(is_geometry ? run.state().family_sizes : ""),
      hands_on_(!path_.empty() && run.state().is_first_of_family),
      is_handed_(!path_.empty() && !hands_on_ && std::filesystem::exists(path_)) {
  if (is_handed_) log::info("the mesh has the sizes of the first point of the sweep");
}

void Family::begin() const {
  std::error_code ignored;
  if (hands_on_) std::filesystem::remove(path_, ignored);
}

void Family::made(const mesh::SizeField& sizes) {
  if (hands_on_ && !mesh::keeps_mesh(sizes)) before_ = std::exchange(last_, sizes);
}

void Family::hand_on(bool has_estimates) const {
  const auto& sizes = has_estimates ? last_ : before_;
  if (!hands_on_ || !sizes) return;
  io::AtomicFile place(path_);
  auto file = io::H5File::create(place.part());
  mesh::write_size_field(*sizes, file);
  file.close();
  place.commit();
}

}  // namespace curlew::programs
