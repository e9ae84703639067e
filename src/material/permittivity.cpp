// SPDX-License-Identifier: BSD-3-Clause
#include "material/permittivity.hpp"

#include <algorithm>

#include "material/medium.hpp"

namespace curlew::material {

Permittivity read_dielectric(const io::Config& t) {
  if (t.get_or<Complex>("mu_r", 1.0) != 1.0)
    t.error("mu_r", "this equation is for dielectrics only: mu_r must be 1");
  return [medium = read_medium(t, MediumKind::stated)](double f) { return medium.permittivity(f); };
}

bool has_regions(const io::Config& material, std::span<const std::string> regions) {
  const auto own = material.get<std::vector<std::string>>("region");
  return std::ranges::all_of(regions,
                             [&](const auto& region) { return std::ranges::find(own, region) != own.end(); });
}

Permittivity read_layer_dielectric(const io::Config& config, const io::Config& boundary) {
  const auto regions = boundary.get<std::vector<std::string>>("region");
  for (const auto& t : config.tables("material"))
    if (has_regions(t, regions)) return read_dielectric(t);
  boundary.error("thickness", "no [[material]] with the same region says what this layer is made of");
}

}  // namespace curlew::material
