// SPDX-License-Identifier: BSD-3-Clause
// Surfaces inside the mesh whose two faces have separate fields: lossy plates, layers and magnetic walls
// against closed forms and against models of one side; absorbing boundaries in a medium.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/eigen/cavity.hpp"
#include "fem/fields.hpp"
#include "fem/model/split_surfaces.hpp"
#include "io/config.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

constexpr double height = 1e-3;  ///< [m] of each line

/// Two boxes of a size each with the common face y = 0, of which the part from x = from to x = to is "plate".
mesh::Mesh two_boxes(Vec3<double> size, std::array<int, 3> blocks, double from = -1, double to = 1) {
  mesh::Mesh mesh = mesh::make_box({.lo = {0, -size.y, 0}, .hi = size, .blocks = blocks, .shuffle_seed = 5});
  const auto topology = mesh::build_topology(mesh);
  mesh::Region plate{"plate", {}};
  for (const auto& face : topology.faces) {
    const auto on = [&](Index v) {
      const auto& p = mesh.nodes[std::size_t(v)];
      return std::abs(p.y) < 1e-9 && p.x > from - 1e-9 && p.x < to + 1e-9;
    };
    if (!std::all_of(face.begin(), face.end(), on)) continue;
    plate.entities.push_back(mesh.num_triangles());
    mesh.triangles.insert(mesh.triangles.end(), face.begin(), face.end());
  }
  mesh.surfaces.push_back(plate);
  return mesh;
}

/// The upper box alone, its face y = 0 divided into "plate" and "rest".
mesh::Mesh upper_box(Vec3<double> size, std::array<int, 3> blocks, double from, double to) {
  mesh::Mesh mesh = mesh::make_box({.hi = size, .blocks = blocks, .shuffle_seed = 7});
  mesh::Region plate{"plate", {}}, rest{"rest", {}};
  for (const Index t : surface_triangles(mesh, "y0")) {
    double x = 0;
    for (int i = 0; i < 3; ++i) x += mesh.nodes[std::size_t(mesh.triangle(t)[i])].x / 3;
    (x > from && x < to ? plate : rest).entities.push_back(t);
  }
  mesh.surfaces.push_back(plate);
  mesh.surfaces.push_back(rest);
  return mesh;
}

/// Read as a program reads it.
struct Problem {
  mesh::Mesh mesh;
  mesh::Topology topology;
  Model model;

  Problem(mesh::Mesh whole, const std::string& text) : mesh(std::move(whole)) {
    const auto config = io::Config::parse(text, "two.toml");
    split_surfaces(config, mesh);
    topology = mesh::build_topology(mesh);
    model = read_model(config, mesh, topology);
  }
  std::vector<CavityMode> modes(int count, double target) const {
    const auto space = make_space(mesh, topology, model.order, pec_triangles(model, mesh));
    return cavity_modes(space, model, {.modes = count, .target = target, .direct = {}});
  }
};

/// Two parallel-plate lines of one height between metal (y) and magnetic (x) walls, ports with both modes.
std::string lines(const std::string& plate) {
  return "[space]\norder = 2\n[frequency]\nvalues = [10e9]\n[[material]]\nregion = \"volume\"\n"
         "[[boundary]]\nregion = [\"y0\", \"y1\"]\ntype = \"pec\"\n"
         "[[boundary]]\nregion = [\"x0\", \"x1\"]\ntype = \"pmc\"\n"
         "[[boundary]]\nregion = \"plate\"\n" +
         plate +
         "[[port]]\nregion = \"z0\"\nmodes = 2\nabsorbed_modes = 0\n"
         "[[port]]\nregion = \"z1\"\nmodes = 2\nabsorbed_modes = 0\n";
}

Problem two_lines(const std::string& plate) {
  return {two_boxes({2e-3, height, 4e-3}, {1, 4, 4}), lines(plate)};
}

/// gamma of the quasi-TEM mode between metal and a wall of impedance z: q tan(q h) = jωε0 z, γ² = q² - k0².
Complex line_gamma(double f, Complex z) {
  const double k0 = 2 * pi * f / speed_of_light;
  const Complex right = Complex(0, k0 / vacuum_impedance) * z;
  Complex square = right / height;
  for (int i = 0; i < 50; ++i) {  // fixed point: |q h| is small
    const Complex q = std::sqrt(square);
    square = right * q / std::tan(q * height);
  }
  return std::sqrt(square - k0 * k0);
}

std::vector<Complex> gammas(const DrivenProblem& problem, double f) {
  std::vector<Complex> found;
  const auto states = problem.mode_states(f);
  for (std::size_t i = 0; i < 2; ++i) found.push_back(states[i].gamma);
  std::sort(found.begin(), found.end(), [](Complex a, Complex b) { return a.real() < b.real(); });
  return found;
}

Complex conductor(double f, double sigma) {
  return Complex(1, 1) * std::sqrt(pi * f * vacuum_permeability / sigma);
}

/// S of travelling waves, where all modes have impedances of one phase. S of power waves is j Im Z / Z + Re Z
/// / Z times it: without reflected travelling wave there is a reflected power wave where Z is complex.
Eigen::MatrixXcd travelling_waves(const DrivenSolution& solution) {
  const Complex phase = solution.modes[0].power_phase;
  const auto n = solution.scattering.s.rows();
  return (phase * solution.scattering.s - Complex(0, phase.imag()) * Eigen::MatrixXcd::Identity(n, n)) /
         phase.real();
}

TEST(TwoSided, APlateBetweenTwoLinesLosesOnBothFaces) {
  const double f = 10e9;
  const Problem p = two_lines("type = \"impedance\"\nconductivity = 1e4\n");
  DrivenProblem problem(p.mesh, p.topology, p.model, {});
  const Complex exact = line_gamma(f, conductor(f, 1e4));
  EXPECT_NEAR(exact.real() / 2.637, 1, 0.025);  // Rs/(2 η h), to δ/2h
  for (const Complex gamma : gammas(problem, f)) EXPECT_LT(std::abs(gamma - exact) / exact.real(), 1e-3);
  problem.analyse();
  const auto s = travelling_waves(problem.solve(f));
  // port 1 to port 2 through both lines: S is exp(-γl) times a rotation among two equal modes
  for (Eigen::Index i = 0; i < 2; ++i) {
    EXPECT_NEAR(s.col(i).norm() / std::exp(-exact.real() * 4e-3), 1, 1e-3);
    EXPECT_LT(s.col(i).head(2).norm(), 1e-3);
  }
}

/// Layers of any thickness: modes that are even and odd about the plate see Z11 + Z12 and Z11 - Z12.
TEST(TwoSided, ALayerTiesItsTwoFacesByItsSkinEffect) {
  const double f = 10e9, sigma = 1e4, depth = 1 / std::sqrt(pi * f * vacuum_permeability * sigma);
  const Complex zs = conductor(f, sigma), k = Complex(1, -1) / depth;
  for (const double ratio : {0.3, 1.0, 2.5, 20.0}) {
    const double d = ratio * depth;
    const Problem p =
        two_lines(fmt::format("type = \"sheet\"\nconductivity = 1e4\nthickness = {:.17g}\n", d));
    DrivenProblem problem(p.mesh, p.topology, p.model, {});
    const Complex cot = 1.0 / std::tan(0.5 * k * d), z = zs * Complex(0, -1);
    std::vector<Complex> exact{line_gamma(f, z * cot), line_gamma(f, -z / cot)};
    std::sort(exact.begin(), exact.end(), [](Complex a, Complex b) { return a.real() < b.real(); });
    const auto found = gammas(problem, f);
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_LT(std::abs(found[i] - exact[i]), 2e-3 * std::abs(exact[i])) << ratio << " " << i;
    problem.analyse();
    const auto s = problem.solve(f).scattering.s;
    const auto states = problem.mode_states(f);
    for (Eigen::Index i = 0; i < 2; ++i) {
      EXPECT_LT(std::abs(s(2 + i, i)) - std::exp(-states[std::size_t(i)].gamma.real() * 4e-3), 2e-3);
      EXPECT_NEAR(s.col(i).norm(), std::exp(-states[std::size_t(i)].gamma.real() * 4e-3), 2e-3) << ratio;
    }
  }
}

/// A wave through a layer across its way: Pozar (2012), section 4.4, the ABCD matrix of a line of length d in
/// the layer between two lines of vacuum. Its phase tells which of the two sums of Z11 and Z12 is which.
TEST(TwoSided, ALayerPassesWhatALineOfItsThicknessPasses) {
  const double f = 10e9, sigma = 100, k0 = 2 * pi * f / speed_of_light,
               depth = 1 / std::sqrt(pi * f * vacuum_permeability * sigma);
  for (const double ratio : {0.3, 1.0, 2.5}) {
    const Problem p(
        two_boxes({2e-3, height, 2e-3}, {1, 4, 1}),
        "[space]\norder = 2\n[frequency]\nvalues = [10e9]\n[[material]]\nregion = \"volume\"\n"
        "[[boundary]]\nregion = [\"z0\", \"z1\"]\ntype = \"pec\"\n"
        "[[boundary]]\nregion = [\"x0\", \"x1\"]\ntype = \"pmc\"\n"
        "[[boundary]]\nregion = \"plate\"\n" +
            fmt::format("type = \"sheet\"\nconductivity = 100\nthickness = {:.17g}\n", ratio * depth) +
            "[[port]]\nregion = \"y0\"\n[[port]]\nregion = \"y1\"\n");
    DrivenProblem problem(p.mesh, p.topology, p.model, {});
    problem.analyse();
    const auto s = problem.solve(f).scattering.s;
    const Complex j(0, 1), kd = Complex(1, -1) * ratio, z = conductor(f, sigma) / vacuum_impedance,
                           sum = 2.0 * std::cos(kd) + j * (z + 1.0 / z) * std::sin(kd),
                           way = std::exp(-2.0 * j * k0 * height);
    EXPECT_LT(std::abs(s(1, 0) / (2.0 * way / sum) - 1.0), 1e-3) << ratio;
    EXPECT_LT(std::abs(s(0, 0) - way * j * (z - 1.0 / z) * std::sin(kd) / sum), 1e-3) << ratio;
  }
}

/// A cavity of two storeys with the plate as floor: Q = ωμ0 h / Rs for modes without variation along y.
TEST(TwoSided, ACavityOfTwoStoreysHasTheQOfOne) {
  const double a = 0.03, d = 0.04, h = 0.01, sigma = 1e5;
  const double f = speed_of_light / 2 * std::hypot(1 / a, 1 / d);
  const Problem p(two_boxes({a, h, d}, {4, 2, 5}),
                  "[space]\norder = 2\n[analysis]\ntarget = 5e9\n[[material]]\nregion = \"volume\"\n"
                  "[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n"
                  "[[boundary]]\nregion = \"plate\"\ntype = \"impedance\"\nconductivity = 1e5\n");
  const auto modes = p.modes(2, 0.9 * f);
  ASSERT_EQ(modes.size(), 2U);
  const double rs = std::sqrt(pi * f * vacuum_permeability / sigma);
  for (const auto& mode : modes) EXPECT_NEAR(mode.q / (2 * pi * f * vacuum_permeability * h / rs), 1, 1e-2);
}

/// With a magnetic plate each storey is the model of one storey with a magnetic lid.
TEST(TwoSided, AMagneticPlateMakesTwoCavities) {
  const std::string head =
      "[space]\norder = 2\n[analysis]\ntarget = 5e9\n[[material]]\nregion = \"volume\"\n";
  const Vec3<double> size{0.03, 0.01, 0.04};
  const Problem whole(two_boxes(size, {4, 2, 5}), head +
                                                      "[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n"
                                                      "[[boundary]]\nregion = \"plate\"\ntype = \"pmc\"\n");
  const double lowest = speed_of_light / 2 * std::sqrt(std::pow(1 / 0.03, 2) + std::pow(0.5 / 0.01, 2));
  // TE to x: π/a across, a quarter wave along y; one storey shows whether the walls are magnetic
  const Problem half(mesh::make_box({.hi = size, .blocks = {4, 1, 5}}),
                     head +
                         "[[boundary]]\nregion = [\"x0\", \"x1\", \"y0\", \"z0\", \"z1\"]\ntype = \"pec\"\n"
                         "[[boundary]]\nregion = \"y1\"\ntype = \"pmc\"\n");
  const auto two = whole.modes(4, 0.5 * lowest), one = half.modes(2, 0.5 * lowest);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(two[i].frequency.real() / one[i / 2].frequency.real(), 1, 5e-3) << i;
}

/// A stripline, whose strip has two faces and free rims, against its half with the strip on the outside.
TEST(TwoSided, AStriplineHasTheLossOfItsHalf) {
  const double f = 10e9, from = 1e-3, to = 3e-3;
  const Vec3<double> size{4e-3, 1e-3, 1e-3};
  const std::string
      head = "[space]\norder = 2\n[frequency]\nvalues = [10e9]\n[[material]]\nregion = \"volume\"\n",
      strip = "[[boundary]]\nregion = \"plate\"\ntype = \"impedance\"\nconductivity = 1e6\n",
      ports = "[[port]]\nregion = \"z0\"\n[[port]]\nregion = \"z1\"\n";
  const Problem whole(
      two_boxes(size, {8, 4, 1}, from, to),
      head + strip + ports + "[[boundary]]\nregion = [\"x0\", \"x1\", \"y0\", \"y1\"]\ntype = \"pec\"\n");
  const Problem half(upper_box(size, {8, 2, 1}, from, to),
                     head + strip + ports +
                         "[[boundary]]\nregion = [\"x0\", \"x1\", \"y1\"]\ntype = \"pec\"\n"
                         "[[boundary]]\nregion = \"rest\"\ntype = \"pmc\"\n");
  const auto gamma = [&](const Problem& p) {
    return DrivenProblem(p.mesh, p.topology, p.model, {}).mode_states(f)[0].gamma;
  };
  const Complex one = gamma(half), two = gamma(whole);
  EXPECT_NEAR(two.real() / one.real(), 1, 0.05);  // the meshes are no mirror images
  EXPECT_NEAR(two.imag() / one.imag(), 1, 2e-3);
}

// ---- absorbing boundaries in a medium ----

double reflected(const std::string& medium, int order) {
  const Problem p(mesh::make_box({.hi = {4e-3, 2e-3, 15e-3}, .blocks = {2, 2, 8}, .shuffle_seed = 2}),
                  "[space]\norder = 3\n[[material]]\nregion = \"volume\"\n" + medium +
                      "[[boundary]]\nregion = [\"y0\", \"y1\"]\ntype = \"pec\"\n"
                      "[[boundary]]\nregion = [\"x0\", \"x1\"]\ntype = \"pmc\"\n"
                      "[[boundary]]\nregion = \"z1\"\ntype = \"absorbing\"\norder = " +
                      std::to_string(order) + "\n[[port]]\nregion = \"z0\"\n");
  DrivenProblem problem(p.mesh, p.topology, p.model, {});
  problem.analyse();
  return 20 * std::log10(std::abs(travelling_waves(problem.solve(3e9))(0, 0)));
}

TEST(AbsorbingMedium, NothingReturnsAtNormalIncidence) {
  for (const int order : {1, 2}) {
    EXPECT_LT(reflected("epsilon_r = 4\n", order), -60) << order;
    EXPECT_LT(reflected("epsilon_r = 2\nmu_r = 3\n", order), -60) << order;
    EXPECT_LT(reflected("epsilon_r = [4, -0.5]\n", order), -60) << order;
    EXPECT_LT(reflected("epsilon_r = 4\nconductivity = 0.05\n", order), -60) << order;
  }
}

TEST(AbsorbingMedium, ATensorIsRefused) {
  try {
    reflected("epsilon_r = [2, 3, 4]\n", 1);
    FAIL() << "no error";
  } catch (const InputError& e) {
    const std::string text = e.what();
    for (const char* word : {"z1", "tensor", "[[pml]]"})
      EXPECT_NE(text.find(word), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace curlew::fem
