// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/current_jumps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"

namespace curlew::ie {
namespace {

/// Weight of squared jumps of the current relative to those of the charge: half of the current's error,
/// across the edge, is not observed, and charges with correct mean have little field. Determined
/// experimentally between 1 and 50: least error per unknown on a plate and a thin dipole.
constexpr double current_weight = 8;

/// A current on one triangle: J(r) = slope r - offset.
struct Linear {
  Complex slope;  // half of the divergence
  Vec3<Complex> offset;
};

template <class Unknown>
std::vector<Linear> linear_currents(const SurfaceMesh& mesh, const RwgSpace& space, const Unknown& unknown,
                                    const Complex* x) {
  std::vector<Linear> currents(std::size_t(mesh.num_triangles()));
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    const double twice_area = norm(mesh.area_vector(t));
    Linear& current = currents[std::size_t(t)];
    for (Index i = space.begin(t); i < space.begin(t + 1); ++i) {
      const auto& f = space.locals()[std::size_t(i)];
      const Index u = unknown(f.function);
      if (u < 0) continue;
      const Complex scale = f.scale / twice_area * x[u];
      const Vec3<double> p = mesh.corner(t, f.vertex);
      current.slope += scale;
      for (int d = 0; d < 3; ++d) current.offset[d] += scale * p[d];
    }
  }
  return currents;
}

/// The greater |k| of both sides of a triangle.
double wavenumber(const Scene& scene, Index triangle) {
  double k = 0;
  for (const int region : {scene.front[std::size_t(triangle)], scene.back[std::size_t(triangle)]})
    if (region >= 0) k = std::max(k, std::abs(scene.regions[std::size_t(region)].k));
  return k;
}

/// Where more than two triangles meet in a function, the jump between the first two represents all.
/// @param medium k and R of the triangle that a function begins on
template <class MediumOf>
void add_jumps(const SurfaceMesh& mesh, const RwgSpace& space, const std::vector<Linear>& currents,
               const MediumOf& medium_of, std::vector<double>& out) {
  for (const auto& f : space.functions()) {
    const Vec3<double> a = mesh.nodes[std::size_t(f.a)], b = mesh.nodes[std::size_t(f.b)];
    const Vec3<double> middle = 0.5 * (a + b), along = (1 / f.length) * (b - a);
    const Linear &p = currents[std::size_t(f.plus)], &m = currents[std::size_t(f.minus)];
    const Complex slope = p.slope - m.slope;
    Complex tangential = 0;
    for (int d = 0; d < 3; ++d) tangential += along[d] * (slope * middle[d] - (p.offset[d] - m.offset[d]));
    const auto [k, resistance] = medium_of(f.plus);
    const double square = current_weight * (f.length * k + resistance) * std::norm(tangential) +
                          f.length * std::norm(2.0 * slope) / k;
    for (const Index t : {f.plus, f.minus})  // half of the jump, on the third of the triangle at the edge
      out[std::size_t(t)] += norm(mesh.area_vector(t)) / 24 * square;
  }
}

}  // namespace

std::vector<double> current_jumps(const System& system, const Complex* x) {
  const auto& mesh = system.mesh();
  const auto& space = system.space();
  std::vector<double> out(std::size_t(mesh.num_triangles()));
  const auto add = [&](const auto& unknown) {
    add_jumps(
        mesh, space, linear_currents(mesh, space, unknown, x),
        [&](Index t) {
          return std::pair{wavenumber(system.scene(), t), 0.0};
        },
        out);
  };
  add([](Index f) { return f; });
  if (system.num_unknowns() > system.num_electric()) add([&](Index f) { return system.magnetic_unknown(f); });
  return out;
}

std::vector<double> current_jumps(const SurfaceMesh& mesh, const RwgSpace& space,
                                  std::span<const Complex> impedance, double k, const Complex* x) {
  std::vector<double> out(std::size_t(mesh.num_triangles()));
  const auto own = [](Index f) { return f; };
  add_jumps(
      mesh, space, linear_currents(mesh, space, own, x),
      [&](Index t) {
        return std::pair{k, std::abs(impedance[std::size_t(t)]) / vacuum_impedance};
      },
      out);
  return out;
}

}  // namespace curlew::ie
