// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields of an electric and a magnetic dipole from textbook formulas in spherical components, which share
// nothing with the library's dyads, and the equivalent currents they leave on a box.
// Source: Balanis (2016), Antenna Theory, equations 4-8 and 4-10; the magnetic one by duality (table 3.2).

#include <cmath>
#include <utility>

#include "fields/surface_currents.hpp"
#include "mesh/box.hpp"
#include "mesh/closed_surface.hpp"

namespace curlew::fields {

struct PointField {
  Vec3<Complex> e, h;
};

/// Current element I l [A m] along +z (axis 2), +x (0) or +y (1) at `where`.
inline PointField electric_dipole(Complex moment, int axis, Vec3<double> where, Vec3<double> at,
                                  const Exterior& medium) {
  const Complex j(0, 1);
  const Vec3<double> d = at - where;
  const double r = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), k = medium.k;
  const Vec3<double> unit = (1 / r) * d;
  Vec3<double> axis_unit{};
  axis_unit[axis] = 1;
  const double cosine = unit[axis], sine = std::sqrt(1 - cosine * cosine);
  const Vec3<double> phi = (1 / sine) * cross(axis_unit, unit), theta = cross(phi, unit);
  const Complex wave = std::exp(-j * k * r) / (4 * pi * r) * moment;
  const Complex e_r = 2 * medium.impedance * cosine / r * (1.0 + 1.0 / (j * k * r)) * wave;
  const Complex e_theta =
      j * k * medium.impedance * sine * (1.0 + 1.0 / (j * k * r) - 1 / (k * k * r * r)) * wave;
  const Complex h_phi = j * k * sine * (1.0 + 1.0 / (j * k * r)) * wave;
  return {e_r * unit + e_theta * theta, h_phi * phi};
}

/// Magnetic current element K l [V m]: E -> H, H -> -E, eta -> 1/eta.
inline PointField magnetic_dipole(Complex moment, int axis, Vec3<double> where, Vec3<double> at,
                                  const Exterior& medium) {
  const PointField dual = electric_dipole(moment, axis, where, at, {medium.k, 1 / medium.impedance});
  return {Complex(-1) * dual.h, dual.e};
}

/// A box around the origin with the rule's points on all its faces.
inline SurfacePoints box_surface(double half_side, int blocks, int degree, int geometry_order = 1) {
  const mesh::Mesh box = mesh::make_box({.lo = {-half_side, -half_side, -half_side},
                                         .hi = {half_side, half_side, half_side},
                                         .blocks = {blocks, blocks, blocks},
                                         .geometry_order = geometry_order,
                                         .shuffle_seed = 7});
  for (const auto& surface : box.surfaces) {
    if (surface.name != "walls") continue;
    const auto sides = mesh::outward_sides(box, surface.entities, "walls");
    return sample_triangles(box, surface.entities, sides, degree);
  }
  return {};
}

/// J = n x H and M = -n x E of a field given by a function of position.
template <class Field>
SurfaceCurrents currents_of(const SurfacePoints& points, Field field) {
  SurfaceCurrents currents(1, points.size());
  for (std::size_t i = 0; i < points.position.size(); ++i) {
    const PointField f = field(points.position[i]);
    currents.electric[i] = cross(points.normal[i], f.h);
    currents.magnetic[i] = Complex(-1) * cross(points.normal[i], f.e);
  }
  return currents;
}

}  // namespace curlew::fields
