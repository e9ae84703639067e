// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/boundary_conditions.hpp"

#include "base/constants.hpp"
#include "fem/boundary_terms.hpp"

namespace curlew::fem {

void add_boundary_conditions(const Model& model, const NedelecSpace& space, Complex frequency,
                             linalg::Csr<Complex>& a) {
  const Complex k0 = 2 * pi * frequency / speed_of_light;
  for (const auto& b : model.boundaries) {
    if (b.type != BoundaryType::impedance && b.type != BoundaryType::absorbing) continue;
    const Complex gamma = Complex(0, 1) * k0 * vacuum_impedance / b.impedance(frequency);
    for (const auto& region : b.regions)
      add_tangential_mass(space, surface_triangles(*space.mesh, region), gamma, a);
  }
}

}  // namespace curlew::fem
