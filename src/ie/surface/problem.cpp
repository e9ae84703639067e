// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::ie {
namespace {

template <class... Args>
[[noreturn]] void fail(const Problem& p, fmt::format_string<Args...> text, Args&&... args) {
  throw InputError(fmt::format("{}: {}", p.mesh.name, fmt::format(text, std::forward<Args>(args)...)));
}

const Surface& surface_of(const Problem& p, Index piece) {
  return p.surfaces[p.mesh.tag[p.mesh.pieces[piece].first_triangle]];
}
const std::string& name_of(const Problem& p, Index piece) {
  return p.mesh.tag_names[p.mesh.tag[p.mesh.pieces[piece].first_triangle]];
}

void check_numbers(const Problem& p) {
  if (!(p.frequency > 0) || !std::isfinite(p.frequency)) fail(p, "the frequency must be positive");
  if (!(p.alpha >= 0 && p.alpha <= 1)) fail(p, "alpha must lie in 0..1");
  for (std::size_t i = 0; i < p.surfaces.size(); ++i) {
    const auto& s = p.surfaces[i];
    const auto& name = p.mesh.tag_names[i];
    if (s.boundary == Boundary::impedance && !(s.surface_impedance.real() >= 0 && s.surface_impedance != 0.0))
      fail(p, "surface \"{}\": the surface impedance must not be zero, its real part not negative", name);
    if (s.boundary == Boundary::dielectric && (s.epsilon_r.imag() > 0 || s.mu_r.imag() > 0))
      fail(p, "surface \"{}\": a material that amplifies (Im > 0 is gain under exp(+jwt))", name);
    if (s.boundary == Boundary::dielectric && (s.epsilon_r == 0.0 || s.mu_r == 0.0))
      fail(p, "surface \"{}\": epsilon_r and mu_r must not be zero", name);
  }
}

void check_pieces(const Problem& p) {
  for (Index t = 0; t < p.mesh.num_triangles(); ++t) {
    const auto &own = p.surfaces[p.mesh.tag[t]], &first = surface_of(p, p.mesh.piece[t]);
    const bool same =
        own.boundary == first.boundary && (own.boundary != Boundary::dielectric ||
                                           (own.epsilon_r == first.epsilon_r && own.mu_r == first.mu_r));
    if (!same)
      fail(p,
           "surfaces \"{}\" and \"{}\" touch but differ in boundary or material: bodies that touch need the "
           "volume "
           "equation, or a gap",
           name_of(p, p.mesh.piece[t]), p.mesh.tag_names[p.mesh.tag[t]]);
  }
  for (Index i = 0; i < Index(p.mesh.pieces.size()); ++i) {
    if (p.mesh.pieces[i].closed) continue;
    const char* what = p.mesh.pieces[i].has_junction ? "has edges of three triangles" : "is open";
    if (surface_of(p, i).boundary != Boundary::conductor)
      fail(p, "surface \"{}\" {}: a dielectric or an impedance needs a closed surface", name_of(p, i), what);
    if (p.equation != Equation::efie)
      fail(p, "surface \"{}\" {}: MFIE and CFIE need closed surfaces, use equation = \"efie\"", name_of(p, i),
           what);
  }
}

struct Box {
  Vec3<double> low, high;
};
Box box_of(const SurfaceMesh& mesh, Index piece) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Box b{{inf, inf, inf}, {-inf, -inf, -inf}};
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    if (mesh.piece[t] != piece) continue;
    for (int c = 0; c < 3; ++c) {
      for (int d = 0; d < 3; ++d) {
        b.low[d] = std::min(b.low[d], mesh.corner(t, c)[d]);
        b.high[d] = std::max(b.high[d], mesh.corner(t, c)[d]);
      }
    }
  }
  return b;
}
bool contains(const Box& outer, const Box& inner) {
  for (int d = 0; d < 3; ++d)
    if (inner.low[d] < outer.low[d] || inner.high[d] > outer.high[d]) return false;
  return true;
}

/// The smallest closed piece around each piece; -1: none.
std::vector<Index> find_parents(const SurfaceMesh& mesh) {
  const auto count = Index(mesh.pieces.size());
  std::vector<Box> boxes;
  for (Index i = 0; i < count; ++i) boxes.push_back(box_of(mesh, i));
  std::vector<Index> parent(count, -1);
  for (Index i = 0; i < count; ++i) {
    const auto point = mesh.centroid(mesh.pieces[i].first_triangle);
    for (Index o = 0; o < count; ++o) {
      if (o == i || !mesh.pieces[o].closed || !contains(boxes[o], boxes[i])) continue;
      if (parent[i] >= 0 && mesh.pieces[o].volume > mesh.pieces[parent[i]].volume) continue;
      if (is_inside(mesh, o, point)) parent[i] = o;
    }
  }
  return parent;
}

Region make_region(double frequency, Complex epsilon_r, Complex mu_r) {
  const Complex root_e = std::sqrt(epsilon_r),
                root_m = std::sqrt(mu_r);  // principal: Im <= 0 for passive media
  Region r;
  r.k = 2 * pi * frequency / speed_of_light * root_e * root_m;
  if (r.k.imag() > 0) r.k = -r.k;
  r.eta = vacuum_impedance * root_m / root_e;
  return r;
}

void check_combined(const Problem& p, const Scene& scene) {
  if (p.equation == Equation::efie) return;
  for (Index i = 0; i < Index(p.mesh.pieces.size()); ++i) {
    if (surface_of(p, i).boundary != Boundary::conductor) continue;
    for (Index o = 0; o < Index(p.mesh.pieces.size()); ++o) {
      const bool meets = scene.outer[o] == scene.outer[i] || scene.inner[o] == scene.outer[i];
      if (surface_of(p, o).boundary != Boundary::conductor && meets)
        fail(p,
             "conductor \"{}\" beside or inside \"{}\": MFIE and CFIE are for conductors alone, use equation "
             "= \"efie\"",
             name_of(p, i), name_of(p, o));
    }
  }
}

}  // namespace

Scene make_scene(const Problem& p) {
  check_numbers(p);
  check_pieces(p);
  const auto parent = find_parents(p.mesh);
  const auto count = Index(p.mesh.pieces.size());
  Scene scene;
  scene.regions.push_back(make_region(p.frequency, 1.0, 1.0));
  scene.inner.assign(count, -1);
  for (Index i = 0; i < count; ++i) {
    const auto& s = surface_of(p, i);
    if (s.boundary != Boundary::dielectric) continue;
    scene.inner[i] = int(scene.regions.size());
    scene.regions.push_back(make_region(p.frequency, s.epsilon_r, s.mu_r));
  }
  for (Index i = 0; i < count; ++i) {
    if (parent[i] >= 0 && scene.inner[parent[i]] < 0)
      fail(p, "surface \"{}\" lies inside the conductor \"{}\", where there is no field", name_of(p, i),
           name_of(p, parent[i]));
    scene.outer.push_back(parent[i] < 0 ? 0 : scene.inner[parent[i]]);
  }
  check_combined(p, scene);
  for (auto& region : scene.regions) region.sign.assign(p.mesh.triangles.size(), 0);
  for (Index t = 0; t < p.mesh.num_triangles(); ++t) {
    const int outer = scene.outer[p.mesh.piece[t]], inner = scene.inner[p.mesh.piece[t]];
    scene.regions[outer].sign[t] = 1, scene.regions[outer].triangles.push_back(t);
    if (inner >= 0) scene.regions[inner].sign[t] = -1, scene.regions[inner].triangles.push_back(t);
  }
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
