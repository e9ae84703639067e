// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/boundary_conditions.hpp"

#include <fmt/format.h>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/open/absorbing.hpp"

namespace curlew::fem {

void add_boundary_conditions(const Model& model, const NedelecSpace& space, Complex frequency,
                             linalg::Csr<Complex>& a) {
  const Complex k0 = 2 * pi * frequency / speed_of_light;
  for (const auto& b : model.boundaries) {
    if (b.type != BoundaryType::impedance && b.type != BoundaryType::absorbing) continue;
    const Complex gamma = Complex(0, 1) * k0 * vacuum_impedance / b.impedance(frequency);
    for (const auto& region : b.regions)
      add_tangential_mass(space, surface_triangles(*space.mesh, region), gamma, a);
    if (b.type != BoundaryType::absorbing || b.order == 1) continue;
    for (const auto& region : b.regions)
      add_surface_curl(space, surface_triangles(*space.mesh, region), absorbing_factor(k0, b.radius), a);
  }
}

void require_first_order(const Model& model, const char* what) {
  for (const auto& b : model.boundaries)
    if (b.type == BoundaryType::absorbing && b.order == 2)
      throw InputError(fmt::format(
          "surface \"{}\": {} and absorbing boundaries of order 2 do not go together: take order = 1 or a "
          "perfectly matched layer ([[pml]])",
          b.regions.front(), what));
}

}  // namespace curlew::fem
