// SPDX-License-Identifier: BSD-3-Clause
// Guides and lines with a slab: three layers of a line. Source: Pozar (2012), section 2.5 (ABCD
// matrices 4.4). Irises, thick and thin, against mode matching: fields are singular at their edges.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "bench/network_errors.hpp"
#include "coax_mesh.hpp"
#include "mesh/box.hpp"
#include "mode_matching.hpp"

namespace curlew::bench {
namespace {

constexpr double width = 22.86e-3, height = 10.16e-3, length = 30e-3, lo = 7.5e-3,
                 hi = 15e-3;  // [m] slab between faces of 4, 8 or 12 blocks

/// S11, S21 of a guide with a slab between two empty lengths. @param kc cut-off wavenumber [1/m], 0 for TEM
Eigen::Vector2cd slab_line(double f, double kc, Complex slab, double rest) {
  const double k0 = wavenumber(f);
  const Complex b0 = std::sqrt(Complex(k0 * k0 * rest - kc * kc)), b1 = std::sqrt(k0 * k0 * slab - kc * kc);
  const Complex z = b0 / b1;  // TE and TEM of media with mu_r = 1
  const Complex c = std::cos(b1 * (hi - lo)), s = Complex(0, 1) * std::sin(b1 * (hi - lo));
  const Complex d = 2.0 * c + (z + 1.0 / z) * s;
  return {(z - 1.0 / z) * s / d * std::exp(Complex(0, -2) * b0 * lo),
          2.0 / d * std::exp(Complex(0, -1) * b0 * (lo + length - hi))};
}

/// Cells between lo and hi become the volume "slab".
void cut_slab(mesh::Mesh& mesh) {
  mesh::Region rest{"rest", {}}, slab{"slab", {}};
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    double z = 0;
    for (int i = 0; i < 4; ++i) z += 0.25 * mesh.nodes[std::size_t(mesh.cell(c)[i])].z;
    (z > lo && z < hi ? slab : rest).entities.push_back(c);
  }
  mesh.volumes = {rest, slab};
}

fem::Model model_of(int order, Complex slab, double rest, std::vector<std::string> metal) {
  fem::Model model;
  model.order = order;
  model.materials = {{.regions = {"rest"}, .epsilon_r = rest}, {.regions = {"slab"}, .epsilon_r = slab}};
  model.boundaries = {{.regions = std::move(metal), .condition = fem::pec_condition()}};
  model.ports = {{.region = "z0", .excite = true}, {.region = "z1"}};
  return model;
}

/// An iris of metal across the guide: a gap of half the width, as thick as one block of the mesh or thin.
struct Iris {
  bool is_thick;
  int n;  ///< 8 n blocks along the width, 4 n along the axis
  double first() const { return 0.5 * length; }
  double thickness() const { return is_thick ? 0.25 * length / n : 0; }
  static bool is_beside_gap(double x) { return std::abs(x - 0.5 * width) > 0.25 * width; }
  bool is_metal(double x, double z) const {
    return is_beside_gap(x) && z > first() && z < first() + thickness();
  }
};

/// Triangles "metal" where cells end but for the ports; those of the thin iris lie inside.
mesh::Mesh iris_mesh(const Iris& iris) {
  return carve(
      mesh::make_box({.hi = {width, height, length}, .blocks = {8 * iris.n, iris.n, 4 * iris.n}}),
      [&](Vec3<double> at) { return !iris.is_metal(at.x, at.z); },
      [&](Vec3<double> at, bool is_end) -> std::string {
        if (is_end) return at.z < 1e-9 ? "z0" : at.z > length - 1e-9 ? "z1" : "metal";
        const bool is_thin_iris =
            !iris.is_thick && std::abs(at.z - iris.first()) < 1e-9 && Iris::is_beside_gap(at.x);
        return is_thin_iris ? "metal" : "";
      });
}

/// S11 and S21 between the ends. Mode matching has no thin iris: one of 0.1 um stands for it.
Eigen::Vector2cd iris_between_ports(const Iris& iris, double f) {
  const reference::Guide guide(width, f, iris.is_thick ? 120 : 300);
  const double thickness = iris.is_thick ? iris.thickness() : 1e-7;
  const auto before = guide.section(iris.first()),
             after = guide.section(length - iris.first() - iris.thickness());
  const auto whole = cascade(cascade(before, guide.iris(0.5 * width, thickness)), after);
  return {whole.reflection(), whole.transmission()};
}

}  // namespace

std::vector<ErrorCase> iris_cases() {
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3})
    for (const bool is_thick : {true, false})
      for (const int n : {1, 2})
        for (const double f : {8.2e9, 10e9, 12.4e9})
          cases.push_back(
              {fmt::format("{} iris, {:.1f} GHz, {} blocks", is_thick ? "thick" : "thin", 1e-9 * f, 4 * n),
               order, order == 3 && f == 10e9 && n == 1, [=] {
                 const Iris iris{is_thick, n};
                 return compare_scattering(iris_mesh(iris), carved_model(order, {"z0", "z1"}), f,
                                           iris_between_ports(iris, f));
               }});
  return cases;
}

std::vector<ErrorCase> guide_cases() {
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3}) {
    for (const int n : order == 3 ? std::vector{1, 2} : std::vector{1, 2, 3}) {
      for (const Complex slab : {Complex(2.54), Complex(4, -0.2)}) {
        for (const double f : {8.2e9, 12.4e9}) {
          const std::array<int, 3> blocks{3 * n, n + 1, 4 * n};
          cases.push_back(
              {fmt::format("guide, slab {:g}{:+g}j, {:.1f} GHz, {} blocks", slab.real(), slab.imag(),
                           1e-9 * f, blocks[2]),
               order, f < 1e10 && n == 1 && slab.imag() == 0, [=] {
                 auto mesh =
                     mesh::make_box({.hi = {width, height, length}, .blocks = blocks, .shuffle_seed = 7});
                 cut_slab(mesh);
                 return compare_scattering(mesh, model_of(order, slab, 1, {"x0", "x1", "y0", "y1"}), f,
                                           slab_line(f, pi / width, slab, 1));
               }});
        }
      }
    }
  }
  return cases;
}

std::vector<ErrorCase> line_cases() {
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3}) {
    for (const int n : {1, 2}) {
      const double f = 6e9;
      cases.push_back(
          {fmt::format("parallel plates, lossy slab, {} blocks", 4 * n), order, n == 1, [=] {
             auto mesh = mesh::make_box({.hi = {8e-3, 4e-3, length}, .blocks = {2 * n, n, 4 * n}});
             cut_slab(mesh);
             auto model = model_of(order, {3, -0.3}, 1, {"y0", "y1"});
             model.boundaries.push_back({.regions = {"x0", "x1"}, .condition = fem::pmc_condition()});
             return compare_scattering(mesh, model, f, slab_line(f, 0, {3, -0.3}, 1));
           }});
      for (const int geometry : {1, 2}) {
        cases.push_back(
            {fmt::format("coax {}, bead, {} blocks", geometry == 1 ? "straight" : "curved", 4 * n), order,
             false, [=] {
               auto mesh = test::make_coax(2e-3, 5e-3, length, {n + 1, 4 + 4 * n, 4 * n}, geometry);
               cut_slab(mesh);
               auto model = model_of(order, 4.0, 2, {"inner", "outer"});
               return compare_scattering(mesh, model, f, slab_line(f, 0, 4.0, 2));
             }});
      }
    }
  }
  return cases;
}

}  // namespace curlew::bench
