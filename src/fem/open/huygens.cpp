// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/huygens.hpp"

#include <numeric>

#include "fem/fields.hpp"
#include "fem/open/equivalent_currents.hpp"

namespace curlew::fem {

std::vector<Complex> wave_trace(const NedelecSpace& space, const RadiatingSurface& surface,
                                const green::ArrivingWave& wave, double k0) {
  return interpolate_trace(space, surface.triangles, [&](Vec3<double> x) { return wave.electric(k0, x); });
}

std::vector<Complex> wave_load(const NedelecSpace& space, const RadiatingSurface& surface,
                               const green::ArrivingWave& wave, double k0) {
  std::vector<Index> all(std::size_t(space.num_dofs()));
  std::iota(all.begin(), all.end(), Index(0));
  const auto trace = wave_trace(space, surface, wave, k0);
  auto b = vacuum_residual(space, surface.cells, all, trace.data(), 1, k0);
  for (Complex& value : b) value = -value;

  std::vector<bool> inside(std::size_t(space.mesh->num_cells()), false);
  for (const Index cell : surface.cells) inside[std::size_t(cell)] = true;
  std::vector<Index> outward, inward;  // by the normal that leaves the triangle's first cell
  for (const Index t : surface.triangles) {
    const auto face = std::size_t(space.topology->triangle_face[std::size_t(t)]);
    (inside[std::size_t(space.topology->face_cells[face][0])] ? outward : inward).push_back(t);
  }
  const int degree = 2 * space.order + 4;
  const auto flux = [&](Vec3<double> x, Vec3<double> n) { return cross(n, wave.curl(k0, x)); };
  add_surface_load(space, inward, flux, degree, b.data());
  add_surface_load(
      space, outward, [&](Vec3<double> x, Vec3<double> n) { return -flux(x, n); }, degree, b.data());
  return b;
}

}  // namespace curlew::fem
