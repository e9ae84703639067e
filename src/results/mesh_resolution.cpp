// SPDX-License-Identifier: BSD-3-Clause
#include "results/mesh_resolution.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/hertz.hpp"
#include "run/mesh_input.hpp"

namespace curlew::results {

void state_resolution(const LongestEdge& edge, run::Run& run) {
  run.results()["longest_edge_wavelengths"] = edge.wavelengths;
  if (edge.wavelengths <= 10) return;
  throw InputError(
      fmt::format("{}: the mesh is too coarse: its longest edge, {:.3g} m, is {:.3g} wavelengths of "
                  "its medium; check "
                  "frequency and [mesh] unit, or take smaller cells ({})",
                  hertz(edge.frequency), edge.length, edge.wavelengths, run::source_of_sizes(run)));
}

}  // namespace curlew::results
