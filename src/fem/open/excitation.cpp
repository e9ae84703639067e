// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/excitation.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "fem/cell_load.hpp"
#include "fem/geometry.hpp"
#include "fem/open/known_field.hpp"
#include "fem/piola.hpp"
#include "fem/point_location.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

/// b_a += W_a(x).m for the cells around a point, in equal shares: the basis jumps between cells.
void add_point_load(const NedelecSpace& space, const green::Dipole& dipole, Complex* b) {
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

bool is_equal(const Coefficient& c, double value) {
  return c.is_scalar && c.scalar == value;
}

}  // namespace

void add_current_load(const NedelecSpace& space, const Excitation& excitation, Complex* b) {
  for (const auto& dipole : excitation.dipoles) add_point_load(space, dipole, b);
  if (excitation.currents.empty()) return;
  const CellLoad load(space, space.order + (space.mesh->geometry_order == 2 ? 3 : 0));
  for (const auto& current : excitation.currents)
    for (const Index cell : mesh::volume_named(*space.mesh, current.region).entities)
      load.add(
          cell,
          [&](Vec3<double>) {
            return CellLoad::Sources{current.density, {}};
          },
          b);
}

bool has_dipole_in_loss(const mesh::Mesh& mesh, const CellMaterials& materials,
                        const Excitation& excitation) {
  const auto is_lossy = [](const Coefficient& c) {  // ε - ε† is not 0; gyrotropic media are lossless
    const Mat3<Complex> t = c.as_tensor();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (std::abs(t(i, j) - std::conj(t(j, i))) > 1e-14 * (std::abs(t(i, i)) + std::abs(t(j, j))))
          return true;
    return false;
  };
  for (const auto& dipole : excitation.dipoles)
    for (const auto& place : locate_point(mesh, dipole.position)) {
      const Material& medium = materials.of(place.cell);
      if (is_lossy(medium.epsilon_r) || is_lossy(medium.mu_r)) return true;
    }
  return false;
}

void add_polarization_load(const NedelecSpace& space, const CellMaterials& materials,
                           const Excitation& excitation, double k0, Complex* b) {
  const CellLoad load(space, 2 * space.order + 4);
  const Background medium = excitation.background.value_or(Background{});
  const IncidentField incident = incident_field(excitation, k0);
  for (Index cell = 0; cell < space.mesh->num_cells(); ++cell) {
    const Material& material = materials.of(cell);
    if (material.stretching ||
        (is_equal(material.epsilon_r, medium.epsilon_r) && is_equal(material.mu_r, medium.mu_r)))
      continue;
    const Coefficient inverse_mu = material.mu_r.inverse();
    const auto field = [&](Vec3<double> x) {
      const KnownField known = incident(x);
      return CellLoad::Sources{(k0 * k0) * (material.epsilon_r * known.e - medium.epsilon_r * known.e),
                               (1 / medium.mu_r) * known.curl - inverse_mu * known.curl};
    };
    load.add(cell, field, b);
  }
}

void add_boundary_load(const NedelecSpace& space, std::span<const Index> triangles,
                       const std::vector<bool>& layer, const Excitation& excitation, double k0, Complex gamma,
                       const FaceDirection& along, Complex* b) {
  const auto& topology = *space.topology;
  std::vector<Index> one_sided, two_sided;
  for (const Index t : triangles) {
    const auto& cells = topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])];
    if (!layer[std::size_t(cells[0])]) (cells[1] < 0 ? one_sided : two_sided).push_back(t);
  }
  const int degree = 2 * space.order + 4;
  const double inverse_mu = 1 / excitation.background.value_or(Background{}).mu_r;
  const IncidentField incident = incident_field(excitation, k0);
  const auto driving = [&](Vec3<double> x, Vec3<Complex> e) {
    if (!along) return e;
    const Vec3<double> d = along(x);
    return dot(d, e) * d;
  };
  add_surface_load(
      space, one_sided,
      [&](Vec3<double> x, Vec3<double> n) {
        const KnownField known = incident(x);
        return inverse_mu * cross(n, known.curl) - gamma * driving(x, known.e);
      },
      degree, b);
  add_surface_load(
      space, two_sided, [&](Vec3<double> x, Vec3<double>) { return -gamma * driving(x, incident(x).e); },
      degree, b);
}

}  // namespace curlew::fem
