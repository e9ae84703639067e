// SPDX-License-Identifier: BSD-3-Clause
// Subdomains with impedances between them: their matrices against sums over their cells, and the effect of
// impedances and of the coarse space on the iterations.

#include "linalg/krylov/impedance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "helmholtz.hpp"
#include "linalg/krylov/iterative_solver.hpp"

namespace curlew::linalg {
namespace {

/// -div grad u - k^2 u on n x n bilinear squares of the unit square. Faces are its edges: first those along
/// x, then those along y.
class Squares final : public CellMatrices {
 public:
  /// @param admittance of inner faces over the right one, i k
  Squares(Index n, double k, Complex admittance = 1) : n_(n), k_(k), admittance_(admittance) {}
  Index nodes() const { return (n_ + 1) * (n_ + 1); }
  Index num_cells() const override { return n_ * n_; }
  Index num_faces() const override { return 2 * n_ * (n_ + 1); }
  void rows_of(Index cell, std::vector<Index>& rows) const override {
    const Index i = cell % n_, j = cell / n_;
    rows = {node(i, j), node(i + 1, j), node(i, j + 1), node(i + 1, j + 1)};
  }
  DenseTerm matrix_of(Index cell) const override {
    DenseTerm term;
    rows_of(cell, term.rows);
    const double h = 1.0 / n_;
    const auto stiffness = [&](int a, int b) { return (a == b ? 1 : -1) / h; };
    const auto mass = [&](int a, int b) { return h * (a == b ? 2 : 1) / 6; };
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const double mx = mass(a % 2, b % 2), my = mass(a / 2, b / 2);
        term.entries.emplace_back(stiffness(a % 2, b % 2) * my + mx * stiffness(a / 2, b / 2) -
                                  k_ * k_ * mx * my);
      }
    return term;
  }
  std::array<Index, 2> cells_beside(Index face) const override {
    const Index half = n_ * (n_ + 1), along = face % half % n_, across = face % half / n_;
    const auto cell = [&](Index at) { return face < half ? along + n_ * at : at + n_ * along; };
    if (across == 0) return {cell(0), -1};
    if (across == n_) return {cell(n_ - 1), -1};
    return {cell(across - 1), cell(across)};
  }
  DenseTerm impedance_of(Index face, Index) const override { return face_term(face, admittance_); }
  /// @param admittance over i k
  DenseTerm face_term(Index face, Complex admittance) const {
    const Index half = n_ * (n_ + 1), along = face % half % n_, across = face % half / n_;
    DenseTerm term;
    term.rows = face < half ? std::vector<Index>{node(along, across), node(along + 1, across)}
                            : std::vector<Index>{node(across, along), node(across, along + 1)};
    const Complex c = Complex(0, k_) * admittance / (6.0 * n_);
    term.entries = {2.0 * c, c, c, 2.0 * c};
    return term;
  }

 private:
  Index node(Index i, Index j) const { return i + (n_ + 1) * j; }
  Index n_;
  double k_;
  Complex admittance_;
};

void add(const DenseTerm& term, Coo<Complex>& sum) {
  const std::size_t n = term.rows.size();
  for (std::size_t i = 0; i < n * n; ++i) sum.add(term.rows[i / n], term.rows[i % n], term.entries[i]);
}

/// The walls of the square. @param admittance over that of the medium
Coo<Complex> walls(const Squares& squares, double admittance) {
  Coo<Complex> sum;
  sum.num_rows = sum.num_cols = squares.nodes();
  for (Index f = 0; f < squares.num_faces(); ++f)
    if (squares.cells_beside(f)[1] < 0) add(squares.face_term(f, admittance), sum);
  return sum;
}

Csr<Complex> assembled(const Squares& squares, double wall) {
  Coo<Complex> sum = walls(squares, wall);
  for (Index c = 0; c < squares.num_cells(); ++c) add(squares.matrix_of(c), sum);
  return to_csr(sum);
}

TEST(Impedance, SubdomainsAreTheSumOfTheirCellsAndOfImpedancesWhereTheyAreCut) {
  const Squares squares(12, 7);
  const auto a = assembled(squares, 0.3);
  const Csr<Complex> outer = to_csr(walls(squares, 0.3));
  const Subdomains s = divide(a, 4, 1, false, &squares);
  for (Index p = 0; p < 4; ++p) {
    const Index first = s.first[std::size_t(p)], size = s.first[std::size_t(p) + 1] - first;
    const auto place = [&](Index row) {
      const auto begin = s.rows.begin() + first;
      const auto at = std::lower_bound(begin, begin + size, row);
      return at != begin + size && *at == row ? Index(at - begin) : -1;
    };
    Eigen::MatrixXcd expected = Eigen::MatrixXcd::Zero(size, size), found = expected;
    const auto add_dense = [&](const DenseTerm& term) {
      for (std::size_t i = 0; i < term.entries.size(); ++i) {
        const Index row = place(term.rows[i / term.rows.size()]),
                    column = place(term.rows[i % term.rows.size()]);
        if (row >= 0 && column >= 0) expected(row, column) += term.entries[i];
      }
    };
    std::vector<char> is_inside;
    for (Index c = 0; c < squares.num_cells(); ++c) {
      const DenseTerm term = squares.matrix_of(c);
      is_inside.push_back(std::ranges::all_of(term.rows, [&](Index row) { return place(row) >= 0; }));
      if (is_inside.back()) add_dense(term);
    }
    int cut = 0;
    for (Index f = 0; f < squares.num_faces(); ++f) {
      const auto [one, other] = squares.cells_beside(f);
      if (other < 0 || is_inside[std::size_t(one)] == is_inside[std::size_t(other)]) continue;
      DenseTerm term = squares.impedance_of(f, other);
      for (Complex& value : term.entries) value *= impedance_factor;
      add_dense(term), ++cut;
    }
    for (Index i = 0; i < a.num_rows; ++i)
      for (Offset k = outer.row_offsets[i]; k < outer.row_offsets[i + 1]; ++k)
        if (place(i) >= 0 && place(outer.columns[k]) >= 0)
          expected(place(i), place(outer.columns[k])) += outer.values[k];
    for (Index i = 0; i < size; ++i)
      for (Offset k = s.matrix.row_offsets[first + i]; k < s.matrix.row_offsets[first + i + 1]; ++k)
        found(i, s.matrix.columns[k] - first) += s.matrix.values[k];
    EXPECT_GE(cut, 8);
    EXPECT_LT((found - expected).norm(), 1e-13 * expected.norm());
  }
}

int iterations_of(const Csr<Complex>& a, const CellMatrices* cells, int parts, int vectors) {
  IterativeOptions o;
  o.krylov.method = KrylovMethod::gmres, o.krylov.restart = 300;
  o.preconditioner = "subdomains", o.subdomains = parts, o.coarse_vectors = vectors;
  const auto b = testing::right_side<Complex>(a.num_rows, 3);
  std::vector<Complex> x(b.size());
  IterativeSolver solver(o, {0, a.num_rows});
  solver.prepare(a, {}, cells);
  const int iterations = solver.solve(b.data(), x.data()).iterations;
  EXPECT_LE(relative_residual(a, x.data(), b.data()), 1.1e-9);
  return iterations;
}

/// Five wavelengths between walls that absorb, nine subdomains, no coarse space. Impedances transmit a wave;
/// zero values, and a sign that emits waves, reflect it.
TEST(Impedance, LetsWavesPassThatZeroesThrowBack) {
  const double k = 31.4;
  const Squares right(50, k), wrong(50, k, -1);
  const auto a = assembled(right, 1);

  const int impedance = iterations_of(a, &right, 9, 0), zero = iterations_of(a, nullptr, 9, 0),
            feeding = iterations_of(a, &wrong, 9, 0);

  EXPECT_LE(impedance, 50);
  EXPECT_GE(2 * zero, 3 * impedance);
  EXPECT_GE(feeding, 2 * impedance);
}

/// Walls that reflect nearly all: no condition between subdomains helps there, the coarse space does. Ten
/// cells per wavelength.
TEST(Impedance, IterationsHardlyGrowWithTheFrequencyInARoomThatRings) {
  std::array<int, 3> iterations{};
  for (int i = 0; i < 3; ++i) {
    const Squares squares(30 << i, 18.8 * (1 << i));
    iterations[std::size_t(i)] = iterations_of(assembled(squares, 0.1), &squares, 9, 10);
  }
  EXPECT_LE(iterations[0], 20);
  EXPECT_LE(2 * iterations[1], 3 * iterations[0]);
  EXPECT_LE(2 * iterations[2], 3 * iterations[1]);
}

}  // namespace
}  // namespace curlew::linalg
