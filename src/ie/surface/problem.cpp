// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/passive_root.hpp"
#include "base/wavenumber.hpp"
#include "ie/surface/body_parts.hpp"

namespace curlew::ie {
namespace {

template <class... Args>
[[noreturn]] void fail(const Problem& p, fmt::format_string<Args...> text, Args&&... args) {
  throw InputError(fmt::format("{}: {}", p.mesh.name, fmt::format(text, std::forward<Args>(args)...)));
}

const std::string& name_of(const Problem& p, Index triangle) {
  return p.mesh.tag_names[p.mesh.tag[triangle]];
}
Boundary boundary_of(const Problem& p, Index triangle) {
  return p.surfaces[p.mesh.tag[triangle]].boundary;
}

void check_numbers(const Problem& p) {
  if (!(p.frequency > 0) || !std::isfinite(p.frequency)) fail(p, "the frequency must be positive");
  if (!(p.alpha >= 0 && p.alpha <= 1)) fail(p, "alpha must lie in 0..1");
  for (std::size_t i = 0; i < p.surfaces.size(); ++i) {
    const auto& s = p.surfaces[i];
    const auto& name = p.mesh.tag_names[i];
    if (s.boundary == Boundary::impedance && !(s.surface_impedance.real() >= 0 && s.surface_impedance != 0.0))
      fail(p, "surface \"{}\": the surface impedance must not be zero, its real part not negative", name);
  }
  for (const Body& b : bodies_of(p)) {
    const std::string name = b.surfaces.empty() ? "" : p.mesh.tag_names[b.surfaces[0]];
    if (b.epsilon_r.imag() > 0 || b.mu_r.imag() > 0)
      fail(p, "surface \"{}\": its material has gain (Im > 0 under exp(+jwt))", name);
    if (b.epsilon_r == 0.0 || b.mu_r == 0.0)
      fail(p, "surface \"{}\": epsilon_r and mu_r must not be zero", name);
  }
}

/// Impedances and dual functions do not allow branching edges.
void check_edge(const Problem& p, std::span<const EdgeSide> edge) {
  const auto is_impedance = [&](const EdgeSide& s) {
    return boundary_of(p, s.triangle) == Boundary::impedance;
  };
  const auto impedance = std::find_if(edge.begin(), edge.end(), is_impedance);
  if (impedance != edge.end()) {
    const auto other = std::find_if_not(edge.begin(), edge.end(), is_impedance);
    if (other != edge.end())
      fail(p,
           "surfaces \"{}\" and \"{}\" touch but have different boundaries: an impedance must not touch "
           "other kinds of surfaces, leave a gap",
           name_of(p, impedance->triangle), name_of(p, other->triangle));
    if (edge.size() != 2)
      fail(p,
           "surface \"{}\" {}: an impedance needs a closed surface; a thin sheet is type = \"film\" with "
           "formulation.equation = \"film\" (plane waves, no ports)",
           name_of(p, impedance->triangle), edge.size() == 1 ? "is open" : "has edges of three triangles");
  }
  if (edge.size() > 2 && p.testing == MagneticTesting::dual && p.equation != Equation::efie)
    fail(
        p,
        "surface \"{}\" has edges of three triangles, and dual functions test bodies that do not touch: take "
        "equation = \"{}\"",
        name_of(p, edge[0].triangle), p.equation == Equation::mfie ? "mfie" : "cfie");
}

Region make_region(double frequency, Complex epsilon_r, Complex mu_r) {
  const Complex root_e = passive_root(epsilon_r), root_m = passive_root(mu_r);
  Region r;
  r.k = wavenumber(frequency) * root_e * root_m;
  if (r.k.imag() > 0) r.k = -r.k;
  r.eta = vacuum_impedance * root_m / root_e;
  return r;
}

void check_combined(const Problem& p, const Scene& scene) {
  if (p.equation == Equation::efie) return;
  std::vector<Index> other(scene.regions.size(), -1);  // a dielectric or an impedance adjacent to a region
  for (Index t = 0; t < p.mesh.num_faces(); ++t)
    for (const int r : {scene.front[t], scene.back[t]})
      if (r >= 0 && boundary_of(p, t) != Boundary::conductor) other[r] = t;
  for (Index t = 0; t < p.mesh.num_faces(); ++t) {
    if (boundary_of(p, t) != Boundary::conductor || scene.front[t] < 0) continue;
    if (scene.back[t] >= 0 || scene.second[t] >= 0)
      fail(p, "surface \"{}\" is open: MFIE and CFIE need closed surfaces, use equation = \"efie\"",
           name_of(p, t));
    if (const Index o = other[scene.front[t]]; o >= 0)
      fail(p,
           "conductor \"{}\" beside or inside \"{}\": MFIE and CFIE are for conductors only, use equation "
           "= \"efie\"",
           name_of(p, t), name_of(p, o));
  }
}

/// Every face of a dielectric has each of its bodies on one side, and something else on the other.
void check_dielectrics(const Problem& p, const std::vector<Body>& bodies, const std::vector<int>& filled,
                       const Shells& shells) {
  std::vector<std::vector<int>> of_tag(p.surfaces.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (const int tag : bodies[b].surfaces) of_tag[tag].push_back(int(b));
  for (Index t = 0; t < p.mesh.num_faces(); ++t) {
    if (boundary_of(p, t) != Boundary::dielectric) continue;
    const auto [front, back] = shells.at[t];
    const auto& own = of_tag[p.mesh.tag[t]];
    const bool all =
        std::all_of(own.begin(), own.end(), [&](int b) { return filled[front] == b || filled[back] == b; });
    if (own.empty() || !all || front == back)
      fail(p,
           "surface \"{}\" does not enclose its material: a dielectric needs a closed surface; name in the "
           "[[material]] all surfaces around the body, also those that it shares with others",
           name_of(p, t));
  }
}

/// Regions by size, so that what surrounds comes first.
void add_regions(const Problem& p, const std::vector<Body>& bodies, const std::vector<int>& filled,
                 Scene& scene) {
  const Shells& shells = scene.shells;
  scene.regions.push_back(make_region(p.frequency, 1.0, 1.0));
  scene.inside.assign(shells.first.size(), -1);
  std::vector<Index> order;
  for (Index s = 0; s < shells.size(); ++s)
    if (shells.encloses(s) && filled[s] != no_field_part) order.push_back(s);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return shells.volume[a] > shells.volume[b]; });
  for (const Index s : order) {
    scene.inside[s] = int(scene.regions.size());
    const Body medium = filled[s] == vacuum_part ? Body{} : bodies[filled[s]];
    scene.regions.push_back(make_region(p.frequency, medium.epsilon_r, medium.mu_r));
  }
}

int region_at(const Scene& scene, Index shell) {
  if (scene.shells.encloses(shell)) return scene.inside[shell];
  const Index by = scene.shells.surrounding[shell];
  return by < 0 ? 0 : scene.inside[by];
}

void turn(SurfaceMesh& mesh, Scene& scene, Index t) {
  std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  std::swap(scene.shells.at[t][0], scene.shells.at[t][1]);
  std::swap(scene.front[t], scene.back[t]);
}

/// Sides of every face, the field or the lower region to the front.
void turn_faces(Problem& p, Scene& scene) {
  for (Index t = 0; t < p.mesh.num_faces(); ++t) {
    scene.front.push_back(region_at(scene, scene.shells.at[t][0]));
    scene.back.push_back(region_at(scene, scene.shells.at[t][1]));
    const int front = scene.front[t], back = scene.back[t];
    if (front < 0 || (back >= 0 && back < front)) turn(p.mesh, scene, t);
    if (boundary_of(p, t) == Boundary::impedance && scene.back[t] >= 0)
      fail(p, "surface \"{}\" is in a [[material]] too: an impedance has a field on its outer side only",
           name_of(p, t));
  }
}

void add_second_sides(Problem& p, Scene& scene) {
  SurfaceMesh& mesh = p.mesh;
  const Index faces = mesh.num_faces();
  scene.second.assign(std::size_t(faces), -1);
  for (Index t = 0; t < faces; ++t) {
    if (boundary_of(p, t) != Boundary::conductor) continue;
    if (scene.back[t] < 0 || scene.back[t] == scene.front[t]) continue;
    scene.second[t] = mesh.num_triangles();
    const Triangle corners = mesh.triangles[t];
    mesh.triangles.push_back({corners[0], corners[2], corners[1]});
    mesh.tag.push_back(mesh.tag[t]), mesh.piece.push_back(mesh.piece[t]);
    ++mesh.num_second_sides;
    scene.front.push_back(scene.back[t]), scene.back.push_back(-1);
    scene.back[t] = -1;
  }
}

void drop_second_sides(SurfaceMesh& mesh) {
  const auto faces = std::size_t(mesh.num_faces());
  mesh.triangles.resize(faces), mesh.tag.resize(faces), mesh.piece.resize(faces);
  mesh.num_second_sides = 0;
}

/// Sheets in one medium carry the sum of the currents on both sides: they are on its boundary once.
void add_boundaries(const SurfaceMesh& mesh, Scene& scene) {
  for (auto& region : scene.regions) region.sign.assign(mesh.triangles.size(), 0);
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    const int front = scene.front[t], back = scene.back[t];
    if (front >= 0) scene.regions[front].sign[t] = 1, scene.regions[front].triangles.push_back(t);
    if (back >= 0 && back != front)
      scene.regions[back].sign[t] = -1, scene.regions[back].triangles.push_back(t);
  }
}

}  // namespace

Scene make_scene(Problem& p) {
  check_numbers(p);
  drop_second_sides(p.mesh);
  Scene scene;
  {
    const auto sides = sorted_sides(p.mesh);
    for_each_edge(sides, [&](auto edge) { check_edge(p, edge); });
    scene.shells = find_shells(p.mesh, sides);
  }
  const auto bodies = bodies_of(p);
  const auto filled = fill_parts(p, bodies, scene.shells);
  check_dielectrics(p, bodies, filled, scene.shells);
  add_regions(p, bodies, filled, scene);
  turn_faces(p, scene);
  add_second_sides(p, scene);
  check_combined(p, scene);
  add_boundaries(p.mesh, scene);
  return scene;
}

Resolution resolution(const Problem& p, const Scene& scene) {
  const auto shortest = std::max_element(
      scene.regions.begin(), scene.regions.end(),
      [](const Region& a, const Region& b) { return std::abs(a.k.real()) < std::abs(b.k.real()); });
  const double decay = -shortest->k.imag();
  return {edge_lengths(p.mesh).longest, 2 * pi / std::abs(shortest->k.real()),
          decay > 0 ? 1 / decay : std::numeric_limits<double>::infinity()};
}

}  // namespace curlew::ie
