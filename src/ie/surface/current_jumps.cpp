// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/current_jumps.hpp"

#include <algorithm>
#include <cmath>

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
std::vector<Linear> linear_currents(const System& system, const Unknown& unknown, const Complex* x) {
  std::vector<Linear> currents(std::size_t(system.mesh().num_triangles()));
  for (Index t = 0; t < system.mesh().num_triangles(); ++t) {
    const double twice_area = norm(system.mesh().area_vector(t));
    Linear& current = currents[std::size_t(t)];
    for (Index i = system.space().begin(t); i < system.space().begin(t + 1); ++i) {
      const auto& f = system.space().locals()[std::size_t(i)];
      const Index u = unknown(f.function);
      if (u < 0) continue;
      const Complex scale = f.scale / twice_area * x[u];
      const Vec3<double> p = system.mesh().corner(t, f.vertex);
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
void add_jumps(const System& system, const std::vector<Linear>& currents, std::vector<double>& out) {
  const SurfaceMesh& mesh = system.mesh();
  for (const auto& f : system.space().functions()) {
    const Vec3<double> a = mesh.nodes[std::size_t(f.a)], b = mesh.nodes[std::size_t(f.b)];
    const Vec3<double> middle = 0.5 * (a + b), along = (1 / f.length) * (b - a);
    const Linear &p = currents[std::size_t(f.plus)], &m = currents[std::size_t(f.minus)];
    const Complex slope = p.slope - m.slope;
    Complex tangential = 0;
    for (int d = 0; d < 3; ++d) tangential += along[d] * (slope * middle[d] - (p.offset[d] - m.offset[d]));
    const double k = wavenumber(system.scene(), f.plus);
    const double square = current_weight * k * std::norm(tangential) + std::norm(2.0 * slope) / k;
    for (const Index t : {f.plus, f.minus})  // half of the jump, on the third of the triangle at the edge
      out[std::size_t(t)] += f.length * norm(mesh.area_vector(t)) / 24 * square;
  }
}

}  // namespace

std::vector<double> current_jumps(const System& system, const Complex* x) {
  std::vector<double> out(std::size_t(system.mesh().num_triangles()));
  add_jumps(system,
            linear_currents(
                system, [](Index f) { return f; }, x),
            out);
  if (system.num_unknowns() > system.num_electric())
    add_jumps(system,
              linear_currents(
                  system, [&](Index f) { return system.magnetic_unknown(f); }, x),
              out);
  return out;
}

}  // namespace curlew::ie
