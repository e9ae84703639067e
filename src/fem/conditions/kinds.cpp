// SPDX-License-Identifier: BSD-3-Clause
#include "fem/conditions/kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "io/config.hpp"
#include "io/nearest.hpp"
#include "material/surface_kinds.hpp"

namespace curlew::fem {
namespace {

struct Kind {
  const char* type;
  ConditionPtr (*read)(const io::Config&, double);
};
constexpr std::array<Kind, 4> kinds{
    {{"pec", read_pec}, {"pmc", read_pmc}, {"absorbing", read_absorbing}, {"lumped", read_lumped}}};

}  // namespace

ConditionPtr read_condition(const io::Config& table, double unit) {
  const auto type = table.get<std::string>("type");
  for (const Kind& kind : kinds)
    if (kind.type == type) return kind.read(table, unit);
  if (material::is_surface_law(type)) return law_condition(material::read_surface_law(table, type));
  std::vector<std::string> types = material::surface_law_types();
  for (std::size_t i = 0; i < kinds.size(); ++i)
    types.insert(types.begin() + std::ptrdiff_t(i), kinds[i].type);
  table.error("type", fmt::format("type = \"{}\" must be one of \"{}\" (nearest: {})", type,
                                  fmt::join(types, "\", \""), io::nearest_word(type, types)));
}

}  // namespace curlew::fem
