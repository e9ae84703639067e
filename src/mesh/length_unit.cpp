// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/length_unit.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/units.hpp"

namespace curlew::mesh {

const char* const length_units = "m, cm, mm, um, nm, km, inch, ft, mil";

double metres_per_unit(const std::string& unit) {
  const bool known = fmt::format(", {},", length_units).find(fmt::format(", {},", unit)) != std::string::npos;
  const auto quantity = io::find_unit(unit);
  if (!quantity || (!known && unit != "in"))
    throw InputError(fmt::format("unit \"{}\" is not known: use one of {}", unit, length_units));
  return quantity->value;
}

}  // namespace curlew::mesh
