// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/split_surfaces.hpp"

#include <string>
#include <vector>

#include "fem/model/face_parts.hpp"
#include "fem/model/region_rules.hpp"
#include "io/frequency.hpp"
#include "mesh/cut.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

struct Split {
  std::vector<std::string> surfaces;
  material::Sides sides;
};

/// Each condition is made once, with the table of its values.
std::vector<Split> read_sides(const io::Config& config, const mesh::Mesh& mesh) {
  const double highest = io::highest_frequency(config).value_or(0);
  std::vector<Split> all;
  for (const auto& table : config.tables("boundary"))
    all.push_back(
        {read_surface_names(table, mesh), read_condition(table, length_unit(config))->sides(highest)});
  return all;
}

}  // namespace

void split_surfaces(const io::Config& config, mesh::Mesh& mesh) {
  const auto splits = read_sides(config, mesh);
  for (const bool coupled : {false, true}) {
    std::vector<Index> triangles;
    for (const auto& split : splits) {
      if (split.sides != (coupled ? material::Sides::coupled : material::Sides::apart)) continue;
      const auto more = mesh::triangles_of(mesh, split.surfaces);
      triangles.insert(triangles.end(), more.begin(), more.end());
    }
    if (!triangles.empty()) mesh::cut_along(mesh, triangles, coupled);
  }
}

}  // namespace curlew::fem
