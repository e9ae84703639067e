// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/source_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "fem/point_location.hpp"
#include "mesh/regions.hpp"

namespace curlew::truncation {

namespace {

enum class Place : char { inside, at_surface, outside };

std::vector<Place> places(const mesh::Mesh& mesh, std::span<const Index> exterior, const Surfaces& surfaces) {
  std::vector<char> on_surface(mesh.nodes.size(), 0);
  for (const Index t : surfaces.inner)
    for (int i = 0; i < 3; ++i) on_surface[mesh.triangle(t)[i]] = 1;
  std::vector<Place> place(std::size_t(mesh.num_cells()), Place::inside);
  for (Index c = 0; c < mesh.num_cells(); ++c)
    if (std::any_of(mesh.cell(c), mesh.cell(c) + 4, [&](Index n) { return on_surface[n] != 0; }))
      place[c] = Place::at_surface;
  for (const Index c : exterior) place[c] = Place::outside;
  return place;
}

void complain(Place place, const std::string& what) {
  if (place == Place::inside) return;
  throw InputError(fmt::format("truncation: {} {}", what,
                               place == Place::outside
                                   ? "is outside of the inner surface, which must enclose all sources"
                                   : "touches the inner surface: leave at least one cell between them"));
}

}  // namespace

void check_source(const fem::NedelecSpace& space, const fem::Excitation& source,
                  std::span<const Index> exterior, const Surfaces& surfaces) {
  const mesh::Mesh& mesh = *space.mesh;
  const auto place = places(mesh, exterior, surfaces);
  for (const auto& dipole : source.dipoles) {
    const auto& p = dipole.position;
    for (const auto& found : fem::locate_point(mesh, p))
      complain(place[found.cell], fmt::format("the dipole at ({:.4g}, {:.4g}, {:.4g}) m", p.x, p.y, p.z));
  }
  for (const auto& current : source.currents)
    for (const Index c : mesh::volume_named(mesh, current.region).entities)
      complain(place[c], fmt::format("the current of \"{}\"", current.region));
}

}  // namespace curlew::truncation
