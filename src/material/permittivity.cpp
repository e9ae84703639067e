// SPDX-License-Identifier: BSD-3-Clause
#include "material/permittivity.hpp"

#include <fmt/format.h>

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
  std::vector<std::string> layers;
  for (const auto& boundary : config.tables("boundary"))
    if (is_layer(boundary))
      for (auto& name : boundary.get<std::vector<std::string>>("region")) layers.push_back(std::move(name));
  auto media = config.tables("material");
  std::erase_if(media, [&](const io::Config& medium) {
    const auto names = medium.get<std::vector<std::string>>("region");
    const auto is_layer_too = [&](const auto& name) { return std::ranges::count(layers, name) > 0; };
    const auto count = std::size_t(std::ranges::count_if(names, is_layer_too));
    if (count > 0 && count < names.size())
      medium.error("region",
                   fmt::format("\"{}\" is a film or slab, others are not: give it its own [[material]]",
                               *std::ranges::find_if(names, is_layer_too)));
    return count > 0;
  });
  return media;
}

}  // namespace curlew::material
