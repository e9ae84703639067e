// SPDX-License-Identifier: BSD-3-Clause
// The split system from frequency to frequency, against the dense system in the basis of the space at a
// frequency where that one has digits left: which parts are reused and which are recomputed.
#include "fem/driven/split_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <random>

#include "../test_meshes.hpp"
#include "curlew/build.hpp"
#include "fem/assembly.hpp"
#include "fem/cell_dissection.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/driven/fast_sweep.hpp"
#include "io/config.hpp"
#include "linalg/csr_rows.hpp"
#include "mesh/box.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/direct/cudss.hpp"
#endif
#include "needs_gpu.hpp"

namespace curlew::fem {
namespace {

Eigen::MatrixXcd dense_of(const linalg::Csr<Complex>& a) {
  Eigen::MatrixXcd d = Eigen::MatrixXcd::Zero(a.num_rows, a.num_cols);
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      d(i, a.columns[std::size_t(k)]) = a.values[std::size_t(k)];
  return d;
}

/// A skewed box with losses between two conductors, and two columns on unknowns of a corner of it each.
struct SplitBox {
  mesh::Mesh mesh;
  mesh::Topology topology;
  NedelecSpace space;
  std::vector<SplitLoad> loads;
  double tolerance = 1e-10;

  explicit SplitBox(int order, std::array<int, 3> blocks = {2, 2, 2}) : mesh(test::skewed_box(blocks)) {
    topology = mesh::build_topology(mesh);
    auto metal = surface_triangles(mesh, "z0");
    const auto more = surface_triangles(mesh, "z1");
    metal.insert(metal.end(), more.begin(), more.end());
    space = make_space(mesh, topology, order, metal);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> value(-1, 1);
    const auto n = std::size_t(space.num_dofs());
    for (std::size_t l = 0; l < 2; ++l) {
      SplitLoad load{std::vector<Complex>(n)};
      for (std::size_t i = 0; i < n / 5; ++i) load.f[(l * n / 2) + i] = value(random);
      load.is_held = true;
      loads.push_back(load);
    }
  }
  /// K and R at a wavenumber [1/m].
  std::pair<linalg::Csr<Complex>, linalg::Csr<Complex>> matrices(double k0) const {
    const Assembler assembler(space);
    const CellMaterials materials{{{Complex(2, -0.3)}}, {}};
    auto curl = assembler.create_matrix<Complex>(), rest = curl;
    assembler.assemble<Complex>(materials, 1.0, 0.0, curl.values.data());
    assembler.assemble<Complex>(materials, 0.0, -k0 * k0, rest.values.data());
    return {curl, rest};
  }
  /// Solves at a wavenumber and compares: x, and g = Fᵀx.
  void expect_right(SplitSystem& system, double k0) const {
    const auto [curl, rest] = matrices(k0);
    const auto n = Eigen::Index(space.num_dofs()), count = Eigen::Index(loads.size());
    Eigen::MatrixXcd f(n, count), a = dense_of(curl) + dense_of(rest);
    for (Eigen::Index j = 0; j < count; ++j) {
      const SplitLoad& load = loads[std::size_t(j)];
      f.col(j) = Eigen::Map<const Eigen::VectorXcd>(load.f.data(), n);
      if (load.is_held) a += load.admittance * f.col(j) * f.col(j).transpose();
    }
    const Eigen::MatrixXcd x = a.partialPivLu().solve(f), g = f.transpose() * x;
    Stages stages;
    const SplitSolution found = system.solve(curl, rest, loads, 1e6 * k0, stages);
    EXPECT_LT((found.x - x).norm(), tolerance * x.norm()) << k0;
    EXPECT_LT((found.g - g).norm(), tolerance * g.norm()) << k0;
  }
  SplitSystem system(const linalg::SystemOptions& options = {}) const {
    return {split_gradients(space), options};
  }
  SplitSystem dissected(const linalg::SystemOptions& options) const {
    std::promise<linalg::DissectionTree> tree;
    tree.set_value(dissect_cells(space));
    return {split_gradients(space), options, tree.get_future().share()};
  }
};

TEST(SplitSystem, IsAnalysedOnceForAllFrequenciesAlsoWhereAnAdmittanceVanishes) {
  for (const int order : {1, 2, 3}) {
    SplitBox f(order);
    SplitSystem system = f.system();
    EXPECT_EQ(system.analyses(), 0);
    for (const double k0 : {0.5, 0.8, 1.3}) {
      f.loads[0].admittance = k0 == 0.8 ? 0.0 : Complex(0.2, 3 * k0);
      f.loads[1].admittance = Complex(0.1, k0);
      f.expect_right(system, k0);
    }
    f.loads[0].admittance = f.loads[1].admittance = 0;
    f.expect_right(system, 0.5);
    EXPECT_EQ(system.analyses(), 1) << order;
  }
}

TEST(SplitSystem, IsAnalysedAnewWhereItsPatternHasChanged) {
  SplitBox f(2);
  f.loads[0].admittance = f.loads[1].admittance = Complex(0, 0.5);
  SplitSystem system = f.system();
  f.expect_right(system, 0.5);
  f.loads[1].is_held = false;  // an unknown less
  f.expect_right(system, 0.5);
  EXPECT_EQ(system.analyses(), 2);
  f.loads[0].f[f.loads[0].f.size() - 1] = 2;  // as many unknowns, more entries
  f.expect_right(system, 0.8);
  EXPECT_EQ(system.analyses(), 3);
  f.expect_right(system, 1.3);
  EXPECT_EQ(system.analyses(), 3);
  system.forget();
  f.expect_right(system, 0.5);
  EXPECT_EQ(system.analyses(), 4);
}

/// A line between parallel plates.
mesh::Mesh line_mesh() {
  return mesh::make_box(
      {.lo = {0, 0, -8e-3}, .hi = {10e-3, 4e-3, 8e-3}, .blocks = {2, 2, 4}, .shuffle_seed = 5});
}

/// 0 Hz, low frequencies, one that is not split, and back: each as a problem of one frequency.
TEST(SplitSystem, GivesTheSameOnAnyWayThroughFrequencies) {
  const mesh::Mesh mesh = line_mesh();
  const auto topology = mesh::build_topology(mesh);
  const auto config = io::Config::parse(
      "[space]\norder = 2\n[frequency]\nvalues = [1e9]\n[[material]]\nregion = \"volume\"\nepsilon_r = 3\n"
      "conductivity = 1e-3\n[[boundary]]\nregion = [\"y0\", \"y1\"]\ntype = \"pec\"\n[[boundary]]\n"
      "region = [\"x0\", \"x1\"]\ntype = \"pmc\"\n[[port]]\nregion = \"z0\"\n[[port]]\nregion = \"z1\"\n",
      "split.toml");
  const Model model = read_model(config, mesh, topology);
  const double still = static_frequency(mesh, model);
  const auto made = [&] {
    auto problem = std::make_unique<DrivenProblem>(mesh, topology, model, DrivenOptions());
    problem->analyse();
    return problem;
  };
  const auto one = made();
  ASSERT_TRUE(one->is_split_at(2e5));
  ASSERT_FALSE(one->is_split_at(5e9));
  for (const double f : {still, 1e3, 2e5, 5e9, 2e5, still}) {
    const auto found = one->solve(f).scattering.s, alone = made()->solve(f).scattering.s;
    EXPECT_LT((found - alone).norm(), 1e-10) << f;
    EXPECT_GT(std::abs(found(1, 0)), 0.5) << f;
  }
}

/// A line without loss, whose S varies slowly where gradients are separated: a few full solutions give all of
/// it, each as a problem of one frequency has it.
TEST(SplitSystem, SweepsLowFrequenciesAdaptively) {
  const mesh::Mesh mesh = line_mesh();
  const auto topology = mesh::build_topology(mesh);
  const std::string port = "type = \"lumped\"\nresistance = 50\ndirection = \"y\"\n";
  const auto config = io::Config::parse(
      "[space]\norder = 2\n[frequency]\nvalues = [1e9]\n[[material]]\nregion = \"volume\"\nepsilon_r = 3\n"
      "[[boundary]]\nregion = [\"y0\", \"y1\"]\ntype = \"pec\"\n"
      "[[boundary]]\nregion = [\"x0\", \"x1\"]\ntype = \"pmc\"\n"
      "[[port]]\nregion = \"z0\"\n" +
          port + "[[port]]\nregion = \"z1\"\n" + port,
      "split_sweep.toml");
  DrivenProblem problem(mesh, topology, read_model(config, mesh, topology), DrivenOptions());
  problem.analyse();
  std::vector<double> frequencies;
  for (int i = 0; i < 20; ++i) frequencies.push_back(1e3 + 1e4 * i);
  frequencies.push_back(5e9), frequencies.push_back(6e9);
  ASSERT_TRUE(problem.is_split_at(frequencies[19]));
  FastSweepOptions options;
  options.tolerance = 1e-4;
  const FastSweepResult swept = sweep_band(problem, frequencies, options);
  EXPECT_TRUE(swept.converged);
  EXPECT_LT(swept.solved.size(), 10U);
  ASSERT_EQ(swept.solutions.size(), frequencies.size());
  const auto change = swept.solutions[19].scattering.s - swept.solutions[0].scattering.s;
  EXPECT_GT(change.norm(), 1e-5);  // of the low ones: a constant would not do
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    EXPECT_EQ(swept.solutions[i].frequency, frequencies[i]);
    const auto alone = problem.solve(frequencies[i]).scattering.s;
    EXPECT_LT((swept.solutions[i].scattering.s - alone).norm(), 1e-6) << frequencies[i];
  }
}

/// No entry of the matrix joins two branches, so that the library's order moves no unknown.
TEST(SplitSystem, HasTheDissectionOfItsCells) {
  for (const int order : {1, 2, 3}) {
    const SplitBox f(order, {4, 3, 3});
    const GradientSplit split = split_gradients(f.space);
    const auto [curl, rest] = f.matrices(1);
    const auto n = f.space.num_dofs();
    Eigen::MatrixXcd held = Eigen::MatrixXcd::Zero(n, 1);
    const Index few[] = {3, 4, 40};
    for (const Index i : few) held(i, 0) = 1;
    const linalg::DissectionTree tree =
        split_dissection(dissect_cells(f.space), linalg::transpose(split.basis), held);
    ASSERT_EQ(tree.node_of.size(), std::size_t(n) + 1);
    linalg::DissectionTree of_dofs{tree.num_leaves, {tree.node_of.begin(), tree.node_of.end() - 1}};
    const auto before = of_dofs.node_of;
    linalg::fit_to_pattern(of_dofs, linalg::congruent(split.basis, rest));
    EXPECT_EQ(of_dofs.node_of, before) << order;
    for (const Index i : few)
      EXPECT_EQ(linalg::common_ancestor(tree.node_of.back(), tree.node_of[std::size_t(i)]),
                tree.node_of.back());
    // not all are at the root: most unknowns are below the two upper levels
    const auto low = std::count_if(before.begin(), before.end(), [](Index node) { return node >= 8; });
    EXPECT_GT(double(low), 0.4 * double(n)) << order;
  }
}

TEST(SplitSystem, IsOrderedByTheCellsOnAGpu) {
#ifdef CURLEW_HAVE_CUDA
  CURLEW_NEEDS(linalg::has_cudss(), "GPU with cuDSS");
#else
  CURLEW_NEEDS(false, "GPU with cuDSS");
#endif
  linalg::SystemOptions options;
  options.device = curlew::Device::cuda;
  SplitBox f(3, {4, 3, 3});
  SplitSystem system = f.dissected(options);
  for (const double k0 : {0.5, 0.8, 1.3}) {
    f.loads[0].admittance = k0 == 0.8 ? 0.0 : Complex(0.2, 3 * k0);
    f.loads[1].admittance = Complex(0.1, k0);
    f.expect_right(system, k0);
  }
  EXPECT_EQ(system.analyses(), 1);
  EXPECT_EQ(system.info().ordering, "given nested dissection");
}

}  // namespace
}  // namespace curlew::fem
