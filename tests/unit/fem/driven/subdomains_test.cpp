// SPDX-License-Identifier: BSD-3-Clause
// Maxwell problems by subdomains with impedances between them: the cells add up to the assembled matrix, a
// face's impedance is an absorbing boundary, and GMRES finds the direct solution in few iterations.

#include <gtest/gtest.h>

#include <cmath>

#include "fem/assembly.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/nedelec_cells.hpp"
#include "filled_guide.hpp"
#include "linalg/krylov/iterative_solver.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

constexpr const char* box_walls[] = {"x0", "x1", "y0", "y1", "z0", "z1"};

/// A box whose walls absorb, except one of metal, excited through another.
struct OpenBox {
  mesh::Mesh mesh;
  mesh::Topology topology;
  NedelecSpace space;
  CellMaterials materials;
  double k;
  linalg::Csr<Complex> a;
  std::vector<Complex> b;

  OpenBox(int order, int blocks, double wavenumber, CellMaterials media = {{Material{}}, {}})
      : mesh(mesh::make_box(
            {.lo = {0, 0, 0}, .hi = {1, 1, 1}, .blocks = {blocks, blocks, blocks}, .shuffle_seed = 5})),
        topology(mesh::build_topology(mesh)),
        space(make_space(mesh, topology, order, surface_triangles(mesh, "z0"))),
        materials(std::move(media)),
        k(wavenumber) {
    if (materials.materials.size() > 1)
      for (Index c = 0; c < mesh.num_cells(); ++c) materials.cell_material.push_back(c % 2);
    const Assembler assembler(space);
    a = assembler.create_matrix<Complex>();
    assembler.assemble(materials, Complex(1), Complex(-k * k), a.values.data());
    b.assign(std::size_t(a.num_rows), 0);
  }
  void absorb() {
    for (const char* wall : box_walls)
      if (std::string(wall) != "z0")
        add_tangential_mass(space, surface_triangles(mesh, wall), Complex(0, k), a);
    add_surface_load(
        space, surface_triangles(mesh, "x1"),
        [](Vec3<double> r, Vec3<double>) {
          return Vec3<Complex>{0, r.z, Complex(1, r.y)};
        },
        2 * space.order + 2, b.data());
  }
  /// @param cells null: without impedances
  int iterations(const linalg::CellMatrices* cells, int vectors) const {
    linalg::IterativeOptions o;
    o.krylov.method = linalg::KrylovMethod::gmres, o.krylov.tolerance = 1e-8, o.krylov.restart = 200;
    o.preconditioner = "subdomains", o.subdomains = 8, o.coarse_vectors = vectors;
    linalg::IterativeSolver solver(o, {0, a.num_rows});
    solver.prepare(a, {}, cells);
    std::vector<Complex> x(b.size());
    const int count = solver.solve(b.data(), x.data()).iterations;
    EXPECT_LE(linalg::relative_residual(a, x.data(), b.data()), 1.1e-8);
    return count;
  }
};

/// |A - B| / |A| of two matrices of one pattern
double difference(const linalg::Csr<Complex>& a, const linalg::Csr<Complex>& b) {
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    sum += std::norm(a.values[i] - b.values[i]), all += std::norm(a.values[i]);
  return std::sqrt(sum / all);
}

void add(const linalg::DenseTerm& term, linalg::Csr<Complex>& to) {
  const std::size_t n = term.rows.size();
  for (std::size_t i = 0; i < n * n; ++i) {
    const Index row = term.rows[i / n], column = term.rows[i % n];
    if (row < 0 || column < 0) continue;
    const auto begin = to.columns.begin() + to.row_offsets[std::size_t(row)];
    const auto at =
        std::lower_bound(begin, to.columns.begin() + to.row_offsets[std::size_t(row) + 1], column);
    to.values[std::size_t(at - to.columns.begin())] += term.entries[i];
  }
}

CellMaterials two_media() {
  Material dense, tensor;
  dense.epsilon_r = Complex(3, -0.4), dense.mu_r = 1.5;
  tensor.epsilon_r = Mat3<Complex>::diagonal(2.0);
  tensor.epsilon_r.tensor(0, 1) = tensor.epsilon_r.tensor(1, 0) = Complex(0.3, -0.1);
  return {{dense, tensor}, {}};
}

TEST(NedelecCells, AddUpToTheAssembledMatrix) {
  for (const int order : {1, 2, 3}) {
    const OpenBox box(order, 2, 4, two_media());
    const NedelecCells cells(box.space, box.materials, box.k);
    linalg::Csr<Complex> sum = box.a;
    std::ranges::fill(sum.values, 0);
    for (Index c = 0; c < cells.num_cells(); ++c) add(cells.matrix_of(c), sum);
    EXPECT_LT(difference(box.a, sum), 1e-13);
  }
}

TEST(NedelecCells, CloseAFaceAsAnAbsorbingBoundaryDoes) {
  Material medium;
  medium.epsilon_r = Complex(3, -0.4), medium.mu_r = 1.5;
  for (const int order : {1, 2, 3}) {
    OpenBox box(order, 2, 4, {{medium}, {}});
    const NedelecCells cells(box.space, box.materials, box.k);
    linalg::Csr<Complex> sum = box.a, expected = box.a;
    std::ranges::fill(sum.values, 0), std::ranges::fill(expected.values, 0);
    for (Index f = 0; f < cells.num_faces(); ++f)
      if (cells.cells_beside(f)[1] < 0) add(cells.impedance_of(f, cells.cells_beside(f)[0]), sum);
    const Complex index = std::sqrt(Complex(3, -0.4) / 1.5);
    for (const char* wall : box_walls)
      add_tangential_mass(box.space, surface_triangles(box.mesh, wall), Complex(0, box.k) * index, expected);
    EXPECT_LT(difference(expected, sum), 1e-13);
  }
}

/// An impedance that emits waves instead of absorbing them.
class Feeding final : public linalg::CellMatrices {
 public:
  explicit Feeding(const NedelecCells& cells) : cells_(cells) {}
  Index num_cells() const override { return cells_.num_cells(); }
  Index num_faces() const override { return cells_.num_faces(); }
  void rows_of(Index cell, std::vector<Index>& rows) const override { cells_.rows_of(cell, rows); }
  linalg::DenseTerm matrix_of(Index cell) const override { return cells_.matrix_of(cell); }
  std::array<Index, 2> cells_beside(Index face) const override { return cells_.cells_beside(face); }
  linalg::DenseTerm impedance_of(Index face, Index beyond) const override {
    linalg::DenseTerm term = cells_.impedance_of(face, beyond);
    for (Complex& entry : term.entries) entry = -entry;
    return term;
  }

 private:
  const NedelecCells& cells_;
};

TEST(MaxwellSubdomains, ImpedancesLetWavesPassThatZeroesThrowBack) {
  OpenBox box(2, 5, 8);
  box.absorb();
  const NedelecCells cells(box.space, box.materials, box.k);
  const Feeding feeds(cells);
  const int impedance = box.iterations(&cells, 0), zero = box.iterations(nullptr, 0),
            feeding = box.iterations(&feeds, 0);
  EXPECT_GE(2 * zero, 3 * impedance);
  EXPECT_GE(2 * feeding, 3 * impedance);
}

TEST(MaxwellSubdomains, IterationsHardlyGrowWithTheFrequency) {
  for (const int order : {1, 2}) {
    const int blocks = order == 1 ? 5 : 3;
    int last = 0;
    for (const int scale : {1, 2}) {
      OpenBox box(order, blocks * scale, 5.0 * scale);
      box.absorb();
      const NedelecCells cells(box.space, box.materials, box.k);
      const int count = box.iterations(&cells, 20);
      EXPECT_LE(count, 25);
      if (last > 0) {
        EXPECT_LE(2 * count, 3 * last);
      }
      last = count;
    }
  }
}

TEST(MaxwellSubdomains, ADeviceWithPortsHasTheDirectSolversS) {
  const FilledGuide device({8, 4, 8}, is_block);
  for (const int order : {1, 2}) {
    const auto solve = [&](const DrivenOptions& options) {
      DrivenProblem problem(device.mesh, device.topology, guide_model(order, Complex(4, -0.4)), options);
      problem.analyse();
      return problem.solve(10e9);
    };
    DrivenOptions options;
    options.iterative = linalg::IterativeOptions();
    options.iterative->krylov.method = linalg::KrylovMethod::gmres;
    options.iterative->krylov.tolerance = 1e-9;
    options.iterative->preconditioner = "subdomains", options.iterative->subdomains = 6;
    options.iterative->coarse_vectors = 20;

    const DrivenSolution direct = solve({}), found = solve(options);

    EXPECT_LT((found.scattering.s - direct.scattering.s).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_LE(found.solver.history.size(), 20U);
  }
}

}  // namespace
}  // namespace curlew::fem
