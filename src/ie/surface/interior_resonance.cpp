// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/interior_resonance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/constants.hpp"
#include "mesh/box_tree.hpp"

namespace curlew::ie {
namespace {

/// Faces of a shell, and the box around them.
struct CavityWalls {
  std::vector<Index> faces;
  mesh::Bounds box;
  double area = 0;  // [m^2]

  CavityWalls(const SurfaceMesh& mesh, const Shells& shells, Index shell) {
    for (Index t = 0; t < mesh.num_faces(); ++t) {
      if (shells.at[std::size_t(t)][0] != shell && shells.at[std::size_t(t)][1] != shell) continue;
      faces.push_back(t);
      area += 0.5 * norm(mesh.area_vector(t));
      box.add(mesh::Bounds::around(std::array{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}));
    }
  }
  std::array<double, 3> sides() const { return {box.size().x, box.size().y, box.size().z}; }
};

/// Largest distance of corners on both sides of a face's plane, relative to the size of the box: 0 for convex
/// bodies, about 0.01 for facets of round ones. Only some of the faces are checked.
double dent(const SurfaceMesh& mesh, const CavityWalls& walls) {
  const std::size_t step = 1 + walls.faces.size() / 256;
  double deepest = 0;
  for (std::size_t i = 0; i < walls.faces.size(); i += step) {
    const auto normal = normalized(mesh.area_vector(walls.faces[i])), origin = mesh.centroid(walls.faces[i]);
    double above = 0, below = 0;
    for (const Index t : walls.faces)
      for (int c = 0; c < 3; ++c) {
        const double height = dot(normal, mesh.corner(t, c) - origin);
        above = std::max(above, height), below = std::max(below, -height);
      }
    deepest = std::max(deepest, std::min(above, below));
  }
  return deepest / norm(walls.box.size());
}

/// [1/m] of a box with the two longest sides of the bounding box, scaled to the volume.
double of_box(const CavityWalls& walls, double volume) {
  auto sides = walls.sides();
  std::sort(sides.begin(), sides.end());
  const double box = sides[0] * sides[1] * sides[2];
  return pi * std::hypot(1 / sides[1], 1 / sides[2]) * std::cbrt(box / volume);
}

/// [1/m] of a plate as long as one side of the box, with the area of the walls on its two faces: the unfolded
/// body. The least of the three.
double of_unfolded(const CavityWalls& walls) {
  double least = std::numeric_limits<double>::infinity();
  for (const double side : walls.sides())
    least = std::min(least, pi * std::hypot(2 * side / walls.area, 1 / side));
  return least;
}

/// [1/m] of the cavity in a shell.
double lowest_wavenumber(const SurfaceMesh& mesh, const Shells& shells, Index shell) {
  constexpr double shallow = 0.05;
  const CavityWalls walls(mesh, shells, shell);
  const double box = of_box(walls, shells.volume[std::size_t(shell)]);
  return dent(mesh, walls) > shallow ? std::min(box, of_unfolded(walls)) : box;
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
