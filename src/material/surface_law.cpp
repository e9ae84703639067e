// SPDX-License-Identifier: BSD-3-Clause
#include "material/surface_law.hpp"

#include <algorithm>
#include <array>

#include "material/surface_kinds.hpp"

namespace curlew::material {
namespace {

struct Kind {
  const char* type;
  SurfaceLawPtr (*read)(const io::Config&);
};
constexpr std::array<Kind, 4> kinds{{{"impedance", read_wall},
                                     {"sheet", read_sheet},
                                     {"superconductor", read_superconductor},
                                     {"tabulated_impedance", read_tabulated}}};

const Kind* find_kind(const std::string& type) {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.type == type; });
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace

bool is_surface_law(const std::string& type) {
  return find_kind(type) != nullptr;
}

std::vector<std::string> surface_law_types() {
  std::vector<std::string> types;
  for (const Kind& kind : kinds) types.emplace_back(kind.type);
  return types;
}

SurfaceLawPtr read_surface_law(const io::Config& table, const std::string& type) {
  const Kind* kind = find_kind(type);
  table.require(kind != nullptr, "type", "type is not that of a surface law");
  return kind->read(table);
}

}  // namespace curlew::material
