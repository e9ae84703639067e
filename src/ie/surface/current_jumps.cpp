// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/current_jumps.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "ie/surface/edge_sides.hpp"

namespace curlew::ie {
namespace {

/// Weight of squared jumps of the current relative to those of the charge: half of the current's error,
/// across the edge, is not observed, and charges with correct mean have little field. Determined
/// experimentally between 1 and 50: least error per unknown on a plate and a thin dipole.
constexpr double current_weight = 8;

/// Factors of the jumps in the error: h/2π for their potential, halved, since the fields of neighbours differ
/// by no more; at a rim, where currents are singular, fitted to squares of 5 to 30 triangles per side
/// (docs/measured/ie_volume.md).
constexpr double smooth_share = 0.08, rim_share = 0.4;

/// Energy that constant currents lack at a rim, over h² J² (admittance_at_rims).
constexpr double rim_energy = 0.5 / (4 * pi);

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

/// Contributions to the error of both triangles at an edge by the jump of the current along it and of half of
/// the divergence across it: half of the jump on the third of the triangle next to the edge.
/// @param weight of the current @param k wavenumber [1/m] @param resistance |Zs|/eta
double contribution(double length, double twice_area, Complex tangential, Complex slope, double weight,
                    double k, double resistance) {
  return twice_area / 24 *
         (weight * (length * k + resistance) * std::norm(tangential) + length * std::norm(2.0 * slope) / k);
}

/// The component of a current along an edge.
Complex along(const SurfaceMesh& mesh, Index a, Index b, const Linear& current) {
  const Vec3<double> from = mesh.nodes[std::size_t(a)], to = mesh.nodes[std::size_t(b)];
  const Vec3<double> middle = 0.5 * (from + to), unit = normalized(to - from);
  Complex sum = 0;
  for (int d = 0; d < 3; ++d) sum += unit[d] * (current.slope * middle[d] - current.offset[d]);
  return sum;
}

/// Slopes of the triangles around each node, weighted by their areas.
std::vector<Complex> node_slopes(const SurfaceMesh& mesh, const std::vector<Linear>& currents) {
  std::vector<Complex> sum(mesh.nodes.size());
  std::vector<double> area(mesh.nodes.size());
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    const double weight = norm(mesh.area_vector(t));
    for (const Index node : mesh.triangles[std::size_t(t)]) {
      sum[std::size_t(node)] += weight * currents[std::size_t(t)].slope;
      area[std::size_t(node)] += weight;
    }
  }
  for (std::size_t i = 0; i < sum.size(); ++i)
    if (area[i] > 0) sum[i] /= area[i];
  return sum;
}

/// Where more than two triangles meet in a function, the jump between the first two represents all.
/// @param add contribution of a jump to a triangle: (triangle, length, tangential, slope)
template <class Add>
void add_jumps(const SurfaceMesh& mesh, const RwgSpace& space, const std::vector<Linear>& currents,
               const Add& add) {
  for (const auto& f : space.functions()) {
    const Linear &p = currents[std::size_t(f.plus)], &m = currents[std::size_t(f.minus)];
    const Linear jump{p.slope - m.slope, p.offset - m.offset};
    for (const Index t : {f.plus, f.minus}) add(f.plus, t, f.length, along(mesh, f.a, f.b, jump), jump.slope);
  }
}

}  // namespace

std::vector<double> current_jumps(const System& system, const Complex* x) {
  const auto& mesh = system.mesh();
  const auto& space = system.space();
  std::vector<double> out(std::size_t(mesh.num_triangles()));
  const auto add_all = [&](const auto& unknown) {
    add_jumps(mesh, space, linear_currents(mesh, space, unknown, x),
              [&](Index plus, Index t, double length, Complex tangential, Complex slope) {
                out[std::size_t(t)] += contribution(length, norm(mesh.area_vector(t)), tangential, slope,
                                                    current_weight, wavenumber(system.scene(), plus), 0);
              });
  };
  add_all([](Index f) { return f; });
  if (system.num_unknowns() > system.num_electric())
    add_all([&](Index f) { return system.magnetic_unknown(f); });
  return out;
}

std::vector<double> sheet_error(const SurfaceMesh& mesh, const RwgSpace& space,
                                std::span<const Complex> impedance, double k, const Complex* x) {
  std::vector<double> out(std::size_t(mesh.num_triangles()));
  const auto currents = linear_currents(
      mesh, space, [](Index f) { return f; }, x);
  const auto add = [&](double share, Index t, double length, Complex tangential, Complex slope) {
    out[std::size_t(t)] += share * contribution(length, norm(mesh.area_vector(t)), tangential, slope, 1, k,
                                                std::abs(impedance[std::size_t(t)]) / vacuum_impedance);
  };
  add_jumps(mesh, space, currents, [&](Index, Index t, double length, Complex tangential, Complex slope) {
    add(smooth_share, t, length, tangential, slope);
  });
  for_each_edge(sorted_sides(mesh), [&](std::span<const EdgeSide> sides) {
    if (sides.size() > 1) return;
    const auto& [a, b, t, vertex, ascending] = sides[0];
    const Linear& current = currents[std::size_t(t)];
    add(rim_share, t, norm(mesh.nodes[std::size_t(b)] - mesh.nodes[std::size_t(a)]),
        along(mesh, a, b, current), current.slope);
  });
  return out;
}

std::vector<Complex> admittance_at_rims(const System& system, const Complex* volts, std::size_t ports) {
  const auto& mesh = system.mesh();
  const auto& scene = system.scene();
  std::vector<EdgeSide> rims;
  std::vector<char> is_at_rim(mesh.nodes.size(), 0);
  for_each_edge(sorted_sides(mesh), [&](std::span<const EdgeSide> sides) {
    const auto t = std::size_t(sides[0].triangle);
    if (sides.size() > 1 || scene.front[t] < 0 || scene.front[t] != scene.back[t]) return;
    rims.push_back(sides[0]);
    is_at_rim[std::size_t(sides[0].a)] = is_at_rim[std::size_t(sides[0].b)] = 1;
  });
  std::vector<Complex> out(ports * ports);
  if (rims.empty()) return out;
  std::vector<std::vector<Linear>> currents;
  std::vector<std::vector<Complex>> slopes;  // [ports, nodes] means, since divergences alternate
  for (std::size_t i = 0; i < ports; ++i) {
    currents.push_back(linear_currents(
        mesh, system.space(), [](Index f) { return f; }, volts + i * std::size_t(system.num_unknowns())));
    slopes.push_back(node_slopes(mesh, currents.back()));
  }
  for (const auto& [a, b, t, vertex, ascending] : rims) {
    const auto& region = scene.regions[std::size_t(scene.front[std::size_t(t)])];
    const double length = norm(mesh.nodes[std::size_t(b)] - mesh.nodes[std::size_t(a)]),
                 height = norm(mesh.area_vector(t)) / length;
    const bool is_strip = is_at_rim[std::size_t(mesh.triangles[std::size_t(t)][std::size_t(vertex)])] != 0;
    const Complex factor = Complex(0, 1) * region.k * region.eta *
                           ((is_strip ? 0.25 : 1) * rim_energy * length * height * height);
    const auto current = [&](std::size_t i) { return along(mesh, a, b, currents[i][std::size_t(t)]); };
    const auto divergence = [&](std::size_t i) {
      return slopes[i][std::size_t(a)] + slopes[i][std::size_t(b)];
    };
    for (std::size_t i = 0; i < ports; ++i)
      for (std::size_t j = 0; j < ports; ++j)
        out[i + j * ports] +=
            factor * (current(i) * current(j) - divergence(i) * divergence(j) / (region.k * region.k));
  }
  return out;
}

}  // namespace curlew::ie
