// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/choose_equation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/hertz.hpp"
#include "ie/surface/interior_resonance.hpp"

namespace curlew::ie {
namespace {

/// Angle between facets around a node above which a conductor has an edge or a tip: with at least six edges
/// per wavelength it is at most half a radian on a resonant sphere.
constexpr double sharp_angle = 75 * pi / 180;

bool has_sharp_node(const SurfaceMesh& mesh) {
  std::vector<std::vector<Index>> around(mesh.nodes.size());
  for (Index t = 0; t < mesh.num_faces(); ++t)
    for (const Index node : mesh.triangles[std::size_t(t)]) around[std::size_t(node)].push_back(t);
  const double least = std::cos(sharp_angle);
  const auto is_sharp = [&](const std::vector<Index>& facets) {
    for (const Index a : facets)
      for (const Index b : facets)
        if (dot(normalized(mesh.area_vector(a)), normalized(mesh.area_vector(b))) < least) return true;
    return false;
  };
  return std::any_of(around.begin(), around.end(), is_sharp);
}

bool has_branches(const SurfaceMesh& mesh) {
  bool found = false;
  const auto sides = sorted_sides(mesh);
  for_each_edge(sides, [&](auto edge) { found = found || edge.size() > 2; });
  return found;
}

}  // namespace

std::string obstacle_to_cfie(const Problem& p, const Scene& scene, bool has_ports) {
  if (has_ports) return "ports need it";
  bool has_conductor = false, has_other = false;
  for (Index t = 0; t < p.mesh.num_faces(); ++t)
    (p.surfaces[std::size_t(p.mesh.tag[std::size_t(t)])].boundary == Boundary::conductor ? has_conductor
                                                                                         : has_other) = true;
  if (has_other && has_conductor) return "the CFIE is for conductors without dielectric bodies or impedances";
  if (has_other)
    return "there are dielectric bodies or impedances, whose equations have no interior resonance";
  for (Index t = 0; t < p.mesh.num_faces(); ++t)
    if (scene.back[std::size_t(t)] >= 0 || scene.second[std::size_t(t)] >= 0)
      return fmt::format("conductor \"{}\" is open",
                         p.mesh.tag_names[std::size_t(p.mesh.tag[std::size_t(t)])]);
  return {};
}

EquationChoice choose_equation(Problem p, bool has_ports, bool stores_matrix) {
  p.equation = Equation::efie;
  const Scene scene = make_scene(p);
  if (const auto why = obstacle_to_cfie(p, scene, has_ports); !why.empty())
    return {Equation::efie, MagneticTesting::rwg, why};
  const auto lowest = lowest_interior_resonance(p, scene);
  if (!lowest || p.frequency < resonance_margin * lowest->frequency)
    return {Equation::efie, MagneticTesting::rwg,
            fmt::format("interior resonances begin at about {}", hertz(lowest ? lowest->frequency : 0, 3))};
  const auto resonances = fmt::format("the inside of \"{}\" has resonances from about {} on", lowest->surface,
                                      hertz(lowest->frequency, 3));
  if (!has_sharp_node(p.mesh))
    return {Equation::cfie, MagneticTesting::rwg, resonances + ", and no edges or tips"};
  const Index unknowns = p.mesh.num_triangles() * 3 / 2;
  std::string why_not;
  if (has_branches(p.mesh)) why_not = "conductors touch";
  if (!stores_matrix) why_not = "it has no fast sums";
  if (unknowns > most_dual_unknowns) why_not = fmt::format("{} unknowns are too many for it", unknowns);
  if (!why_not.empty())
    return {
        Equation::cfie, MagneticTesting::rwg,
        fmt::format("{}; edges and tips need equation = \"cfie_dual\", but {}: expect errors of 1 dB near "
                    "them, more where a body is thinner than an edge of the mesh",
                    resonances, why_not)};
  return {Equation::cfie, MagneticTesting::dual, resonances + ", and there are edges or tips"};
}

}  // namespace curlew::ie
