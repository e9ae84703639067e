// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/interior_resonance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/constants.hpp"

namespace curlew::ie {
namespace {

/// [1/m] of the cavity in a closed piece.
double lowest_wavenumber(const SurfaceMesh& mesh, Index piece) {
  constexpr double far = std::numeric_limits<double>::max();
  Vec3<double> low{far, far, far}, high{-far, -far, -far};
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    if (mesh.piece[std::size_t(t)] != piece) continue;
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) {
        low[d] = std::min(low[d], mesh.corner(t, i)[d]);
        high[d] = std::max(high[d], mesh.corner(t, i)[d]);
      }
  }
  std::array<double, 3> sides{high.x - low.x, high.y - low.y, high.z - low.z};
  std::sort(sides.begin(), sides.end());
  const double box = sides[0] * sides[1] * sides[2];
  return pi * std::hypot(1 / sides[1], 1 / sides[2]) *
         std::cbrt(box / mesh.pieces[std::size_t(piece)].volume);
}

}  // namespace

std::optional<InteriorResonance> lowest_interior_resonance(const Problem& problem, const Scene& scene) {
  if (problem.equation == Equation::cfie && problem.alpha > 0 && problem.alpha < 1) return std::nullopt;
  const SurfaceMesh& mesh = problem.mesh;
  std::optional<InteriorResonance> lowest;
  for (std::size_t p = 0; p < mesh.pieces.size(); ++p) {
    const auto tag = std::size_t(mesh.tag[std::size_t(mesh.pieces[p].first_triangle)]);
    if (!mesh.pieces[p].closed || problem.surfaces[tag].boundary != Boundary::conductor) continue;
    const double k = scene.regions[std::size_t(scene.outer[p])].k.real();
    const double frequency = problem.frequency * lowest_wavenumber(mesh, Index(p)) / k;
    if (!lowest || frequency < lowest->frequency) lowest = {mesh.tag_names[tag], frequency};
  }
  return lowest;
}

}  // namespace curlew::ie
