// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/near_field.hpp"

#include "ie/elements/element_fields.hpp"

namespace curlew::ie {
namespace {

using Point = Vec3<double>;
using Field = Vec3<Complex>;
constexpr Complex j{0, 1};

/// J or M/eta0 of a solution on the triangles of a region, as they radiate into it.
ElementCurrents currents_on(const System& system, const Complex* x, const Region& region, bool magnetic) {
  const auto& mesh = system.mesh();
  ElementCurrents out;
  for (const Index t : region.triangles) {
    const Point centre = mesh.centroid(t);
    const double twice_area = norm(mesh.area_vector(t)), sign = region.sign[t];
    Field current{};
    Complex charge = 0;
    for (Index a = system.space().begin(t); a < system.space().begin(t + 1); ++a) {
      const auto& f = system.space().locals()[a];
      const Index unknown = magnetic ? system.magnetic_unknown(f.function) : f.function;
      if (unknown < 0) continue;
      const Complex c = (sign * f.scale / twice_area) * x[unknown];
      current += c * (centre - mesh.corner(t, f.vertex));
      charge += 2.0 * c;
    }
    out.elements.push_back({{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2), {}}, 3, 0.5});
    out.sources.push_back({current.x, current.y, current.z, charge});
  }
  return out;
}

/// Fields of one region at its points.
void radiate(const System& system, const Complex* x, int number, std::span<const Point> points, Device device,
             std::vector<Field>& e, std::vector<Field>& h) {
  const Region& region = system.scene().regions[std::size_t(number)];
  const Complex k = region.k, eta = region.eta;
  constexpr double unit = 1 / (4 * pi);
  const auto by_j = radiated_integrals(currents_on(system, x, region, false), points, k, device);
  for (std::size_t i = 0; i < points.size(); ++i) {
    e[i] = (-j * k * eta * unit) * (by_j.vector[i] + (1.0 / (k * k)) * by_j.gradient[i]);
    h[i] = unit * by_j.curl[i];
  }
  if (!system.needs_magnetic(number)) return;
  const auto by_m = radiated_integrals(currents_on(system, x, region, true), points, k, device);
  const double magnetic = unit * vacuum_impedance;
  for (std::size_t i = 0; i < points.size(); ++i) {
    e[i] -= magnetic * by_m.curl[i];
    h[i] -= (j * k / eta * magnetic) * (by_m.vector[i] + (1.0 / (k * k)) * by_m.gradient[i]);
  }
}

}  // namespace

std::vector<int> regions_of(const System& system, std::span<const Point> points) {
  const Shells& shells = system.scene().shells;
  std::vector<int> regions(points.size(), 0);
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < points.size(); ++i) {
    Index innermost = -1;
    for (Index s = 0; s < shells.size(); ++s) {
      if (!shells.encloses(s) || (innermost >= 0 && shells.volume[s] > shells.volume[innermost])) continue;
      if (is_inside(system.mesh(), shells, s, points[i])) innermost = s;
    }
    if (innermost >= 0) regions[i] = system.scene().inside[innermost];
  }
  return regions;
}

io::NearFieldValues radiated_field(const System& system, const Complex* x, std::span<const Point> points,
                                   std::span<const int> regions, Device device) {
  io::NearFieldValues out{std::vector<Field>(points.size()), std::vector<Field>(points.size())};
  for (int r = 0; r < int(system.scene().regions.size()); ++r) {
    std::vector<Point> here;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (regions[i] == r) here.push_back(points[i]);
    std::vector<Field> e(here.size()), h(here.size());
    if (!here.empty()) radiate(system, x, r, here, device, e, h);
    for (std::size_t i = 0, own = 0; i < points.size(); ++i) {
      if (regions[i] != r) continue;
      out.e[i] = e[own], out.h[i] = h[own++];
    }
  }
  return out;
}

io::NearFieldValues radiated_field(const MixedPotentialSystem& system, const Complex* x,
                                   std::span<const Point> points, Device device) {
  std::vector<Complex> u(4 * system.elements.size());
  linalg::multiply(system.sources, x, u.data());
  ElementCurrents currents{system.elements, {}};
  for (std::size_t e = 0; e < system.elements.size(); ++e)
    currents.sources.push_back({u[4 * e], u[4 * e + 1], u[4 * e + 2], u[4 * e + 3]});
  const auto by = radiated_integrals(currents, points, system.k, device);
  io::NearFieldValues out;
  // <f, -E> = a <f, G J> + b <div f, G q>, and curl E = -jk eta H.
  const Complex to_h = system.vector_factor / (j * system.k * vacuum_impedance);
  for (std::size_t i = 0; i < points.size(); ++i) {
    out.e.push_back(system.scalar_factor * by.gradient[i] - system.vector_factor * by.vector[i]);
    out.h.push_back(to_h * by.curl[i]);
  }
  return out;
}

}  // namespace curlew::ie
