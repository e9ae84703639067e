// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/total_scattered_source.hpp"

#include "fem/fields.hpp"
#include "fem/open/vacuum_form.hpp"

namespace curlew::fem {
namespace {

/// int (curl W_a).(curl E) - k0^2 W_a.E dV over cells of vacuum, for all unknowns a. @param x [num_dofs]
std::vector<Complex> vacuum_residual(const NedelecSpace& space, const std::vector<Index>& cells,
                                     const std::vector<Complex>& x, double k0) {
  VacuumForm form(space);
  const int dim = nedelec_dim(space.order);
  std::vector<Complex> sums(x.size());
  Index dofs[max_cell_dim];
  for (const Index cell : cells) {
    form.compute(cell);
    space.cell_dofs(cell, dofs);
    for (int a = 0; a < dim; ++a)
      for (int b = 0; dofs[a] >= 0 && b < dim; ++b)
        if (dofs[b] >= 0)
          sums[std::size_t(dofs[a])] +=
              (form.curl_curl(a, b) - k0 * k0 * form.mass(a, b)) * x[std::size_t(dofs[b])];
  }
  return sums;
}

}  // namespace

std::vector<Complex> wave_trace(const NedelecSpace& space, const RadiatingSurface& surface,
                                const IncidentField& wave) {
  return interpolate_trace(space, surface.triangles, [&](Vec3<double> x) { return wave(x).e; });
}

std::vector<Complex> wave_load(const NedelecSpace& space, const RadiatingSurface& surface,
                               const IncidentField& wave, double k0) {
  const auto trace = wave_trace(space, surface, wave);
  auto b = vacuum_residual(space, surface.cells, trace, k0);
  for (Complex& value : b) value = -value;

  std::vector<bool> inside(std::size_t(space.mesh->num_cells()), false);
  for (const Index cell : surface.cells) inside[std::size_t(cell)] = true;
  std::vector<Index> outward, inward;  // by the normal that leaves the triangle's first cell
  for (const Index t : surface.triangles) {
    const auto face = std::size_t(space.topology->triangle_face[std::size_t(t)]);
    (inside[std::size_t(space.topology->face_cells[face][0])] ? outward : inward).push_back(t);
  }
  const int degree = 2 * space.order + 4;
  const auto flux = [&](Vec3<double> x, Vec3<double> n) { return cross(n, wave(x).curl); };
  add_surface_load(space, inward, flux, degree, b.data());
  add_surface_load(
      space, outward, [&](Vec3<double> x, Vec3<double> n) { return -flux(x, n); }, degree, b.data());
  return b;
}

}  // namespace curlew::fem
