// SPDX-License-Identifier: BSD-3-Clause
// Bands of periodic cells against the empty lattice (exact plane waves) and the Kronig-Penney equation of
// layers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/eigen/cavity.hpp"
#include "fem/periodic/bloch_reduction.hpp"
#include "periodic_cell.hpp"

namespace curlew::fem {
namespace {

using test::PeriodicCell;

constexpr double a = 1.0;  // [m] edge of the cell

/// k0 of the lowest modes [rad/m].
std::vector<double> wavenumbers(const PeriodicCell& cell, Model model, int order, int count,
                                double target = 0) {
  model.order = order;
  model.periodicity = cell.periodicity;
  const NedelecSpace space = make_space(cell.mesh, cell.topology, order, pec_triangles(model, cell.mesh));
  CavityOptions options;
  options.modes = count;
  options.target = target;
  std::vector<double> k;
  for (const auto& mode : cavity_modes(space, model, options))
    k.push_back(2 * pi * mode.frequency.real() / speed_of_light);
  return k;
}

Model vacuum_model() {
  Model model;
  model.materials = {{.regions = {"volume"}}};
  return model;
}

/// |k + G|, each twice, ascending, of translations d.
std::vector<double> empty_lattice(const Lattice& lattice, Vec3<double> k, std::size_t count) {
  std::vector<double> all;
  for (int m = -2; m <= 2; ++m)
    for (int n = -2; n <= 2; ++n)
      for (int l = -2; l <= 2; ++l) {
        const double size = norm(k + double(m) * lattice.reciprocals[0] + double(n) * lattice.reciprocals[1] +
                                 double(l) * lattice.reciprocals[2]);
        all.insert(all.end(), {size, size});
      }
  std::sort(all.begin(), all.end());
  all.resize(count);
  return all;
}

/// Oblique, and curved inside and on the faces.
Vec3<double> oblique(Vec3<double> x) {
  const auto wave = [](double t) { return std::sin(2 * pi * t); };
  const Vec3<double> bent{x.x + 0.04 * wave(x.y) * wave(x.z), x.y + 0.03 * wave(x.z + 0.2),
                          x.z + 0.03 * wave(x.x)};
  return {bent.x + 0.3 * bent.y, bent.y - 0.1 * bent.z, 0.9 * bent.z};
}

double largest_error(int order, int blocks, int geometry_order) {
  PeriodicCell cell(mesh::make_box({.hi = {a, a, a},
                                    .blocks = {blocks, blocks, blocks},
                                    .geometry_order = geometry_order,
                                    .shuffle_seed = 7}),
                    "xyz", oblique);
  cell.periodicity.wave_vector = {0.7, 1.3, -0.4};
  const auto exact = empty_lattice(lattice_of(cell.periodicity), cell.periodicity.wave_vector, 4);
  const auto found = wavenumbers(cell, vacuum_model(), order, 4);
  double error = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    error = std::max(error, std::abs(found.at(i) / exact[i] - 1));
  return error;
}

TEST(EmptyLattice, BandsConvergeWithTwiceTheOrder) {
  const int coarse[] = {0, 3, 2, 2}, fine[] = {0, 6, 4, 4};
  for (const int order : {1, 2, 3}) {
    const double first = largest_error(order, coarse[order], 1),
                 second = largest_error(order, fine[order], 1);
    EXPECT_GT(std::log2(first / second), 2 * order - 0.5)
        << "order " << order << ": " << first << ", " << second;
  }
}

/// Second-order geometry on curved faces: unknowns still agree across them.
TEST(EmptyLattice, HoldsOnCurvedCells) {
  for (const int order : {1, 2, 3}) {
    const double first = largest_error(order, 2, 2), second = largest_error(order, 4, 2);
    EXPECT_GT(std::log2(first / second), std::min(2 * order, 4) - 0.6)
        << "order " << order << ": " << first << ", " << second;
  }
}

/// Real phases stay in real arithmetic: the same bands at (180, 0, 0) degrees as by a vector just beside it.
TEST(EmptyLattice, RealPhasesGiveTheLimitOfComplexOnes) {
  PeriodicCell cell(mesh::make_box({.hi = {a, a, a}, .blocks = {3, 3, 3}, .shuffle_seed = 3}), "xyz");
  cell.periodicity.pairs[0].phase = pi;
  ASSERT_TRUE(cell.periodicity.is_real());
  const auto real = wavenumbers(cell, vacuum_model(), 2, 4);
  cell.periodicity.pairs[0].phase = pi - 1e-6;
  ASSERT_FALSE(cell.periodicity.is_real());
  const auto complex = wavenumbers(cell, vacuum_model(), 2, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(real.at(i), pi, 5e-3 * pi);
    EXPECT_NEAR(real[i], complex.at(i), 2e-6);
  }
}

/// Layers of index 1 and 2 (ε 4), half a period each, at transverse wavenumber q:
///   cos φ = cos αd1 cos βd2 - (s + 1/s)/2 sin αd1 sin βd2,  s = α/β (TE) or αε2/βε1 (TM).
/// Source: Yeh (1988), Optical Waves in Layered Media, section 6.2.
double layers(double k, double q, bool te) {
  const double epsilon = 4, d = 0.5 * a;
  const Complex alpha = std::sqrt(Complex(k * k - q * q)), beta = std::sqrt(Complex(epsilon * k * k - q * q));
  const Complex s = te ? alpha / beta : alpha * epsilon / beta;
  return (std::cos(alpha * d) * std::cos(beta * d) -
          0.5 * (s + 1.0 / s) * std::sin(alpha * d) * std::sin(beta * d))
      .real();
}

/// Roots of cos φ = layers(k), by sign changes.
std::vector<double> band_roots(double phase, double q, double highest) {
  std::vector<double> roots;
  for (const bool te : {true, false}) {
    const auto f = [&](double k) { return layers(k, q, te) - std::cos(phase); };
    for (double k = 1e-3; k < highest; k += 1e-3) {
      if (f(k) * f(k + 1e-3) > 0) continue;
      double low = k, high = k + 1e-3;
      for (int i = 0; i < 60; ++i)
        ((f(0.5 * (low + high)) > 0) == (f(high) > 0) ? high : low) = 0.5 * (low + high);
      roots.push_back(low);
    }
  }
  std::sort(roots.begin(), roots.end());
  return roots;
}

TEST(LayeredCrystal, BandsAreThoseOfKronigAndPenney) {
  auto box = mesh::make_box({.hi = {a / 4, a / 4, a}, .blocks = {1, 1, 8}, .shuffle_seed = 5});
  test::split_volume(box, "dense", [](Vec3<double> x) { return x.z > 0.5 * a; });
  PeriodicCell cell(box, "xyz");
  Model model = vacuum_model();
  model.materials.push_back({.regions = {"dense"}, .epsilon_r = 4.0});
  for (const double q : {0.0, 1.5}) {
    for (const double phase : {0.3, 1.8, 3.0}) {
      cell.periodicity.wave_vector = {q, 0, phase / a};
      const auto exact = band_roots(phase, q, 6.0);
      ASSERT_GE(exact.size(), 4U);
      const auto found = wavenumbers(cell, model, 3, 4);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(found.at(i) / exact[i], 1, 2e-5) << "q " << q << " phase " << phase << " band " << i;
    }
  }
}

/// Loss in all of the medium: every frequency is divided by sqrt(ε (1 - j tan)), nonlinear path included.
TEST(LayeredCrystal, LossesGiveTheQOfTheMedium) {
  PeriodicCell cell(mesh::make_box({.hi = {a, a, a}, .blocks = {2, 2, 2}, .shuffle_seed = 5}), "xyz");
  cell.periodicity.wave_vector = {0.9, 0, 0.2};
  for (const bool conducting : {false, true}) {
    Model model = vacuum_model();
    model.order = 3;
    model.periodicity = cell.periodicity;
    const double f = norm(cell.periodicity.wave_vector) * speed_of_light / (2 * pi), tangent = 0.02;
    if (conducting) {
      model.materials[0].conductivity = tangent * 2 * pi * f * vacuum_permittivity;
    } else {
      model.materials[0].loss_tangent = tangent;
    }
    const NedelecSpace space = make_space(cell.mesh, cell.topology, 3);
    CavityOptions options;
    options.modes = 2;
    options.target = 0.9 * f;
    for (const auto& mode : cavity_modes(space, model, options))
      EXPECT_NEAR(mode.q * tangent, 1, 1e-3) << conducting;
  }
}

TEST(BlochReduction, RefusesPhasesThatContradictEachOther) {
  auto box = mesh::make_box({.hi = {a, a, a}, .blocks = {2, 2, 2}});
  // The side x1 in two halves, each with a phase of its own: they share edges.
  for (const char* side : {"x0", "x1"}) {
    mesh::Region low{std::string(side) + "_low", {}}, high{std::string(side) + "_high", {}};
    for (const Index t : surface_triangles(box, side)) {
      double y = 0;
      for (int v = 0; v < 3; ++v) y += box.nodes[std::size_t(box.triangle(t)[v])].y / 3;
      (y < 0.5 * a ? low : high).entities.push_back(t);
    }
    box.surfaces.push_back(low), box.surfaces.push_back(high);
  }
  Periodicity periodicity;
  std::vector<mesh::TranslatedFaces> faces;
  for (const char* half : {"low", "high"}) {
    const std::string first = std::string("x0_") + half, second = std::string("x1_") + half;
    faces.push_back(mesh::match_translated(box, surface_triangles(box, first), surface_triangles(box, second),
                                           {first, second}));
    periodicity.pairs.push_back({{first}, {second}, {}, {}});
  }
  mesh::number_alike(box, faces);
  for (std::size_t p = 0; p < 2; ++p) periodicity.pairs[p].faces = faces[p];
  const auto topology = mesh::build_topology(box);
  const BlochReduction bloch(make_space(box, topology, 2), periodicity.pairs);
  EXPECT_NO_THROW(bloch.factors(std::vector{0.4, 0.4 + 2 * pi}));
  EXPECT_THROW(bloch.factors(std::vector{0.4, 0.5}), InputError);

  CellOrders orders(std::size_t(box.num_cells()), 2);
  orders[0] = 3;
  EXPECT_THROW(BlochReduction(make_space(box, topology, 2, {}, orders), periodicity.pairs), InputError);
}

}  // namespace
}  // namespace curlew::fem
