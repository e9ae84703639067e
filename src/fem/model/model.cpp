// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/model.hpp"

#include <algorithm>

#include "fem/model/face_parts.hpp"
#include "material/medium.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {

namespace {

std::shared_ptr<const Stretching> stretching_of(const Model& model, const std::string& region,
                                                double frequency) {
  for (const auto& layer : model.pml)
    if (std::find(layer.regions.begin(), layer.regions.end(), region) != layer.regions.end())
      return std::make_shared<const Stretching>(layer.stretching(frequency));
  return nullptr;
}

material::Tensor tensor_of(const Coefficient& c) {
  const Mat3<Complex> t = c.as_tensor();
  material::Tensor out;
  for (int i = 0; i < 9; ++i) out[std::size_t(i)] = t(i / 3, i % 3);
  return out;
}

/// Keeps the user's kind: a tensor that is a multiple of the unit tensor stays a tensor.
Coefficient with_kind_of(const Coefficient& c, const material::Tensor& t) {
  if (c.is_scalar) return t[0];
  Mat3<Complex> tensor;
  for (int i = 0; i < 9; ++i) tensor(i / 3, i % 3) = t[std::size_t(i)];
  return tensor;
}

template <class Condition>
std::vector<Index> triangles_where(const std::vector<BoundaryCondition>& boundaries, const mesh::Mesh& mesh,
                                   const Condition& holds) {
  std::vector<Index> triangles;
  for (const auto& b : boundaries) {
    if (!holds(*b.condition)) continue;
    const auto more = mesh::triangles_of(mesh, b.regions);
    triangles.insert(triangles.end(), more.begin(), more.end());
  }
  return triangles;
}

}  // namespace

bool Model::is_lossless() const {
  if (!pml.empty()) return false;
  for (const auto& m : materials) {
    if (!m.epsilon_r.is_real() || !m.mu_r.is_real() || m.loss_tangent > 0 || m.conductivity > 0 ||
        m.dispersion.is_lossy())
      return false;
  }
  return std::none_of(boundaries.begin(), boundaries.end(),
                      [](const BoundaryCondition& b) { return b->is_lossy(); }) &&
         std::none_of(ports.begin(), ports.end(), [](const PortModel& p) { return p.kind->is_lossy(); });
}

Material medium_at(const RegionMaterial& m, Complex frequency) {
  const Complex added = material::added_permittivity(m.conductivity, m.dispersion, frequency);
  Material medium{
      with_kind_of(m.epsilon_r, material::with_loss_tangent(tensor_of(m.epsilon_r), m.loss_tangent)), m.mu_r};
  if (m.epsilon_r.is_scalar) {
    medium.epsilon_r.scalar += added;
  } else {
    for (int i = 0; i < 3; ++i) medium.epsilon_r.tensor(i, i) += added;
  }
  return medium;
}

CellMaterials materials_at(const Model& model, const mesh::Mesh& mesh, Complex frequency) {
  std::vector<std::string> regions;
  std::vector<Material> materials;
  for (const auto& m : model.materials) {
    const Material medium = medium_at(m, frequency);
    for (const auto& region : m.regions) {
      regions.push_back(region);
      materials.push_back(medium);
      materials.back().stretching = stretching_of(model, region, frequency.real());
    }
  }
  return materials_by_region(mesh, regions, materials);
}

bool same_medium(const RegionMaterial& a, const RegionMaterial& b) {
  if (&a == &b) return true;
  return a.is_isotropic() && b.is_isotropic() && a.epsilon_r.scalar == b.epsilon_r.scalar &&
         a.mu_r.scalar == b.mu_r.scalar && a.loss_tangent == b.loss_tangent &&
         a.conductivity == b.conductivity && a.dispersion.is_empty() && b.dispersion.is_empty();
}

void Model::set_order(int to) {
  for (auto& o : cell_orders) o = std::int8_t(std::clamp(o + to - order, 1, max_order));
  order = to;
}

std::vector<Index> material_of_cells(const Model& model, const mesh::Mesh& mesh) {
  std::vector<Index> material(std::size_t(mesh.num_cells()), -1);
  for (std::size_t m = 0; m < model.materials.size(); ++m)
    for (const auto& region : model.materials[m].regions)
      if (const auto* volume = mesh::find_region(mesh.volumes, region))
        for (const Index c : volume->entities) material[std::size_t(c)] = Index(m);
  return material;
}

std::vector<Index> pec_triangles(const Model& model, const mesh::Mesh& mesh) {
  return triangles_where(model.boundaries, mesh, [](const FaceCondition& c) { return c.is_pec(); });
}

std::vector<Index> conductor_triangles(const std::vector<BoundaryCondition>& boundaries,
                                       const mesh::Mesh& mesh) {
  return triangles_where(boundaries, mesh, [](const FaceCondition& c) { return c.is_pec() || c.conducts(); });
}

}  // namespace curlew::fem
