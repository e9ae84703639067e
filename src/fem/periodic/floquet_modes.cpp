// SPDX-License-Identifier: BSD-3-Clause
#include "fem/periodic/floquet_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::fem {
namespace {

constexpr double vanishing = 1e-9;  ///< relative size of kt that counts as normal incidence

/// All orders with |kt(m,n)| < limit: (0,0), then smallest first; equal ones by m, n.
std::vector<FloquetMode> orders_within(const FloquetCell& cell, Vec3<double> kt, double limit) {
  struct Order {
    long size;
    int m, n;
  };
  std::vector<Order> orders;
  const auto reach = [&](int i) {  // kt(m,n).d1 = kt.d1 + 2 pi m
    return int(std::ceil((limit + norm(kt)) * norm(cell.lattice.translations[std::size_t(i)]) / (2 * pi)));
  };
  for (int m = -reach(0); m <= reach(0); ++m)
    for (int n = -reach(1); n <= reach(1); ++n) {
      const double size = norm(cell.wave_vector(kt, m, n));
      if (size < limit) orders.push_back({std::lround(1e9 * size / limit), m, n});
    }
  const auto key = [](const Order& o) {
    const int distance = std::abs(o.m) + std::abs(o.n);
    return std::tuple(distance > 0, o.size, distance, -o.m, -o.n);
  };
  std::sort(orders.begin(), orders.end(), [&](const Order& a, const Order& b) { return key(a) < key(b); });
  std::vector<FloquetMode> modes;
  for (const Order& order : orders)
    for (const auto family : {ModeFamily::te, ModeFamily::tm}) modes.push_back({family, order.m, order.n});
  return modes;
}

Vec3<double> plane_normal(const mesh::Mesh& mesh, Index triangle) {
  const Index* t = mesh.triangle(triangle);
  const Vec3<double> x = mesh.nodes[std::size_t(t[0])];
  Vec3<double> n = normalized(cross(mesh.nodes[std::size_t(t[1])] - x, mesh.nodes[std::size_t(t[2])] - x));
  const double largest = std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)});
  for (int i = 0; i < 3; ++i)
    if (std::abs(n[i]) > 0.999 * largest) return n[i] < 0 ? -n : n;
  return n;
}

}  // namespace

std::string FloquetMode::name() const {
  return fmt::format("{}({},{})", family == ModeFamily::te ? "TE" : "TM", m, n);
}

Vec3<double> FloquetMode::polarization(const FloquetCell& cell, Vec3<double> kt) const {
  const double small = vanishing * norm(cell.lattice.reciprocals[0]);
  const Vec3<double> u = norm(kt) > small ? normalized(-kt) : cell.direction;
  return family == ModeFamily::te ? cross(cell.normal, u) : u;
}

FloquetCell make_floquet_cell(const mesh::Mesh& mesh, const std::vector<Index>& triangles,
                              const Periodicity& periodicity, const std::string& region) {
  FloquetCell cell;
  cell.lattice = lattice_of(periodicity);
  const auto& d = cell.lattice.translations;
  cell.normal = plane_normal(mesh, triangles[0]);
  const Vec3<double> origin = mesh.nodes[std::size_t(mesh.triangle(triangles[0])[0])];
  const double size = norm(d[0]) + norm(d[1]);
  for (const Index t : triangles) {
    Vec3<double> v[3];
    for (int i = 0; i < 3; ++i) {
      v[i] = mesh.nodes[std::size_t(mesh.triangle(t)[i])];
      if (std::abs(dot(v[i] - origin, cell.normal)) > 1e-6 * size)
        throw InputError(fmt::format("Floquet port \"{}\" is not planar", region));
    }
    cell.area += 0.5 * norm(cross(v[1] - v[0], v[2] - v[0]));
  }
  const double whole = norm(cross(d[0], d[1]));
  for (const auto& translation : d)
    if (std::abs(dot(translation, cell.normal)) > 1e-6 * norm(translation))
      throw InputError(
          fmt::format("Floquet port \"{}\": a translation of [[periodic]] leaves its plane", region));
  if (std::abs(cell.area - whole) > 1e-6 * whole)
    throw InputError(fmt::format(
        "Floquet port \"{}\" has {:.6g} m^2, a cell of the lattice {:.6g} m^2: it must be one cell", region,
        cell.area, whole));
  const Vec3<double> theta =
      periodicity.theta_direction - dot(periodicity.theta_direction, cell.normal) * cell.normal;
  cell.direction = normalized(norm(theta) > 1e-6 ? theta : d[0]);
  return cell;
}

std::vector<FloquetMode> floquet_modes(const FloquetCell& cell, Vec3<double> kt, double k, int count,
                                       int more, int& first) {
  const auto propagates = [&](const FloquetMode& mode) {
    return norm(cell.wave_vector(kt, mode.m, mode.n)) < k;
  };
  double limit = 2 * (k + norm(kt)) + norm(cell.lattice.reciprocals[0]);
  while (true) {
    auto modes = orders_within(cell, kt, limit);
    const auto propagating = int(std::count_if(modes.begin(), modes.end(), propagates));
    first = count > 0 ? count : std::max(propagating, 2);
    if (int(modes.size()) >= first + more) {
      modes.resize(std::size_t(first + more));
      return modes;
    }
    limit *= 2;
  }
}

}  // namespace curlew::fem
