// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/split_surfaces.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "fem/model/face_parts.hpp"
#include "fem/model/region_rules.hpp"
#include "io/frequency.hpp"
#include "mesh/cut.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

/// The largest of [frequency] or, for modes, their target [Hz]; 0 where there is none.
double highest_frequency(const io::Config& config) {
  const auto analysis = config.table("analysis");
  double highest = analysis.has("target") ? analysis.positive("target") : 0;
  if (!config.has("frequency")) return highest;
  for (const double f : io::frequencies(config, io::Lowest::zero))
    highest = std::max(highest, f);
  return highest;
}

material::Sides sides_of(const io::Config& config, const io::Config& table) {
  return read_condition(table, length_unit(config))->sides(highest_frequency(config));
}

}  // namespace

void split_surfaces(const io::Config& config, mesh::Mesh& mesh) {
  for (const bool coupled : {false, true}) {
    std::vector<Index> triangles;
    for (const auto& table : config.tables("boundary")) {
      if (sides_of(config, table) != (coupled ? material::Sides::coupled : material::Sides::apart)) continue;
      const auto more = mesh::triangles_of(mesh, read_surface_names(table, mesh));
      triangles.insert(triangles.end(), more.begin(), more.end());
    }
    if (!triangles.empty()) mesh::cut_along(mesh, triangles, coupled);
  }
}

}  // namespace curlew::fem
