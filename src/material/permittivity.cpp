// SPDX-License-Identifier: BSD-3-Clause
#include "material/permittivity.hpp"

namespace curlew::material {

Permittivity read_permittivity(const io::Config& t, MediumKind kind) {
  return [medium = read_medium(t, kind)](double f) { return medium.permittivity(f); };
}

Permittivity read_dielectric(const io::Config& t) {
  if (t.get_or<Complex>("mu_r", 1.0) != 1.0)
    t.error("mu_r", "this equation is for dielectrics only: mu_r must be 1");
  return read_permittivity(t, MediumKind::stated);
}

}  // namespace curlew::material
