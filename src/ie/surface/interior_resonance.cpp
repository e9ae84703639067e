// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/interior_resonance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/constants.hpp"

namespace curlew::ie {
namespace {

/// [1/m] of the cavity in a shell.
double lowest_wavenumber(const SurfaceMesh& mesh, const Shells& shells, Index shell) {
  constexpr double far = std::numeric_limits<double>::max();
  Vec3<double> low{far, far, far}, high{-far, -far, -far};
  for (Index t = 0; t < mesh.num_faces(); ++t) {
    if (shells.at[std::size_t(t)][0] != shell && shells.at[std::size_t(t)][1] != shell) continue;
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) {
        low[d] = std::min(low[d], mesh.corner(t, i)[d]);
        high[d] = std::max(high[d], mesh.corner(t, i)[d]);
      }
  }
  std::array<double, 3> sides{high.x - low.x, high.y - low.y, high.z - low.z};
  std::sort(sides.begin(), sides.end());
  const double box = sides[0] * sides[1] * sides[2];
  return pi * std::hypot(1 / sides[1], 1 / sides[2]) * std::cbrt(box / shells.volume[std::size_t(shell)]);
}

}  // namespace

std::optional<InteriorResonance> lowest_interior_resonance(const Problem& problem, const Scene& scene) {
  if (problem.equation == Equation::cfie && problem.alpha > 0 && problem.alpha < 1) return std::nullopt;
  const SurfaceMesh& mesh = problem.mesh;
  std::optional<InteriorResonance> lowest;
  for (Index s = 0; s < scene.shells.size(); ++s) {
    const auto first = std::size_t(scene.shells.first[std::size_t(s)]);
    const auto tag = std::size_t(mesh.tag[first]);
    if (!scene.shells.encloses(s) || scene.inside[std::size_t(s)] >= 0 || scene.front[first] < 0 ||
        problem.surfaces[tag].boundary != Boundary::conductor)
      continue;
    const double k = scene.regions[std::size_t(scene.front[first])].k.real();
    const double frequency = problem.frequency * lowest_wavenumber(mesh, scene.shells, s) / k;
    if (!lowest || frequency < lowest->frequency) lowest = {mesh.tag_names[tag], frequency};
  }
  return lowest;
}

}  // namespace curlew::ie
