// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/length_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "io/units.hpp"

namespace curlew::mesh {

const char* const length_units = "m, cm, mm, um, nm, km, inch, ft, mil";

double metres_per_unit(const std::string& unit) {
  constexpr std::array known{"m", "cm", "mm", "um", "nm", "km", "inch", "in", "ft", "mil"};
  if (std::find(known.begin(), known.end(), unit) == known.end())
    throw InputError(fmt::format("unit \"{}\" is not known: use one of {}", unit, length_units));
  return io::find_unit(unit)->value;
}

}  // namespace curlew::mesh
