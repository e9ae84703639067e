// SPDX-License-Identifier: BSD-3-Clause
#include "job/family.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "mesh/bisect.hpp"
#include "mesh/refined_sizes.hpp"
#include "run/mesh_input.hpp"
#include "run/run_state.hpp"

namespace curlew::job {
namespace {

/// Bisects triangles that are much larger than requested: those of a geometry that divides its curves itself,
/// or has a surface for each triangle, ignore sizes. Gmsh's triangles rarely exceed the size by this much.
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

/// Extreme value of each coordinate of the nodes. @pre the mesh has a node
template <class Pick>
Vec3<double> extreme(const mesh::Mesh& mesh, Pick pick) {
  Vec3<double> found = mesh.nodes.front();
  for (const auto& node : mesh.nodes)
    for (int a = 0; a < 3; ++a) found[a] = pick(found[a], node[a]);
  return found;
}

}  // namespace

mesh::Mesh mesh_of_sizes(const Refinement& refinement, const io::Config& config, const std::string& path,
                         run::Run& run) {
  return cut_where_larger(run::remesh(config, run, path, refinement.use, refinement.surround),
                          mesh::read_size_field(path));
}

Family::Family(run::Run& run, bool is_geometry, const mesh::Mesh& first)
    : low_(extreme(first, [](double a, double b) { return std::min(a, b); })),
      high_(extreme(first, [](double a, double b) { return std::max(a, b); })),
      path_(is_geometry ? run.state().family_sizes : ""),
      hands_on_(!path_.empty() && run.state().is_first_of_family),
      is_handed_(!path_.empty() && !hands_on_ && std::filesystem::exists(path_)) {
  if (is_handed_) log::info("the mesh has the sizes of the first point of the sweep");
}

void Family::begin() const {
  std::error_code ignored;
  if (hands_on_) std::filesystem::remove(path_, ignored);
}

mesh::SizeField Family::sizes() const {
  mesh::SizeField field = mesh::read_size_field(path_);
  const auto given = io::H5File::open(path_).read<double>("box");
  if (given.size() != 6) throw InputError(path_ + ": box must hold the least and the greatest x, y, z");
  for (int a = 0; a < 3; ++a) {
    const double low = given[std::size_t(a)], high = given[std::size_t(a) + 3];
    if (high <= low || (low == low_[a] && high == high_[a])) continue;
    const double scale = (high_[a] - low_[a]) / (high - low);
    for (auto& node : field.mesh.nodes) node[a] = low_[a] + scale * (node[a] - low);
  }
  return field;
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
  file.write("box", std::vector{low_[0], low_[1], low_[2], high_[0], high_[1], high_[2]},
             {"m", "the first mesh lies in this box: least x, y, z, greatest x, y, z (6)"});
  file.close();
  place.commit();
}

}  // namespace curlew::job
