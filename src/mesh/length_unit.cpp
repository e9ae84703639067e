// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/length_unit.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"

namespace curlew::mesh {

const char* const length_units = "m, cm, mm, um, nm, km, inch, ft, mil";

double metres_per_unit(const std::string& unit) {
  for (const auto& [name, metres] : {std::pair{"m", 1.0},
                                     {"cm", 1e-2},
                                     {"mm", 1e-3},
                                     {"um", 1e-6},
                                     {"nm", 1e-9},
                                     {"km", 1e3},
                                     {"inch", 0.0254},
                                     {"in", 0.0254},
                                     {"ft", 0.3048},
                                     {"mil", 2.54e-5}})
    if (unit == name) return metres;
  throw InputError(fmt::format("unit \"{}\" is not known: use one of {}", unit, length_units));
}

}  // namespace curlew::mesh
