// SPDX-License-Identifier: BSD-3-Clause
// GMRES on two processes with the parallel MUMPS. The program starts itself under mpirun; each process runs
// all tests.
#include "linalg/krylov/spread_solver.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "linalg/mpi/mpi_group.hpp"

namespace curlew::linalg {
namespace {

constexpr Index side = 28;                   // of the grid; MUMPS does not compress the fronts of one of 20
constexpr Index nodes = side * side * side;  // unknowns of the coarse level; as many stand above it

/// -Laplace u + (2 + j) u by seven points, whose distant unknowns are weakly coupled. Each node has another
/// unknown that is weakly coupled to its neighbours, which suits a smoother.
Csr<Complex> two_levels() {
  Coo<Complex> entries;
  entries.num_rows = entries.num_cols = 2 * nodes;
  const auto couple = [&](Index i, Index j) {
    entries.add(i, j, -1.0), entries.add(j, i, -1.0);
    entries.add(nodes + i, j, 0.1), entries.add(j, nodes + i, 0.1);
  };
  for (Index x = 0; x < side; ++x)
    for (Index y = 0; y < side; ++y)
      for (Index z = 0; z < side; ++z) {
        const Index i = (x * side + y) * side + z;
        entries.add(i, i, Complex(8.0, 1.0));
        entries.add(nodes + i, nodes + i, 2.0);
        if (x + 1 < side) couple(i, i + side * side);
        if (y + 1 < side) couple(i, i + side);
        if (z + 1 < side) couple(i, i + 1);
      }
  return to_csr(entries);
}

/// Owners of unknowns by slabs of the grid, one for each process.
Csr<Complex> own_rows(const Csr<Complex>& a, const ProcessGroup& group) {
  Csr<Complex> own{a.num_rows, a.num_cols, {0}, {}, {}};
  for (Index i = 0; i < a.num_rows; ++i) {
    if (int(Offset(i % nodes) * group.size() / nodes) == group.rank())
      for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k) {
        own.columns.push_back(a.columns[std::size_t(k)]);
        own.values.push_back(a.values[std::size_t(k)]);
      }
    own.row_offsets.push_back(Offset(own.columns.size()));
  }
  return own;
}

std::vector<Complex> random_vector(Index n) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> part(-1, 1);
  std::vector<Complex> x(static_cast<std::size_t>(n));
  for (Complex& v : x) v = Complex(part(random), part(random));
  return x;
}

double norm(const std::vector<Complex>& x) {
  double sum = 0;
  for (const Complex& v : x) sum += std::norm(v);
  return std::sqrt(sum);
}

class SpreadSolverOnProcesses : public testing::Test {
 protected:
  SpreadSolverOnProcesses() { options_.direct.processes = &processes_; }
  /// Process 0 leads, the others join: the steps that they would wait for come from here, as `announce` of
  /// this group does nothing.
  void prepare(SpreadSolver& solver, Csr<Complex>& own) const {
    if (leads())
      solver.prepare(own, {});
    else
      solver.join(PrepareSpread{}, own);
  }
  IterativeReport solve(SpreadSolver& solver, Csr<Complex>& own, const std::vector<Complex>& b,
                        std::vector<Complex>& x) const {
    if (leads()) return solver.solve(b.data(), x.data(), 1, {});
    solver.join(SolveSpread{1}, own);
    return {};
  }
  bool leads() const { return processes_.rank() == 0; }

  MpiGroup processes_;
  IterativeOptions options_;
};

TEST_F(SpreadSolverOnProcesses, FactorsOfTheCoarseLevelHaveBlocksOfLowRank) {
  const Csr<Complex> a = two_levels();
  Csr<Complex> own = own_rows(a, processes_);
  options_.krylov.method = KrylovMethod::gmres, options_.krylov.tolerance = 1e-9,
  options_.krylov.max_iterations = 20;
  SpreadSolver solver(options_, {0, nodes, 2 * nodes});
  prepare(solver, own);
  const std::vector<Complex> b = random_vector(2 * nodes);
  std::vector<Complex> x(b.size());
  const IterativeReport report = solve(solver, own, b, x);

  const IterativeInfo& info = solver.info();
  EXPECT_EQ(info.coarse_unknowns, nodes);
  EXPECT_NE(info.coarse_library.find("on 2 processes"), std::string::npos) << info.coarse_library;
  EXPECT_NE(info.coarse_library.find("single precision"), std::string::npos) << info.coarse_library;
  std::vector<Complex> product(b.size());
  if (!leads()) return;  // counts of all processes and solutions are there
  // Dissection of n^3 nodes takes of the order of n^6 complex operations, the last plane n^6 / 3 by itself
  // (A. George, SIAM J. Numer. Anal. 10 (1973) 345, in three dimensions).
  const double cube = std::pow(double(side), 6);
  EXPECT_GT(info.uncompressed_coarse_flops, 4 * cube / 3);
  EXPECT_LT(info.uncompressed_coarse_flops, 400 * cube);
  EXPECT_LT(info.coarse_flops, 0.9 * info.uncompressed_coarse_flops);
  EXPECT_GT(info.coarse_flops, 0.01 * info.uncompressed_coarse_flops);
  multiply(a, x.data(), product.data());
  for (std::size_t i = 0; i < b.size(); ++i) product[i] -= b[i];
  EXPECT_LT(norm(product), 2e-9 * norm(b));
  EXPECT_EQ(report.columns.size(), 1);
}

}  // namespace
}  // namespace curlew::linalg

int main(int argc, char** argv) {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) {
    for (const char* variable :
         {"OMP_NUM_THREADS", "OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
          "OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle"})
      setenv(variable, "1", 1);
    setenv("GTEST_COLOR", "no", 0);  // mpirun's pipe looks like a terminal
    std::vector<const char*> words{"mpirun", "-quiet", "--bind-to", "none", "-n", "2"};
    words.insert(words.end(), argv, argv + argc);
    words.push_back(nullptr);
    execvp("mpirun", const_cast<char**>(words.data()));
    std::perror("mpirun");
    return 1;
  }
  testing::InitGoogleTest(&argc, argv);
  int provided = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) delete listeners.Release(listeners.default_result_printer());  // failures are in the status
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
