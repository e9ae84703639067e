// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/excitation.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "fem/geometry.hpp"
#include "fem/piola.hpp"
#include "fem/point_location.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// b_a += W_a(x).m for the cells around a point, in equal shares: the basis jumps between cells.
void add_point_load(const NedelecSpace& space, const HertzianDipole& dipole, Complex* b) {
  const auto places = locate_point(*space.mesh, dipole.position);
  if (places.empty())
    throw InputError(fmt::format("dipole at ({:.6g}, {:.6g}, {:.6g}) m lies outside of {}", dipole.position.x,
                                 dipole.position.y, dipole.position.z, space.mesh->name));
  BasisValue<double> basis[max_cell_dim];
  Index dofs[max_cell_dim];
  for (const auto& place : places) {
    reference_basis(space.order, place.xi, basis);
    space.cell_dofs(place.cell, dofs);
    const auto map = piola_map(jacobian(cell_geometry(*space.mesh, place.cell), place.xi));
    for (int a = 0; a < nedelec_dim(space.order); ++a)
      if (dofs[a] >= 0)
        b[dofs[a]] += dot(covariant(map, basis[a].value), dipole.moment) / double(places.size());
  }
}

/// Basis functions at the points of a rule, and the integral of W.f + curl W.g over a cell.
class CellLoad {
 public:
  CellLoad(const NedelecSpace& space, int degree)
      : space_(space), rule_(quadrature::tetrahedron_rule(degree)), dim_(nedelec_dim(space.order)) {
    basis_.resize(std::size_t(rule_.size() * dim_));
    for (int q = 0; q < rule_.size(); ++q)
      reference_basis(space.order, rule_.points[std::size_t(q)], &basis_[std::size_t(q * dim_)]);
  }

  /// @param field f and g of a position, as a pair
  template <class Field>
  void add(Index cell, Field field, Complex* b) const {
    const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
    Index dofs[max_cell_dim];
    space_.cell_dofs(cell, dofs);
    for (int q = 0; q < rule_.size(); ++q) {
      const auto point = rule_.points[std::size_t(q)];
      const auto map = piola_map(jacobian(geometry, point));
      const double weight = rule_.weights[std::size_t(q)] * (map.det < 0 ? -1 : 1);
      const auto [f, g] = field(map_point(geometry, point));
      // W = J^-T w, curl W = J c / det; dV = |det|
      const Vec3<Complex> value = weight * (map.adj * f), curl = weight * (transpose(map.J) * g);
      for (int a = 0; a < dim_; ++a) {
        const auto& w = basis_[std::size_t(q * dim_ + a)];
        if (dofs[a] >= 0) b[dofs[a]] += dot(w.value, value) + dot(w.curl, curl);
      }
    }
  }

 private:
  const NedelecSpace& space_;
  quadrature::TetrahedronRule rule_;
  int dim_;
  std::vector<BasisValue<double>> basis_;
};

const mesh::Region& volume_named(const mesh::Mesh& mesh, const std::string& name) {
  for (const auto& volume : mesh.volumes)
    if (volume.name == name) return volume;
  throw InputError(fmt::format("volume \"{}\" is not in {}", name, mesh.name));
}

bool is_one(const Coefficient& c) {
  return c.is_scalar && c.scalar == 1.0;
}

}  // namespace

void add_current_load(const NedelecSpace& space, const Excitation& excitation, Complex* b) {
  for (const auto& dipole : excitation.dipoles) add_point_load(space, dipole, b);
  if (excitation.currents.empty()) return;
  const CellLoad load(space, space.order + (space.mesh->geometry_order == 2 ? 3 : 0));
  for (const auto& current : excitation.currents)
    for (const Index cell : volume_named(*space.mesh, current.region).entities)
      load.add(
          cell,
          [&](Vec3<double>) {
            return std::pair{current.density, Vec3<Complex>{}};
          },
          b);
}

void add_polarization_load(const NedelecSpace& space, const CellMaterials& materials, const PlaneWave& wave,
                           double k0, Complex* b) {
  const CellLoad load(space, 2 * space.order + 4);
  for (Index cell = 0; cell < space.mesh->num_cells(); ++cell) {
    const Material& material = materials.of(cell);
    if (material.stretching || (is_one(material.epsilon_r) && is_one(material.mu_r))) continue;
    const Coefficient inverse_mu = material.mu_r.inverse();
    const auto field = [&](Vec3<double> x) {
      const auto e = wave.electric(k0, x), curl = wave.curl(k0, x);
      return std::pair{(k0 * k0) * (material.epsilon_r * e - e), curl - inverse_mu * curl};
    };
    load.add(cell, field, b);
  }
}

void add_boundary_load(const NedelecSpace& space, std::span<const Index> triangles,
                       const std::vector<bool>& layer, const PlaneWave& wave, double k0, Complex gamma,
                       Complex* b) {
  const auto& topology = *space.topology;
  std::vector<Index> one_sided, two_sided;
  for (const Index t : triangles) {
    const auto& cells = topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])];
    if (!layer[std::size_t(cells[0])]) (cells[1] < 0 ? one_sided : two_sided).push_back(t);
  }
  const int degree = 2 * space.order + 4;
  add_surface_load(
      space, one_sided,
      [&](Vec3<double> x, Vec3<double> n) {
        return cross(n, wave.curl(k0, x)) - gamma * wave.electric(k0, x);
      },
      degree, b);
  add_surface_load(
      space, two_sided, [&](Vec3<double> x, Vec3<double>) { return -gamma * wave.electric(k0, x); }, degree,
      b);
}

}  // namespace curlew::fem
