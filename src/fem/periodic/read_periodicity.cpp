// SPDX-License-Identifier: BSD-3-Clause
// [[periodic]] and [bloch].

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/model/region_rules.hpp"
#include "fem/periodic/periodicity.hpp"
#include "fem/space.hpp"
#include "io/frequency.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

constexpr double degree = pi / 180;

PeriodicPair read_pair(const io::Config& table, const mesh::Mesh& mesh, double unit) {
  PeriodicPair pair;
  pair.primary = read_surface_names(table, mesh, "primary");
  pair.secondary = read_surface_names(table, mesh, "secondary");
  if (table.has("phase")) pair.phase = degree * table.get<double>("phase");
  try {
    pair.faces = mesh::match_translated(mesh, mesh::triangles_of(mesh, pair.primary),
                                        mesh::triangles_of(mesh, pair.secondary),
                                        {fmt::format("{}", fmt::join(pair.primary, ", ")),
                                         fmt::format("{}", fmt::join(pair.secondary, ", ")), unit});
  } catch (const InputError& e) {
    table.error("secondary", e.what());
  }
  return pair;
}

/// theta, phi: where the wave comes from; or wave_vector [rad/m]; neither: k = 0.
void read_vector(const io::Config& bloch, Periodicity& periodicity) {
  const bool angles = bloch.has("theta") || bloch.has("phi");
  bloch.require(!angles || !bloch.has("wave_vector"), "wave_vector",
                "[bloch] takes theta and phi, or wave_vector, not both");
  if (!angles) {
    periodicity.wave_vector = bloch.get_or<Vec3<double>>("wave_vector", {0, 0, 0});
    return;
  }
  const double theta = degree * bloch.get<double>("theta"), phi = degree * bloch.get_or<double>("phi", 0.0);
  bloch.require(theta >= 0 && theta <= pi, "theta", "theta must lie between 0 and 180 degrees");
  periodicity.arrival = {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
  periodicity.theta_direction = {std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi),
                                 -std::sin(theta)};
}

}  // namespace

Periodicity read_periodicity(const io::Config& config, mesh::Mesh& mesh) {
  Periodicity periodicity;
  const auto tables = config.tables("periodic");
  if (tables.empty()) {
    if (config.has("bloch"))
      config.error("bloch", "[bloch] needs periodic faces: add [[periodic]] with primary and secondary");
    return periodicity;
  }
  for (const auto& table : tables) periodicity.pairs.push_back(read_pair(table, mesh, length_unit(config)));
  const io::Config bloch = config.table("bloch");
  for (std::size_t p = 0; p < tables.size(); ++p)
    tables[p].require(!periodicity.pairs[p].phase || !config.has("bloch"), "phase",
                      "the phase of a pair and [bloch] exclude each other: give one of the two");
  read_vector(bloch, periodicity);
  periodicity.highest_frequency = io::highest_frequency(config).value_or(0);
  std::vector<mesh::TranslatedFaces> faces;
  for (const auto& pair : periodicity.pairs) faces.push_back(pair.faces);
  mesh::number_alike(mesh, faces);
  for (std::size_t p = 0; p < faces.size(); ++p) periodicity.pairs[p].faces = std::move(faces[p]);
  return periodicity;
}

}  // namespace curlew::fem
