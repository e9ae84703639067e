// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Spheres cut in halves along the plane x = 0, with plates in that plane, conforming along the rims.

#include <array>
#include <cmath>
#include <map>

#include "sphere_problems.hpp"

namespace curlew::ie {

/// Triangles of named surfaces whose equal corners are one node.
class CutSphere {
 public:
  /// @param n edges along a quarter of a rim
  explicit CutSphere(int n) : n_(n) {}

  /// The half of a sphere at x > 0 (side +1) or x < 0 (-1).
  void add_half(const std::string& name, double radius, int side) {
    for (const int sx : {1, -1})
      for (const int sy : {1, -1})
        add_octant(name, sx, sy, [=](double u, double v) {
          return radius * normalized(Vec3<double>{u, v, side * (1 - std::abs(u) - std::abs(v))});
        });
  }
  void add_disc(const std::string& name, double radius) {
    for (const int sx : {1, -1})
      for (const int sy : {1, -1})
        add_octant(name, sx, sy, [=](double u, double v) {
          const double s = std::abs(u) + std::abs(v), length = std::hypot(u, v);
          return length == 0 ? Vec3<double>{}
                             : Vec3<double>{u * s / length * radius, v * s / length * radius, 0};
        });
  }
  void add_ring(const std::string& name, double inner, double outer) {
    const int steps = std::max(1, int(std::lround((outer - inner) * n_ / 1.5)));
    for (int i = 0; i < 4 * n_; ++i) {
      for (int j = 0; j < steps; ++j) {
        const auto at = [&](int turn, int step) {
          return (inner + (outer - inner) * step / steps) * rim(turn % (4 * n_));
        };
        add(name, at(i, j), at(i, j + 1), at(i + 1, j + 1));
        add(name, at(i, j), at(i + 1, j + 1), at(i + 1, j));
      }
    }
  }

  /// @param bodies by the names of their surfaces; surfaces in none are conductors, as are those of
  /// `conductors`
  Problem problem(double ka, const std::vector<std::pair<Complex, std::vector<std::string>>>& bodies,
                  const std::vector<std::string>& conductors = {}) const {
    Problem p;
    p.mesh = make_surface_mesh("cut sphere", nodes_, triangles_, tag_, names_);
    p.surfaces.resize(names_.size());
    const auto tag = [&](const std::string& name) {
      return int(std::find(names_.begin(), names_.end(), name) - names_.begin());
    };
    for (const auto& [epsilon_r, names] : bodies) {
      p.bodies.push_back({epsilon_r, 1.0, {}});
      for (const auto& name : names) {
        p.bodies.back().surfaces.push_back(tag(name));
        p.surfaces[std::size_t(tag(name))].boundary = Boundary::dielectric;
      }
    }
    for (const auto& name : conductors) p.surfaces[std::size_t(tag(name))].boundary = Boundary::conductor;
    p.frequency = ka * speed_of_light / (2 * pi);
    p.equation = Equation::efie;
    return p;
  }

 private:
  Vec3<double> rim(int turn) const {
    const double s = double(turn % n_) / n_;
    const std::array<std::array<double, 2>, 5> corner{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}}};
    const auto &a = corner[std::size_t(turn / n_)], &b = corner[std::size_t(turn / n_) + 1];
    return normalized(Vec3<double>{a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), 0});
  }
  template <class Place>
  void add_octant(const std::string& name, int sx, int sy, const Place& place) {
    const auto at = [&](int i, int j) { return place(double(sx * i) / n_, double(sy * j) / n_); };
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; i + j < n_; ++j) {
        add(name, at(i, j), at(i + 1, j), at(i, j + 1));
        if (i + j + 2 <= n_) add(name, at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
      }
    }
  }
  void add(const std::string& name, Vec3<double> a, Vec3<double> b, Vec3<double> c) {
    if (names_.empty() || names_.back() != name) names_.push_back(name);
    triangles_.push_back({node(a), node(b), node(c)});
    tag_.push_back(int(names_.size()) - 1);
  }
  /// The axis of the sphere's cut, z here, becomes x.
  Index node(Vec3<double> p) {
    const std::array<long, 3> key{std::lround(1e7 * p.x), std::lround(1e7 * p.y), std::lround(1e7 * p.z)};
    const auto [at, is_new] = number_.try_emplace(key, Index(nodes_.size()));
    if (is_new) nodes_.push_back({p.z, p.x, p.y});
    return at->second;
  }

  int n_;
  std::vector<Vec3<double>> nodes_;
  std::vector<Triangle> triangles_;
  std::vector<int> tag_;
  std::vector<std::string> names_;
  std::map<std::array<long, 3>, Index> number_;
};

/// A conducting core in a coating that is cut in two.
inline Problem cut_coated(int n, double ka, double core, Complex one, Complex other) {
  CutSphere s(n);
  s.add_half("upper", 1, 1), s.add_half("lower", 1, -1);
  s.add_half("core_upper", core, 1), s.add_half("core_lower", core, -1);
  s.add_ring("cut", core, 1);
  return s.problem(ka, {{one, {"upper", "cut", "core_upper"}}, {other, {"lower", "cut", "core_lower"}}},
                   {"core_upper", "core_lower"});
}

/// Two halves of dielectrics with a plate between them that reaches beyond them.
inline Problem plate_between_halves(int n, double ka, Complex one, Complex other) {
  CutSphere s(n);
  s.add_half("upper", 1, 1), s.add_half("lower", 1, -1);
  s.add_disc("plate", 1), s.add_ring("brim", 1, 1.5);
  return s.problem(ka, {{one, {"upper", "plate"}}, {other, {"lower", "plate"}}}, {"plate"});
}

/// A conductor of radius 0.7 in a lossy coating, ka = 1.
inline Problem coated_conductor() {
  Problem p = sphere_problem(3, 1, Equation::efie);
  p.mesh = sphere_mesh(3, {1.0, 0.7});
  p.surfaces = {{.boundary = Boundary::dielectric, .epsilon_r = {2.56, -0.1}}, {}};
  return p;
}

}  // namespace curlew::ie
