// SPDX-License-Identifier: BSD-3-Clause
#include "material/permittivity.hpp"

#include <algorithm>

namespace curlew::material {
namespace {

bool is_layer(const io::Config& boundary) {
  if (!boundary.has("thickness") || !boundary.has("type")) return false;
  const auto type = boundary.get<std::string>("type");
  return type == "film" || type == "impedance";
}

/// Whether a [[material]] names every region of a [[boundary]].
bool fills(const io::Config& material, const io::Config& boundary) {
  const auto names = material.get<std::vector<std::string>>("region");
  const auto regions = boundary.get<std::vector<std::string>>("region");
  return std::ranges::all_of(regions, [&](const auto& name) { return std::ranges::count(names, name) > 0; });
}

}  // namespace

Permittivity read_dielectric(const io::Config& t) {
  if (t.get_or<Complex>("mu_r", 1.0) != 1.0)
    t.error("mu_r", "this equation is for dielectrics only: mu_r must be 1");
  return [medium = read_medium(t, MediumKind::stated)](double f) { return medium.permittivity(f); };
}

Permittivity read_layer(const io::Config& config, const io::Config& boundary) {
  for (const auto& table : config.tables("material"))
    if (fills(table, boundary)) return read_dielectric(table);
  boundary.error("region",
                 "a film or slab needs a [[material]] with its region, and epsilon_r, model or table there");
}

std::vector<io::Config> media_of_volumes(const io::Config& config) {
  auto media = config.tables("material");
  for (const auto& boundary : config.tables("boundary"))
    if (is_layer(boundary)) std::erase_if(media, [&](const auto& m) { return fills(m, boundary); });
  return media;
}

}  // namespace curlew::material
