// SPDX-License-Identifier: BSD-3-Clause
#include "fem/setup/cut_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/space.hpp"
#include "io/config.hpp"

namespace curlew::fem {
namespace {

/// Planes of [[symmetry]] are among the mirror planes with the same numbers.
bool is_stated(const MirrorPlane& plane, const Symmetry& symmetry) {
  return std::any_of(symmetry.planes.begin(), symmetry.planes.end(), [&](const auto& stated) {
    return plane.normal[stated.axis] == 1 && plane.offset == stated.position;
  });
}

bool are_equal(const MirrorPlane& a, const MirrorPlane& b) {
  return norm(a.normal - b.normal) == 0 && a.offset == b.offset;
}

}  // namespace

std::vector<MirrorPlane> unstated_planes(const MaxwellSetup& setup) {
  std::vector<MirrorPlane> planes;
  for (const auto& port : setup.model.ports) {
    const auto whole =
        whole_structure(setup.mesh, surface_triangles(setup.mesh, port.region), setup.model.mirrors);
    for (const auto& plane : whole.planes)
      if (!is_stated(plane, setup.symmetry) &&
          std::none_of(planes.begin(), planes.end(), [&](const auto& p) { return are_equal(p, plane); }))
        planes.push_back(plane);
  }
  return planes;
}

double copies_of_whole(const MaxwellSetup& setup) {
  return std::ldexp(setup.symmetry.copies(), int(unstated_planes(setup).size()));
}

void require_stated_planes(const io::Config& config, const MaxwellSetup& setup) {
  const auto planes = unstated_planes(setup);
  if (planes.empty()) return;
  const auto& [normal, offset, is_electric] = planes.front();
  config.error("excitation",
               fmt::format("the magnetic wall with normal ({:.4g}, {:.4g}, {:.4g}) at {:.6g} m cuts a "
                           "[[port]], so the model is a part of the structure: declare the plane by "
                           "[[symmetry]], type = \"pmc\", or model the full structure",
                           normal.x, normal.y, normal.z, offset));
}

}  // namespace curlew::fem
