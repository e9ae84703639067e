// SPDX-License-Identifier: BSD-3-Clause
#include "fem/materials.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

template <class Test>
bool all_materials(const CellMaterials& cells, Test test) {
  return std::all_of(cells.materials.begin(), cells.materials.end(),
                     [&](const Material& m) { return test(m.epsilon_r) && test(m.mu_r); });
}

/// The largest diagonal entry; 0 where no wave propagates.
double largest(const Coefficient& c) {
  if (c.is_scalar) return std::max(c.scalar.real(), 0.0);
  double most = 0;
  for (int i = 0; i < 3; ++i) most = std::max(most, c.tensor(i, i).real());
  return most;
}

}  // namespace

bool Coefficient::is_real() const {
  if (is_scalar) return scalar.imag() == 0;
  for (const auto& row : tensor.m)
    for (const Complex& entry : row)
      if (entry.imag() != 0) return false;
  return true;
}

bool Coefficient::is_symmetric() const {
  return is_scalar ||
         (tensor(0, 1) == tensor(1, 0) && tensor(0, 2) == tensor(2, 0) && tensor(1, 2) == tensor(2, 1));
}

Coefficient Coefficient::inverse() const {
  if (is_scalar) {
    if (scalar == 0.0) throw InputError("a relative permittivity or permeability of 0 has no inverse");
    return 1.0 / scalar;
  }
  const Complex det = determinant(tensor);
  double scale = 0;
  for (const auto& row : tensor.m)
    for (const Complex& entry : row) scale = std::max(scale, std::abs(entry));
  if (std::abs(det) <= 1e-14 * scale * scale * scale)
    throw InputError("a material tensor is singular: its determinant must not vanish");
  Mat3<Complex> inverse = adjugate(tensor);
  for (auto& row : inverse.m)
    for (Complex& entry : row) entry /= det;
  return inverse;
}

Vec3<Complex> operator*(const Coefficient& c, const Vec3<Complex>& v) {
  return c.is_scalar ? c.scalar * v : c.tensor * v;
}

double refractive_index(const Material& material) {
  return std::sqrt(largest(material.epsilon_r) * largest(material.mu_r));
}

bool CellMaterials::is_stretched() const {
  return std::any_of(materials.begin(), materials.end(),
                     [](const Material& m) { return m.stretching != nullptr; });
}

bool CellMaterials::is_real() const {
  return !is_stretched() && all_materials(*this, [](const Coefficient& c) { return c.is_real(); });
}

bool CellMaterials::is_symmetric() const {
  return all_materials(*this, [](const Coefficient& c) { return c.is_symmetric(); });
}

CellMaterials materials_by_region(const mesh::Mesh& mesh, const std::vector<std::string>& regions,
                                  const std::vector<Material>& materials) {
  CellMaterials cells{materials, std::vector<Index>(std::size_t(mesh.num_cells()), -1)};
  for (std::size_t i = 0; i < regions.size(); ++i)
    for (const Index cell : mesh::volume_named(mesh, regions[i]).entities) {
      Index& slot = cells.cell_material[std::size_t(cell)];
      if (slot >= 0 && slot != Index(i))
        throw InputError(fmt::format("regions \"{}\" and \"{}\" of {} share cells but have two materials",
                                     regions[std::size_t(slot)], regions[i], mesh.name));
      slot = Index(i);
    }
  const auto empty = std::count(cells.cell_material.begin(), cells.cell_material.end(), -1);
  if (empty > 0) {
    std::vector<std::string> names;
    for (const auto& volume : mesh.volumes)
      if (std::any_of(volume.entities.begin(), volume.entities.end(),
                      [&](Index c) { return cells.cell_material[std::size_t(c)] < 0; }))
        names.push_back(volume.name);
    throw InputError(fmt::format(
        "{} cells of {} have no material (regions without one: {})", empty, mesh.name,
        names.empty() ? "cells that are in no region" : fmt::format("{}", fmt::join(names, ", "))));
  }
  return cells;
}

}  // namespace curlew::fem
