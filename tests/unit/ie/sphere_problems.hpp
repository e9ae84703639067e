// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Spheres as problems, solved directly and compared with their series.

#include <cmath>
#include <string>
#include <vector>

#include "base/constants.hpp"
#include "ie/results/cross_sections.hpp"
#include "ie/sources/excitation.hpp"
#include "ie/surface/dense_fill.hpp"
#include "linalg/dense/lu.hpp"
#include "mie.hpp"
#include "sphere_mesh.hpp"

namespace curlew::ie {

/// One or more spheres around the origin, each with n divisions, of radius radii[i].
inline SurfaceMesh sphere_mesh(int n, const std::vector<double>& radii) {
  std::vector<Vec3<double>> nodes;
  std::vector<Triangle> triangles;
  std::vector<int> tag;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const auto soup = test::icosphere(n, radii[i]);
    const auto shift = Index(nodes.size());
    nodes.insert(nodes.end(), soup.nodes.begin(), soup.nodes.end());
    for (auto t : soup.triangles) {
      for (Index& node : t) node += shift;
      triangles.push_back(t), tag.push_back(int(i));
    }
    names.push_back("sphere" + std::to_string(i));
  }
  return make_surface_mesh("spheres", nodes, triangles, tag, names);
}

inline Problem sphere_problem(int n, double ka, Equation equation, const Surface& surface = {}) {
  Problem p;
  p.mesh = sphere_mesh(n, {1.0});
  p.surfaces = {surface};
  p.frequency = ka * speed_of_light / (2 * pi);
  p.equation = equation;
  return p;
}

/// The same with flat facets that together have the volume of the sphere: as mesh::straighten makes them from
/// curved ones. What is left of the error is that of the functions.
inline Problem equal_volume_problem(int n, double ka, Equation equation, const Surface& surface = {}) {
  Problem p = sphere_problem(n, ka, equation, surface);
  const double scale = std::cbrt(4 * pi / 3 / p.mesh.pieces.front().volume);
  for (auto& node : p.mesh.nodes) node = scale * node;
  p.mesh.pieces.front().volume = 4 * pi / 3;
  return p;
}

/// Travels along +z with E along +x: what Mie assumes.
inline PlaneWave mie_wave() {
  return {.theta = pi, .phi = 0, .polarization = pi};  // theta^ of the direction theta = pi, phi = 0 is -x
}

inline std::vector<Complex> solve_directly(const System& system, const PlaneWave& wave) {
  auto matrix = fill_dense(system);
  auto x = right_hand_side(system, wave);
  linalg::solve_dense(matrix, x.data(), 1, linalg::LuPrecision::full, false);
  return x;
}

struct SphereError {
  double field;       ///< relative, 2-norm of the far field over two cuts
  double rms_db;      ///< of the RCS where it is within 30 dB of its largest value
  double imbalance;   ///< of the powers
  double extinction;  ///< relative error of Q
  double absorption;  ///< absolute error of Q
};

inline SphereError compare(const System& system, const std::vector<Complex>& x, const test::Mie& mie) {
  std::vector<fields::Direction> cut;
  for (int degree = 0; degree <= 180; degree += 5)
    for (const double phi : {0.0, pi / 2}) cut.push_back({degree * pi / 180, phi});
  const double k = system.scene().regions[0].k.real();
  const auto far = fields::far_field(outer_points(system), outer_currents(system, x.data(), 1), cut, {k});
  double largest = 0;
  for (const auto& d : cut) largest = std::max(largest, mie.rcs(d.theta, d.phi).total());
  double difference = 0, size = 0, squares = 0;
  int count = 0;
  for (std::size_t i = 0; i < cut.size(); ++i) {
    const auto expect = mie.far_field(cut[i].theta, cut[i].phi);
    difference += std::norm(far.e_theta[i] - expect.theta) + std::norm(far.e_phi[i] - expect.phi);
    size += std::norm(expect.theta) + std::norm(expect.phi);
    const double exact = mie.rcs(cut[i].theta, cut[i].phi).total();
    const double got = 4 * pi * (std::norm(far.e_theta[i]) + std::norm(far.e_phi[i]));
    if (exact < 1e-3 * largest) continue;
    squares += std::pow(test::dbsm(got) - test::dbsm(exact), 2);
    ++count;
  }
  const auto wave = mie_wave();
  const auto sections = cross_sections(system, x.data(), std::span(&wave, 1)).front();
  return {std::sqrt(difference / size), std::sqrt(squares / count), sections.imbalance(),
          std::abs(sections.extinction / pi / mie.q_extinction() - 1),
          std::abs(sections.absorption / pi - mie.q_absorption())};
}

}  // namespace curlew::ie
