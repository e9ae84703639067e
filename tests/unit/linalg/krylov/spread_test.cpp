// SPDX-License-Identifier: BSD-3-Clause
// Rows distributed to processes: products, sweeps and iterations beside those of one whole matrix.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <mutex>
#include <new>
#include <random>

#include "base/error.hpp"
#include "linalg/attempt.hpp"
#include "linalg/direct/graph_ordering.hpp"
#include "linalg/direct/spread_pattern.hpp"
#include "linalg/krylov/loop.hpp"
#include "linalg/krylov/spread_backend.hpp"
#include "linalg/krylov/spread_coarse.hpp"
#include "linalg/krylov/spread_rows.hpp"
#include "linalg/krylov/spread_smoother.hpp"
#include "thread_group.hpp"

namespace curlew::linalg {
namespace {

using Matrix = Eigen::MatrixXcd;
using Vector = Eigen::VectorXcd;
using test::on_processes;

constexpr Index unknowns = 120;
constexpr int processes = 3;

Index owner_of(Index i) {
  return Index((i * 7 / 20) % processes);
}
Index level_of(Index i) {
  return i < 40 || i % 11 == 0 ? 0 : i < 80 ? 1 : 2;
}

Complex random_value(std::mt19937& numbers) {
  std::uniform_real_distribution<double> part(-1, 1);
  const double real = part(numbers);
  return {real, part(numbers)};
}

/// Some neighbours on both sides, and a few far away.
Matrix test_matrix() {
  std::mt19937 numbers(5);
  Matrix a = Matrix::Zero(unknowns, unknowns);
  for (Index i = 0; i < unknowns; ++i)
    for (const Index step : {1, 2, 5, 41}) {
      const Index j = (i + step) % unknowns;
      a(i, j) = random_value(numbers), a(j, i) = random_value(numbers);
    }
  for (Index i = 0; i < unknowns; ++i) a(i, i) = 7.0 + random_value(numbers);
  return a;
}

Vector random_vector(unsigned seed) {
  std::mt19937 numbers(seed);
  Vector x(unknowns);
  for (Complex& v : x) v = random_value(numbers);
  return x;
}

template <class Keep>
Csr<Complex> sparse(const Matrix& a, const Keep& keep) {
  Coo<Complex> entries;
  entries.num_rows = Index(a.rows()), entries.num_cols = Index(a.cols());
  for (Index i = 0; i < entries.num_rows; ++i)
    for (Index j = 0; j < entries.num_cols; ++j)
      if (a(i, j) != 0.0 && keep(i, j)) entries.add(i, j, a(i, j));
  return to_csr(entries);
}
Csr<Complex> rows_of(const Matrix& a, int process) {
  return sparse(a, [&](Index i, Index) { return owner_of(i) == process; });
}

SpreadRows deal_rows(const ProcessGroup& group, const Csr<Complex>& own) {
  std::vector<Index> level;
  for (Index i = 0; i < unknowns; ++i) level.push_back(level_of(i));
  return {group, owners_of(group, own), level};
}

constexpr Index grid = 16;

/// Neighbours on a square grid, the diagonal included.
bool meet_on_grid(Index i, Index j) {
  return std::abs(i % grid - j % grid) + std::abs(i / grid - j / grid) <= 1;
}
/// A quarter of it each; on three processes the last two share the upper half.
int quarter_of(Index i, int count) {
  const int right = i % grid >= grid / 2 ? 1 : 0;
  return i / grid < grid / 2 ? (count == 3 ? 0 : right) : count - 2 + right;
}

/// Entries of the factor of an elimination without pivots, by its definition.
std::size_t fill_of(const std::vector<Index>& positions) {
  const std::size_t n = positions.size();
  std::vector<std::vector<char>> filled(n, std::vector<char>(n, 0));
  for (Index i = 0; i < Index(n); ++i)
    for (Index j = 0; j < Index(n); ++j)
      if (meet_on_grid(i, j))
        filled[std::size_t(positions[std::size_t(i)])][std::size_t(positions[std::size_t(j)])] = 1;
  std::size_t count = 0;
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t i = p; i < n; ++i) {
      if (filled[i][p] == 0) continue;
      ++count;
      for (std::size_t j = p + 1; j < n; ++j)
        if (filled[j][p] != 0) filled[i][j] = filled[j][i] = 1;
    }
  return count;
}

/// Unknowns shared by two processes come after their own, and those shared by the halves of the processes
/// last: at most two rows of the grid. So the fill is about that of a dissection of the whole graph.
TEST(SpreadPattern, DissectionByProcessesFillsLikeThatOfTheWholeGraph) {
  Coo<Complex> both;
  both.num_rows = both.num_cols = grid * grid;
  for (Index i = 0; i < grid * grid; ++i)
    for (Index j = 0; j < grid * grid; ++j)
      if (meet_on_grid(i, j)) both.add(i, j, 1.0);
  const Csr<Complex> all = to_csr(both);
  for (const int count : {3, 4})
    on_processes(count, [&](const ProcessGroup& group) {
      Coo<Complex> entries;
      entries.num_rows = entries.num_cols = grid * grid;
      for (Index i = 0; i < grid * grid; ++i)
        for (Index j = 0; j < grid * grid; ++j) {
          const bool is_given = (i + j) % 4 < 2 ? j <= i : j >= i;  // in one triangle or the other
          if (quarter_of(std::max(i, j), count) == group.rank() && is_given && meet_on_grid(i, j))
            entries.add(i, j, 1.0);
        }
      const Csr<Complex> own = to_csr(entries);

      const std::vector<Index> positions = dissection_by_processes(group, own);

      if (group.rank() > 0) {
        EXPECT_TRUE(positions.empty());
        return;
      }
      std::vector<Index> sorted = positions;
      std::ranges::sort(sorted);
      for (Index i = 0; i < grid * grid; ++i) ASSERT_EQ(sorted[std::size_t(i)], i);
      for (Index i = 0; i < grid * grid; ++i) {
        const bool is_last = positions[std::size_t(i)] >= grid * (grid - 1);
        EXPECT_TRUE(!is_last || i / grid == grid / 2 - 1) << "row " << i / grid << " separates the halves";
      }
      const auto whole = nested_dissection(compress_pattern(all.row_offsets, all.columns));
      // The processes are threads here, whose dissections share one sequence of random numbers.
      EXPECT_LT(double(fill_of(positions)), 1.25 * double(fill_of(whole)));
    });
}

/// Values of this process on some levels, in the order of its vectors.
std::vector<Index> own_of(const SpreadRows& rows, Levels levels) {
  const auto& at = rows.offsets();
  return {rows.own().begin() + at[std::size_t(levels.begin)],
          rows.own().begin() + at[std::size_t(levels.end)]};
}
Vector part(const Vector& x, const std::vector<Index>& some) {
  return x(some);
}

TEST(Spread, OwnersAreThoseOfTheRows) {
  on_processes(processes, [](const ProcessGroup& group) {
    const SpreadRows rows = deal_rows(group, rows_of(test_matrix(), group.rank()));
    for (Index i = 0; i < unknowns; ++i) EXPECT_EQ(rows.owner(i), owner_of(i));
    EXPECT_EQ(rows.levels(), 3);
    for (std::size_t p = 1; p < rows.own().size(); ++p)
      EXPECT_LE(rows.level(rows.own()[p - 1]), rows.level(rows.own()[p]));
  });
}

TEST(Spread, PartsOfARowAreAddedAtTheFirstProcessThatHasSome) {
  const Matrix a = test_matrix();
  on_processes(processes, [&](const ProcessGroup& group) {
    // Row 50 is in three parts, of which two overlap on the diagonal.
    Matrix given = a;
    given.row(50) *= group.rank() == 0 ? 0.0 : 1.0;
    given(50, 50) = 0.5 * double(group.rank()) * a(50, 50);
    if (group.rank() == 2)
      for (Index j = 0; j < unknowns; ++j)
        if (j != 50) given(50, j) = 0;
    const auto has = [&](Index i, Index) { return i == 50 || owner_of(i) == group.rank(); };
    const Csr<Complex> parts = sparse(given, has);

    const auto owner = owners_of(group, parts);
    EXPECT_EQ(owner[50], 1);
    const auto own = give_to_owners(group, parts, owner);
    ASSERT_TRUE(own.has_value());

    Matrix expected = a;
    expected(50, 50) *= 1.5;
    const Csr<Complex> rows =
        sparse(expected, [&](Index i, Index) { return owner[std::size_t(i)] == group.rank(); });
    EXPECT_EQ(own->row_offsets, rows.row_offsets);
    EXPECT_EQ(own->columns, rows.columns);
    for (std::size_t k = 0; k < rows.values.size(); ++k)
      EXPECT_LT(std::abs(own->values[k] - rows.values[k]), 1e-14);
    EXPECT_FALSE(give_to_owners(group, rows, owner).has_value());
  });
}

TEST(Spread, BlocksOfLevelsMultiplyAsThoseOfTheWholeMatrix) {
  const Matrix a = test_matrix();
  const Vector x = random_vector(1);
  on_processes(processes, [&](const ProcessGroup& group) {
    const Csr<Complex> own = rows_of(a, group.rank());
    const SpreadRows rows = deal_rows(group, own);
    const auto matrix = std::make_shared<const SpreadMatrix>(rows, own);
    for (const auto& [of_rows, of_columns] :
         {std::pair<Levels, Levels>{{0, 3}, {0, 3}}, {{0, 1}, {1, 2}}, {{2, 3}, {0, 2}}, {{1, 2}, {1, 2}}}) {
      const SpreadBlock block(rows, matrix, of_rows, of_columns);
      const Vector given = part(x, own_of(rows, of_columns));
      Vector y(block.size());
      block.apply(given.data(), y.data());

      Vector seen = x;
      for (Index i = 0; i < unknowns; ++i)
        if (!of_columns.hold(level_of(i))) seen[i] = 0;
      EXPECT_LT((y - part(a * seen, own_of(rows, of_rows))).norm(), 1e-12 * y.norm());
    }
  });
}

/// Each process sweeps its rows and one layer, with the values beyond as they are, and keeps its own.
TEST(Spread, SweepsReachOneLayerIntoOtherRows) {
  const Matrix a = test_matrix();
  const Vector r = random_vector(2), z = random_vector(3);
  on_processes(processes, [&](const ProcessGroup& group) {
    const Csr<Complex> own = rows_of(a, group.rank());
    const SpreadRows rows = deal_rows(group, own);
    const auto same_level = [&](Index i, Index j) { return level_of(i) > 0 && level_of(i) == level_of(j); };
    const Csr<Complex> layered = with_layer(group, kept_entries(own, same_level), owners_of(group, own));
    for (const int level : {1, 2})
      for (const bool forward : {true, false}) {
        const auto mine = own_of(rows, {level, level + 1});
        Vector improved = part(z, mine);
        SpreadSmoother(rows, layered, level).sweep(forward, part(r, mine).eval().data(), improved.data());

        std::vector<Index> swept, beyond;
        for (Index i = 0; i < unknowns; ++i) {
          if (level_of(i) != level) continue;
          const bool is_near = std::ranges::any_of(mine, [&](Index j) { return a(j, i) != 0.0; });
          (owner_of(i) == group.rank() || is_near ? swept : beyond).push_back(i);
        }
        Vector rest = part(r, swept) - a(swept, beyond) * z(beyond), all = part(z, swept);
        const GaussSeidel<double> sweep(
            colour_rows(sparse(a(swept, swept), [](Index, Index) { return true; })));
        sweep.sweep(forward, reinterpret_cast<const complex<double>*>(rest.data()),
                    reinterpret_cast<complex<double>*>(all.data()));
        for (std::size_t p = 0; p < mine.size(); ++p) {
          const auto place = std::ranges::lower_bound(swept, mine[p]) - swept.begin();
          EXPECT_LT(std::abs(improved[Eigen::Index(p)] - all[place]), 1e-12);
        }
        EXPECT_GT((improved - part(z, mine)).norm(), 0.01);
      }
  });
}

TEST(Spread, GmresFindsTheSolutionOfTheWholeSystemAndItsTerm) {
  const Matrix a = test_matrix();
  const Vector b = random_vector(4);
  Matrix u = Matrix::Zero(unknowns, 2), v = Matrix::Zero(2, unknowns);
  for (Index i = 0; i < 40; i += 3) u(i, i % 2) = Complex(1, 0.1 * i), v(i % 2, i) = Complex(0.3, -1);
  const Vector solution = (a + u * v).partialPivLu().solve(b);
  const auto all = [](Index, Index) { return true; };
  const LowRank term{sparse(u, all), sparse(v, all)};
  std::vector<int> iterations(processes);
  on_processes(processes, [&](const ProcessGroup& group) {
    const Csr<Complex> own = rows_of(a, group.rank());
    const SpreadRows rows = deal_rows(group, own);
    const SpreadBlock block(rows, std::make_shared<const SpreadMatrix>(rows, own), {0, 3}, {0, 3});
    const SpreadTerm own_term(rows, term);
    const SpreadSum sum(block, own_term);
    SpreadBackend backend(group);
    KrylovOptions options;
    options.method = KrylovMethod::gmres, options.tolerance = 1e-12;
    KrylovLoop<SpreadBackend, double> loop(backend, sum, nullptr, options);
    const auto mine = own_of(rows, {0, 3});
    const Vector own_b = part(b, mine);
    Vector x(own_b.size());

    const KrylovReport report = loop.solve(reinterpret_cast<const complex<double>*>(own_b.data()),
                                           reinterpret_cast<complex<double>*>(x.data()));

    EXPECT_TRUE(report.converged());
    iterations[std::size_t(group.rank())] = report.iterations;
    EXPECT_LT((x - part(solution, mine)).norm(), 1e-10 * solution.norm());
  });
  EXPECT_EQ(iterations[0], iterations[1]);
  EXPECT_EQ(iterations[0], iterations[2]);
  EXPECT_GT(iterations[0], 5);
}

/// (A + U V)⁻¹ = (I - W V) A⁻¹ with rows of W and columns of V on several processes.
TEST(Spread, InverseOfATermIsThatOfTheWhole) {
  const Matrix a = test_matrix();
  std::vector<Index> coarse;
  for (Index i = 0; i < unknowns; ++i)
    if (level_of(i) == 0) coarse.push_back(i);
  const Matrix a00 = a(coarse, coarse);
  Matrix u = Matrix::Zero(unknowns, 2), v = Matrix::Zero(2, unknowns);
  for (Index i = 0; i < 40; i += 3) u(i, i % 2) = Complex(1, 0.1 * i), v(i % 2, i) = Complex(0.3, -1);
  const Vector r = random_vector(6);
  const Vector expected =
      (a00 + u(coarse, Eigen::all) * v(Eigen::all, coarse)).partialPivLu().solve(r(coarse));
  const Matrix solved = a00.partialPivLu().solve(u(coarse, Eigen::all));
  const Vector without = a00.partialPivLu().solve(r(coarse));
  const auto all = [](Index, Index) { return true; };
  const LowRank term{sparse(u, all), sparse(v, all)};
  on_processes(processes, [&](const ProcessGroup& group) {
    const SpreadRows rows = deal_rows(group, rows_of(a, group.rank()));
    std::vector<Index> places;
    for (const Index i : own_of(rows, {0, 1}))
      places.push_back(Index(std::ranges::lower_bound(coarse, i) - coarse.begin()));
    const Matrix own_solved = solved(places, Eigen::all);
    Vector z = without(places);

    SpreadTerm(rows, term)
        .inverse({own_solved.data(), own_solved.data() + own_solved.size()})
        .add(z.data(), z.data());

    EXPECT_LT((z - expected(places)).norm(), 1e-12 * expected.norm());
    EXPECT_GT((z - without(places)).norm(), 1e-3 * expected.norm());
  });
}

TEST(Spread, VectorsOfAllAreGatheredAndDealt) {
  on_processes(processes, [](const ProcessGroup& group) {
    const SpreadRows rows = deal_rows(group, rows_of(test_matrix(), group.rank()));
    const Gathering gathering(group, rows.own());
    const Vector x = random_vector(7), own = part(x, rows.own());
    Vector whole = Vector::Zero(group.rank() == 0 ? unknowns : 0), back(own.size());
    gathering.gather(own.data(), whole.data());
    if (group.rank() == 0) {
      EXPECT_EQ(whole, x);
    }
    gathering.scatter(whole.data(), back.data());
    EXPECT_EQ(back, own);
  });
}

TEST(Spread, AnErrorOfOneProcessIsOneOfAll) {
  on_processes(processes, [](const ProcessGroup& group) {
    EXPECT_THROW(on_each(group,
                         [&] {
                           if (group.rank() == 1) throw NumericalError("a singular block");
                         }),
                 NumericalError);
    EXPECT_NO_THROW(on_each(group, [] {}));
    // Of the same kind, so that the exit status of the program is that of its cause.
    const auto without_memory = [&] {
      on_each(group, [&] {
        if (group.rank() == 2) throw std::bad_alloc();
      });
    };
    if (group.rank() == 2) {
      EXPECT_THROW(without_memory(), std::bad_alloc);
    } else {
      EXPECT_THROW(without_memory(), ResourceError);
    }
  });
}

}  // namespace
}  // namespace curlew::linalg
