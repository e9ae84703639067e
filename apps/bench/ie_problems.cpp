// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ie_problems.hpp"

#include <cmath>

#include "icosphere.hpp"
#include "ie/sheet/sheet_system.hpp"
#include "material/dispersion.hpp"
#include "mesh/box.hpp"

namespace curlew::bench {

mesh::Mesh resonators(int n, int m) {
  constexpr int count = 12;
  constexpr double radius = 100e-9, gap = 25e-9, height = 50e-9;
  const double ring = (radius + gap / 2) / std::sin(pi / count);
  const auto box = mesh::make_box({.lo = {-1, -1, -0.5}, .hi = {1, 1, 0.5}, .blocks = {n, n, m}});
  mesh::Mesh all;
  all.name = "resonators";
  all.volumes.push_back({"resonators", {}});
  for (int i = 0; i < count; ++i) {
    const auto shift = Index(all.nodes.size());
    const Vec3<double> centre{ring * std::cos(2 * pi * i / count), ring * std::sin(2 * pi * i / count), 0};
    for (const auto& p : box.nodes) {
      // Moves the point of a square to a disc: straight lines become arcs.
      const double x = p.x * std::sqrt(1 - p.y * p.y / 2), y = p.y * std::sqrt(1 - p.x * p.x / 2);
      all.nodes.push_back(centre + Vec3<double>{radius * x, radius * y, height * p.z});
    }
    for (const Index node : box.cells) all.cells.push_back(shift + node);
  }
  for (Index c = 0; c < all.num_cells(); ++c) all.volumes[0].entities.push_back(c);
  return all;
}

ie::SurfaceMesh perforated_films(int n) {
  constexpr int films = 4, holes = 5;
  constexpr double side = 1e-6, distance = 100e-9, diameter = 100e-9;
  const auto is_hole = [&](double x, double y) {
    const double pitch = side / holes;
    const double dx = x - (std::floor(x / pitch) + 0.5) * pitch,
                 dy = y - (std::floor(y / pitch) + 0.5) * pitch;
    return std::hypot(dx, dy) < diameter / 2;
  };
  std::vector<Vec3<double>> nodes;
  std::vector<ie::Triangle> triangles;
  for (int f = 0; f < films; ++f) {
    std::vector<Index> number(std::size_t(n + 1) * std::size_t(n + 1), -1);
    const auto node = [&](int i, int j) {
      Index& known = number[std::size_t(i) * std::size_t(n + 1) + std::size_t(j)];
      if (known < 0) {
        known = Index(nodes.size());
        nodes.push_back(
            {(double(i) / n - 0.5) * side, (double(j) / n - 0.5) * side, (f - 0.5 * (films - 1)) * distance});
      }
      return known;
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (is_hole((i + 0.5) / n * side, (j + 0.5) / n * side)) continue;
        triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
        triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
      }
    }
  }
  std::vector<int> tag(triangles.size(), 0);
  return ie::make_surface_mesh("films", std::move(nodes), std::move(triangles), std::move(tag), {"films"});
}

ie::MixedPotentialSystem film_system(int n) {
  const auto mesh = perforated_films(n);
  const material::Pole gold{
      .type = material::Pole::Type::drude, .frequency = 2 * pi * 2.055e15, .damping = 2 * pi * 1.137e13};
  const Complex epsilon = 1.0 + gold.permittivity(wavenumber * speed_of_light);
  const std::vector<Complex> impedance(mesh.triangles.size(), ie::film_impedance(20e-9, epsilon, wavenumber));
  return ie::make_sheet_system(mesh, ie::RwgSpace(mesh), impedance, wavenumber);
}

ie::Field wave_of_1um(Vec3<double> direction, Vec3<double> electric) {
  return [=](Vec3<double> r) { return std::polar(1.0, -wavenumber * dot(direction, r)) * electric; };
}

ie::SolveOptions chapter_options(Device device) {
  ie::SolveOptions o;
  o.direct = false, o.accelerated = true, o.acceleration_tolerance = 5e-3;
  o.preconditioner = ie::Preconditioner::jacobi;
  o.krylov.tolerance = 1e-3;
  o.device = device;
  return o;
}

ie::Problem sphere(int n) {
  const auto soup = mesh::icosphere(n, 1.0);
  ie::Problem p;
  p.mesh = ie::make_surface_mesh("sphere", soup.nodes, soup.triangles,
                                 std::vector<int>(soup.triangles.size(), 0), {"sphere"});
  p.surfaces.emplace_back();
  p.frequency = speed_of_light / (10 * ie::edge_lengths(p.mesh).mean);
  return p;
}

}  // namespace curlew::bench
