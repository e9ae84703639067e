// SPDX-License-Identifier: BSD-3-Clause
#include "fem/eigen/participation.hpp"

#include "base/constants.hpp"
#include "fem/fields.hpp"
#include "fem/geometry.hpp"
#include "fem/piola.hpp"
#include "mesh/regions.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// ∫ E*·Re(ε) E dV over the cells of a region, ε0 left out.
double region_energy(const NedelecSpace& space, const mesh::Region& region, const CellMaterials& materials,
                     const FieldEvaluator& evaluator, const quadrature::TetrahedronRule& rule,
                     const std::vector<Complex>& x) {
  double energy = 0;
  std::vector<Vec3<Complex>> e(std::size_t(rule.size()));
  for (const Index c : region.entities) {
    if (materials.of(c).stretching) continue;
    evaluator.evaluate(c, x.data(), e.data(), nullptr);
    const CellGeometry geometry = cell_geometry(*space.mesh, c);
    for (std::size_t q = 0; q < e.size(); ++q) {
      const double volume = std::abs(determinant(jacobian(geometry, rule.points[q])));
      const Vec3<Complex> d = materials.of(c).epsilon_r * e[q];
      energy += rule.weights[q] * volume *
                dot(Vec3<Complex>{std::conj(e[q].x), std::conj(e[q].y), std::conj(e[q].z)}, d).real();
    }
  }
  return energy;
}

std::vector<std::pair<std::string, double>> region_energies(const NedelecSpace& space, const Model& model,
                                                            const std::vector<Complex>& x,
                                                            Complex frequency) {
  const CellMaterials materials = materials_at(model, *space.mesh, frequency);
  const auto rule = quadrature::tetrahedron_rule(2 * space.order);
  const FieldEvaluator evaluator(space, rule.points);
  std::vector<std::pair<std::string, double>> energies;
  for (const auto& m : model.materials)
    for (const auto& name : m.regions)
      if (const auto* volume = mesh::find_region(space.mesh->volumes, name))
        energies.emplace_back(name, region_energy(space, *volume, materials, evaluator, rule, x));
  return energies;
}

double sum_of(const std::vector<std::pair<std::string, double>>& energies) {
  double sum = 0;
  for (const auto& energy : energies) sum += energy.second;
  return sum;
}

}  // namespace

std::vector<std::pair<std::string, double>> participation(const NedelecSpace& space, const Model& model,
                                                          const std::vector<Complex>& x, Complex frequency) {
  auto shares = region_energies(space, model, x, frequency);
  const double total = sum_of(shares);
  for (auto& share : shares) share.second /= total;
  return shares;
}

double electric_energy(const NedelecSpace& space, const Model& model, const std::vector<Complex>& x,
                       Complex frequency) {
  return 0.25 * vacuum_permittivity * sum_of(region_energies(space, model, x, frequency));
}

}  // namespace curlew::fem
