// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/cross_sections.hpp"

#include <algorithm>
#include <cmath>

#include "fields/optical_theorem.hpp"
#include "ie/results/far_fields.hpp"

namespace curlew::ie {
namespace {

constexpr double incident_power = 0.5 / vacuum_impedance;  // [W/m^2] of 1 V/m

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

fields::Exterior exterior(const System& system) {
  return {system.scene().regions[0].k.real()};
}

double extinction(const fields::SurfacePoints& points, const fields::SurfaceCurrents& currents,
                  const fields::Exterior& outside, const green::ArrivingWave& wave) {
  const fields::Direction d = forward(wave);
  return fields::extinction(fields::far_field(points, currents, std::span(&d, 1), outside),
                            wave.at(outside.k));
}

}  // namespace

fields::Direction forward(const green::ArrivingWave& wave) {
  return fields::forward(wave.direction());
}

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

std::vector<CrossSections> cross_sections(const System& system, const FarFields& far, const Complex* x,
                                          std::span<const green::ArrivingWave> waves) {
  return cross_sections(far, x, waves, absorption(system, x, Index(waves.size())));
}

std::vector<double> absorption(const System& system, const Complex* x, Index count) {
  std::vector<double> out(std::size_t(count), 0.0);
  if (!system.needs_magnetic(0)) return out;  // no tangential E, no power through the surface
  const auto points = outer_points(system);
  for (Index w = 0; w < count; ++w) {
    const auto currents = outer_currents(system, x + Offset(w) * system.num_unknowns(), 1);
    out[std::size_t(w)] = -fields::radiated_power(points, currents).front() / incident_power;
  }
  return out;
}

std::vector<CrossSections> cross_sections(const FarFields& far, const Complex* x,
                                          std::span<const green::ArrivingWave> waves,
                                          std::span<const double> absorption) {
  const auto scattered = far.powers(x, Index(waves.size()));
  std::vector<fields::Direction> directions;
  for (const auto& wave : waves) directions.push_back(forward(wave));
  const auto all = far.each(x, directions);
  std::vector<CrossSections> out;
  for (std::size_t w = 0; w < waves.size(); ++w) {
    const fields::FarField f{1, {all.e_theta[w]}, {all.e_phi[w]}};
    out.push_back(
        {scattered[w] / incident_power, absorption[w], fields::extinction(f, waves[w].at(far.k()))});
  }
  return out;
}

double extinction(const System& system, const Complex* x, const green::ArrivingWave& wave) {
  return extinction(outer_points(system), outer_currents(system, x, 1), exterior(system), wave);
}

}  // namespace curlew::ie
