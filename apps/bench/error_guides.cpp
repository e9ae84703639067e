// SPDX-License-Identifier: BSD-3-Clause
// Guides and lines with a slab: three layers of a line. Source: Pozar (2012), section 2.5 (ABCD
// matrices 4.4).

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "bench/error_cases.hpp"
#include "coax_mesh.hpp"
#include "fem/error/scattering_error.hpp"
#include "mesh/box.hpp"

namespace curlew::bench {
namespace {

constexpr double width = 22.86e-3, height = 10.16e-3, length = 30e-3, lo = 7.5e-3,
                 hi = 15e-3;  // [m] slab between faces of 4, 8 or 12 blocks

/// S11, S21 of before, slab, after. @param kc cut-off wavenumber [1/m], 0 for TEM
std::array<Complex, 2> slab_line(double f, double kc, Complex slab, double rest) {
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

std::vector<BarredResult> compare(const mesh::Mesh& mesh, const fem::Model& model, double f,
                                  std::array<Complex, 2> exact) {
  const auto topology = mesh::build_topology(mesh);
  fem::DrivenProblem problem(mesh, topology, model, {});
  problem.analyse();
  const auto s = problem.solve(f).scattering.s;
  const auto shape = fem::shape_variant(mesh, topology, model);
  const auto error = fem::scattering_error(mesh, topology, model, {}, shape ? &*shape : nullptr, {f}, f, {s});
  return {{"S11", std::abs(s(0, 0) - exact[0]), error.s(0, 0)},
          {"S21", std::abs(s(1, 0) - exact[1]), error.s(1, 0)}};
}

fem::Model model_of(int order, Complex slab, double rest, std::vector<std::string> metal) {
  fem::Model model;
  model.order = order;
  model.materials = {{.regions = {"rest"}, .epsilon_r = rest}, {.regions = {"slab"}, .epsilon_r = slab}};
  model.boundaries = {{.regions = std::move(metal), .condition = fem::pec_condition()}};
  model.ports = {{.region = "z0", .excite = true}, {.region = "z1"}};
  return model;
}

}  // namespace

std::vector<ErrorCase> guide_cases() {
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3}) {
    for (const int n : order == 3 ? std::vector{1, 2} : std::vector{1, 2, 3}) {
      for (const Complex slab : {Complex(2.54), Complex(4, -0.2)}) {
        for (const double f : {8.2e9, 12.4e9}) {
          const std::array<int, 3> blocks{3 * n, n + 1, 4 * n};
          cases.push_back({fmt::format("guide, slab {:g}{:+g}j, {:.1f} GHz, {} blocks", slab.real(),
                                       slab.imag(), 1e-9 * f, blocks[2]),
                           order, f < 1e10 && n == 1 && slab.imag() == 0, [=] {
                             auto mesh = mesh::make_box(
                                 {.hi = {width, height, length}, .blocks = blocks, .shuffle_seed = 7});
                             cut_slab(mesh);
                             return compare(mesh, model_of(order, slab, 1, {"x0", "x1", "y0", "y1"}), f,
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
             return compare(mesh, model, f, slab_line(f, 0, {3, -0.3}, 1));
           }});
      for (const int geometry : {1, 2}) {
        cases.push_back(
            {fmt::format("coax {}, bead, {} blocks", geometry == 1 ? "straight" : "curved", 4 * n), order,
             false, [=] {
               auto mesh = test::make_coax(2e-3, 5e-3, length, {n + 1, 4 + 4 * n, 4 * n}, geometry);
               cut_slab(mesh);
               auto model = model_of(order, 4.0, 2, {"inner", "outer"});
               return compare(mesh, model, f, slab_line(f, 0, 4.0, 2));
             }});
      }
    }
  }
  return cases;
}

}  // namespace curlew::bench
