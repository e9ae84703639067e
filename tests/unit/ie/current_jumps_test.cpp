// SPDX-License-Identifier: BSD-3-Clause
// Jumps of currents that are known on a plate of squares cut in two: which terms there are, and their powers
// of h and k, which a term at the wrong place or with the wrong power of k breaks.

#include "ie/surface/current_jumps.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "base/constants.hpp"

namespace curlew::ie {
namespace {

using Current = std::function<Vec3<double>(Vec3<double>)>;

/// A plate of side 1 m in z = 0 of n x n squares.
System plate(int n, double k) {
  Problem p;
  std::vector<Vec3<double>> nodes;
  std::vector<Triangle> triangles;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) nodes.push_back({double(i) / n, double(j) / n, 0});
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const Index a = j * (n + 1) + i, b = a + n + 1;
      triangles.push_back({a, a + 1, b}), triangles.push_back({a + 1, b + 1, b});
    }
  const std::vector<int> tags(triangles.size(), 0);
  p.mesh = make_surface_mesh("plate", nodes, triangles, tags, {"plate"});
  p.surfaces = {{}};
  p.frequency = k * speed_of_light / (2 * pi);
  p.equation = Equation::efie;
  return System(std::move(p));
}

/// The sum over triangles far from the rim, where a current that does not vanish there has no function.
double inner_jumps(int n, double k, const Current& current) {
  const System system = plate(n, k);
  std::vector<Complex> x;
  for (const auto& f : system.space().functions()) {
    const SurfaceMesh& mesh = system.mesh();
    const auto a = mesh.nodes[std::size_t(f.a)], b = mesh.nodes[std::size_t(f.b)];
    const Vec3<double> along = normalized(b - a), across = cross(Vec3<double>{0, 0, 1}, along);
    const Vec3<double> mean = (1.0 / 6) * (current(a) + 4.0 * current(0.5 * (a + b)) + current(b));
    const double from_plus = dot(across, mesh.centroid(f.minus) - mesh.centroid(f.plus)) > 0 ? 1 : -1;
    x.emplace_back(from_plus * dot(mean, across));
  }
  const auto jumps = current_jumps(system, x.data());
  double sum = 0;
  for (Index t = 0; t < system.mesh().num_triangles(); ++t) {
    const auto c = system.mesh().centroid(t);
    if (std::min(c.x, c.y) > 0.25 && std::max(c.x, c.y) < 0.75) sum += jumps[std::size_t(t)];
  }
  return sum;
}

/// RWG functions represent a + s r exactly: nothing jumps.
TEST(CurrentJumps, OfWhatTheFunctionsHoldAreZero) {
  const Current held = [](Vec3<double> r) { return Vec3<double>{1 + 0.3 * r.x, 0.3 * r.y - 2, 0}; };
  EXPECT_LT(inner_jumps(8, 1, held), 1e-25);
}

/// A shear has no charge: k h |h|² of the tangential jumps on each area.
TEST(CurrentJumps, OfAShearAreThoseOfTheCurrentAlongEdges) {
  const Current shear = [](Vec3<double> r) { return Vec3<double>{r.y, 0, 0}; };
  const double coarse = inner_jumps(8, 1, shear);
  // Rows of squares have one current each: |h|² at the legs along x, weighted by 8.
  EXPECT_NEAR(coarse, 32 * 8.0 / 24 / std::pow(8, 5), 1e-9 * coarse);
  EXPECT_NEAR(inner_jumps(16, 1, shear) / coarse, 1.0 / 8, 1e-6);
  EXPECT_NEAR(inner_jumps(8, 2, shear) / coarse, 2, 1e-6);
}

/// x²/2 has the charge x, whose means on triangles jump by h/3: h |h/3|² / k, for sizes far below the
/// wavelength.
TEST(CurrentJumps, OfChargesFallWithK) {
  const Current charged = [](Vec3<double> r) { return Vec3<double>{0.5 * r.x * r.x, 0, 0}; };
  const double coarse = inner_jumps(8, 1e-3, charged);
  EXPECT_NEAR(inner_jumps(16, 1e-3, charged) / coarse, 1.0 / 8, 1e-3);
  EXPECT_NEAR(inner_jumps(8, 2e-3, charged) / coarse, 0.5, 1e-3);
  // 32 triangles inside of area h²/2, each a twelfth of it at its three edges: |h/3|² at the leg along x and
  // at the diagonal, of lengths h and sqrt(2) h; at the leg across |2h/3|².
  EXPECT_NEAR(coarse, 32.0 / 12 / 8 / 8 / 2 / 8 / 8 / 8 * (1 + std::sqrt(2) + 4) / 9 / 1e-3, 1e-3 * coarse);
}

}  // namespace
}  // namespace curlew::ie
