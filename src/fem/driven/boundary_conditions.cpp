// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/boundary_conditions.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/model/face_parts.hpp"
#include "fem/open/absorbing.hpp"

namespace curlew::fem {

void add_boundary_conditions(const Model& model, const NedelecSpace& space, Complex frequency,
                             linalg::Csr<Complex>& a) {
  for (const FacePart& part : face_parts(model, *space.mesh, *space.topology)) {
    const FaceAdmittance y = face_admittance(model, part, frequency);
    add_tangential_mass(space, part.triangles, y.self, a);
    if (part.kind == FacePart::Kind::coupled) add_transfer_mass(space, part.pairs, y.transfer, a);
    const auto& boundary = model.boundaries[part.boundary];
    if (part.kind != FacePart::Kind::absorbing || boundary.order == 1) continue;
    const auto medium = medium_beside(model.materials[std::size_t(part.material)], frequency);
    add_surface_curl(space, part.triangles, absorbing_factor(medium.k, boundary.radius) / medium.mu_r, a);
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
