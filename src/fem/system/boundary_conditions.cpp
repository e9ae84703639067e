// SPDX-License-Identifier: BSD-3-Clause
#include "fem/system/boundary_conditions.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/conditions/second_order.hpp"
#include "fem/model/face_parts.hpp"

namespace curlew::fem {

void add_boundary_conditions(const Model& model, const NedelecSpace& space, Complex frequency,
                             linalg::Csr<Complex>& a) {
  for (const FacePart& part : face_parts(model, space)) {
    const FaceAdmittance y = part.admittance(frequency);
    add_tangential_mass(space, part.triangles, y.self, a, part.along);
    if (!part.pairs.empty()) add_transfer_mass(space, part.pairs, y.transfer, a);
    if (part.curl_factor) add_surface_curl(space, part.triangles, part.curl_factor(frequency), a);
  }
}

void require_first_order(const Model& model, const char* what) {
  for (const auto& b : model.boundaries)
    if (b->is_second_order())
      throw InputError(fmt::format(
          "surface \"{}\": {} and absorbing boundaries of order 2 cannot be combined: take order = 1 or a "
          "perfectly matched layer ([[pml]])",
          b.regions.front(), what));
}

}  // namespace curlew::fem
