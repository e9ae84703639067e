// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results.hpp"

#include <algorithm>
#include <cmath>

#include "quadrature/rules.hpp"

namespace curlew::ie {
namespace {

Vec3<double> point_of(const SurfaceMesh& mesh, Index t, const std::array<double, 3>& b) {
  return b[0] * mesh.corner(t, 0) + b[1] * mesh.corner(t, 1) + b[2] * mesh.corner(t, 2);
}

struct Currents {
  Vec3<Complex> electric{}, magnetic{};
};
Currents currents_at(const System& system, Index t, Vec3<double> r, const Complex* x) {
  Currents c;
  const double twice_area = norm(system.mesh().area_vector(t));
  for (Index a = system.space().begin(t); a < system.space().begin(t + 1); ++a) {
    const auto& f = system.space().locals()[a];
    const Vec3<double> g = (f.scale / twice_area) * (r - system.mesh().corner(t, f.vertex));
    c.electric += x[f.function] * g;
    const Index m = system.magnetic_unknown(f.function);
    if (m >= 0) c.magnetic += (vacuum_impedance * x[m]) * g;
  }
  return c;
}

/// Directions and solid angles that integrate the far field of everything within `radius`.
struct SphereRule {
  std::vector<fields::Direction> directions;
  std::vector<double> weights;
};
SphereRule sphere_rule(double k, const SurfaceMesh& mesh) {
  Vec3<double> low = mesh.nodes.front(), high = low;
  for (const auto& p : mesh.nodes) {
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], p[d]), high[d] = std::max(high[d], p[d]);
  }
  const double kr = 0.5 * k * norm(high - low);
  const int order = int(kr + 5 * std::cbrt(kr)) + 8;  // of the field; its square has twice as much
  const auto rule = quadrature::gauss_legendre(order + 1);
  const int around = 2 * order + 2;
  SphereRule out;
  for (int i = 0; i < rule.size(); ++i) {
    for (int m = 0; m < around; ++m) {
      out.directions.push_back({std::acos(1 - 2 * rule.points[i]), 2 * pi * m / around});
      out.weights.push_back(rule.weights[i] * 4 * pi / around);
    }
  }
  return out;
}

fields::Exterior exterior(const System& system) {
  return {system.scene().regions[0].k.real()};
}

/// Forward amplitude along the incident field; sigma = -(4 pi/k) Im for exp(+jwt), Bohren and Huffman
/// (1983), 3.24.
double extinction(const fields::SurfacePoints& points, const fields::SurfaceCurrents& currents,
                  const fields::Exterior& outside, const PlaneWave& wave) {
  const Vec3<double> travel = wave.direction();
  const fields::Direction forward{std::acos(std::clamp(travel.z, -1.0, 1.0)), std::atan2(travel.y, travel.x)};
  const auto f = fields::far_field(points, currents, std::span(&forward, 1), outside);
  const Complex along = f.e_theta[0] * dot(forward.theta_unit(), wave.electric_direction()) +
                        f.e_phi[0] * dot(forward.phi_unit(), wave.electric_direction());
  return -4 * pi / outside.k * along.imag();
}

}  // namespace

fields::SurfacePoints outer_points(const System& system, int degree) {
  fields::SurfacePoints out;
  const auto rule = barycentric_rule(degree);
  for (const Index t : system.scene().regions[0].triangles) {
    const Vec3<double> twice = system.mesh().area_vector(t);
    for (std::size_t q = 0; q < rule.weights.size(); ++q) {
      out.position.push_back(point_of(system.mesh(), t, rule.points[q]));
      out.normal.push_back(normalized(twice));
      out.weight.push_back(0.5 * norm(twice) * rule.weights[q]);
    }
  }
  return out;
}

fields::SurfaceCurrents outer_currents(const System& system, const Complex* x, Index num_rhs, int degree) {
  const auto rule = barycentric_rule(degree);
  const auto& triangles = system.scene().regions[0].triangles;
  const std::size_t per = rule.weights.size(), points = triangles.size() * per;
  fields::SurfaceCurrents out(num_rhs, Offset(points));
  for (Index c = 0; c < num_rhs; ++c) {
#pragma omp parallel for
    for (Index i = 0; i < Index(triangles.size()); ++i) {
      for (std::size_t q = 0; q < per; ++q) {
        const auto v =
            currents_at(system, triangles[i], point_of(system.mesh(), triangles[i], rule.points[q]),
                        x + Offset(c) * system.num_unknowns());
        out.electric[c * points + i * per + q] = v.electric;
        out.magnetic[c * points + i * per + q] = v.magnetic;
      }
    }
  }
  return out;
}

CentroidCurrents centroid_currents(const System& system, const Complex* x) {
  CentroidCurrents out;
  for (Index t = 0; t < system.mesh().num_triangles(); ++t) {
    const auto c = currents_at(system, t, system.mesh().centroid(t), x);
    out.electric.push_back(c.electric), out.magnetic.push_back(c.magnetic);
  }
  return out;
}

double CrossSections::imbalance() const {
  return std::abs(extinction - scattering - absorption) / std::max(std::abs(extinction), 1e-300);
}

CrossSections cross_sections(const System& system, const Complex* x, const PlaneWave& wave) {
  const auto points = outer_points(system);
  const auto currents = outer_currents(system, x, 1);
  const auto outside = exterior(system);
  const auto sphere = sphere_rule(outside.k, system.mesh());
  const auto far = fields::far_field(points, currents, sphere.directions, outside);
  CrossSections out;
  for (std::size_t d = 0; d < sphere.weights.size(); ++d)
    out.scattering += sphere.weights[d] * (std::norm(far.e_theta[d]) + std::norm(far.e_phi[d]));
  const double incident = 0.5 / vacuum_impedance;  // [W/m^2] of 1 V/m
  out.absorption = -fields::radiated_power(points, currents).front() / incident;
  out.extinction = extinction(points, currents, outside, wave);
  return out;
}

double extinction(const System& system, const Complex* x, const PlaneWave& wave) {
  return extinction(outer_points(system), outer_currents(system, x, 1), exterior(system), wave);
}

double far_field_power(const System& system, const Complex* x) {
  const auto outside = exterior(system);
  const auto sphere = sphere_rule(outside.k, system.mesh());
  const auto far =
      fields::far_field(outer_points(system), outer_currents(system, x, 1), sphere.directions, outside);
  double power = 0;
  for (std::size_t d = 0; d < sphere.weights.size(); ++d)
    power += sphere.weights[d] * fields::radiation_intensity(far.e_theta[d], far.e_phi[d], outside.impedance);
  return power;
}

}  // namespace curlew::ie
