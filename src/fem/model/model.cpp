// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/model.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

namespace {

std::shared_ptr<const Stretching> stretching_of(const Model& model, const std::string& region,
                                                double frequency) {
  for (const auto& layer : model.pml)
    if (std::find(layer.regions.begin(), layer.regions.end(), region) != layer.regions.end())
      return std::make_shared<const Stretching>(layer.stretching(frequency));
  return nullptr;
}

}  // namespace

Complex BoundaryCondition::impedance(Complex frequency) const {
  if (type == BoundaryType::absorbing) return vacuum_impedance;
  if (conductivity > 0) {
    const Complex omega = 2 * pi * frequency;
    const double skin_depth = std::sqrt(2 / (omega.real() * vacuum_permeability * conductivity));
    return roughness.factor(skin_depth) * Complex(1, 1) *
           std::sqrt(omega * vacuum_permeability / (2 * conductivity));
  }
  return surface_impedance;
}

bool Model::is_lossless() const {
  if (!pml.empty()) return false;
  for (const auto& m : materials) {
    if (!m.epsilon_r.is_real() || !m.mu_r.is_real() || m.loss_tangent > 0 || m.conductivity > 0 ||
        m.dispersion.is_lossy())
      return false;
  }
  for (const auto& b : boundaries) {
    if (b.type == BoundaryType::absorbing) return false;
    if (b.type == BoundaryType::impedance && (b.conductivity > 0 || b.surface_impedance.real() > 0))
      return false;
  }
  return true;
}

CellMaterials materials_at(const Model& model, const mesh::Mesh& mesh, Complex frequency) {
  std::vector<std::string> regions;
  std::vector<Material> materials;
  for (const auto& m : model.materials) {
    const Complex loss(1, -m.loss_tangent);
    const Complex added = m.conductivity / (Complex(0, 2 * pi) * frequency * vacuum_permittivity) +
                          m.dispersion.permittivity(frequency);
    Material material{m.epsilon_r, m.mu_r};
    if (m.epsilon_r.is_scalar) {
      material.epsilon_r.scalar = m.epsilon_r.scalar * loss + added;
    } else {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) material.epsilon_r.tensor(i, j) *= loss;
        material.epsilon_r.tensor(i, i) += added;
      }
    }
    for (const auto& region : m.regions) {
      regions.push_back(region);
      materials.push_back(material);
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

std::vector<Index> material_of_cells(const Model& model, const mesh::Mesh& mesh) {
  std::vector<Index> material(std::size_t(mesh.num_cells()), -1);
  for (std::size_t m = 0; m < model.materials.size(); ++m)
    for (const auto& region : model.materials[m].regions)
      for (const auto& volume : mesh.volumes) {
        if (volume.name != region) continue;
        for (const Index c : volume.entities) material[std::size_t(c)] = Index(m);
      }
  return material;
}

std::vector<Index> pec_triangles(const Model& model, const mesh::Mesh& mesh) {
  std::vector<Index> triangles;
  for (const auto& b : model.boundaries) {
    if (b.type != BoundaryType::pec) continue;
    for (const auto& region : b.regions) {
      const auto& more = surface_triangles(mesh, region);
      triangles.insert(triangles.end(), more.begin(), more.end());
    }
  }
  return triangles;
}

}  // namespace curlew::fem
