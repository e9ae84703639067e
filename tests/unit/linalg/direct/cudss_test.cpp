// SPDX-License-Identifier: BSD-3-Clause
// cuDSS where it is present: many columns at once, factors in the memory of the host or on several GPUs.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <future>
#include <limits>

#include "base/error.hpp"
#include "curlew/build.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/refinement.hpp"
#include "needs_gpu.hpp"
#include "test_matrices.hpp"
#include "test_sums.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda.hpp"
#include "linalg/direct/cudss.hpp"
#include "linalg/direct/device_residual.hpp"
#include "linalg/direct/device_sum.hpp"
#endif

namespace curlew::linalg {
namespace {

bool is_present() {
#ifdef CURLEW_HAVE_CUDA
  return has_cudss();
#else
  return false;
#endif
}

#ifdef CURLEW_HAVE_CUDA
/// Solutions of `columns` right-hand sides, from a vector of the GPU to another one.
std::vector<Complex> solve_there(CudssSolver& solver, const std::vector<Complex>& b, Index columns) {
  cuda::Buffer<complex<double>> from(b.size()), to(b.size());
  from.upload(reinterpret_cast<const complex<double>*>(b.data()));
  CURLEW_CUDA_CALL(cudaMemset(to.data(), 0xff, to.bytes()));
  const Offset n = Offset(b.size()) / columns;
  solver.solve_on_device(from.data(), n, to.data(), n, columns, nullptr);
  std::vector<Complex> x(b.size());
  to.download(reinterpret_cast<complex<double>*>(x.data()));
  return x;
}

TEST(Cudss, AnyNumberOfColumnsAtOnce) {
  CURLEW_NEEDS(is_present(), "GPU with cuDSS");
  const auto a = helmholtz_like(20, 2);
  for (const auto symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    const auto solver = make_cudss({.symmetry = symmetry});
    solver->analyse(a);
    solver->factor(a);
    for (const Index columns : {1, 2, 15, 16, 17, 40, 64, 130}) {
      const auto b = random_vector(std::size_t(a.num_rows) * std::size_t(columns));
      const auto x = solve_there(*solver, b, columns);
      EXPECT_LT(relative_residual(a, x.data(), b.data(), columns), 1e-11) << columns;
    }
  }
}

/// While it exists, solvers are made with bitwise reproducible results.
struct Repeating {
  Repeating() { setenv("CURLEW_CUDSS_DETERMINISTIC", "1", 1); }
  ~Repeating() { unsetenv("CURLEW_CUDSS_DETERMINISTIC"); }
  Repeating(const Repeating&) = delete;
  Repeating& operator=(const Repeating&) = delete;
};

/// Solutions of two solvers that were made one after the other.
double difference_of_two_solvers(const Csr<Complex>& a, Symmetry symmetry) {
  constexpr Index columns = 3;
  const auto b = random_vector(std::size_t(a.num_rows) * columns);
  std::vector<Complex> x[2];
  for (auto& solution : x) {
    const auto solver = make_cudss({.symmetry = symmetry});
    solver->analyse(a);
    solver->factor(a);
    solution = solve_there(*solver, b, columns);
  }
  double most = 0;
  for (std::size_t i = 0; i < b.size(); ++i) most = std::max(most, std::abs(x[0][i] - x[1][i]));
  return most;
}

TEST(Cudss, RepeatsBitForBitWhereThatIsAskedFor) {
  CURLEW_NEEDS(is_present(), "GPU with cuDSS");
  const auto a = helmholtz_like(wants_small_cases() ? 8 : 20, 2);
  for (const auto symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    const Repeating repeating;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(difference_of_two_solvers(a, symmetry), 0) << i;
  }
}

/// Points of a cube of n, halved along its longest side again and again; every second point belongs elsewhere
/// if the tree is a bad one.
DissectionTree halved_cube(Index n, Index block, Index leaves, bool is_bad) {
  DissectionTree tree{leaves, {}};
  for (Index i = 0; i < n * n * n; ++i) {
    std::array<Index, 3> low{}, high{n, n, n}, at{i / (n * n), i / n % n, i % n};
    Index node = 1;
    while (node < leaves) {
      std::size_t longest = 0;
      for (std::size_t d = 1; d < 3; ++d)
        if (high[d] - low[d] > high[longest] - low[longest]) longest = d;
      const Index middle = (low[longest] + high[longest]) / 2;
      const bool is_right = at[longest] >= middle;
      (is_right ? low : high)[longest] = middle;
      node = 2 * node + Index(is_right != (is_bad && i % 2 == 0));
    }
    tree.node_of.insert(tree.node_of.end(), std::size_t(block), node);
  }
  return tree;
}

TEST(Cudss, OrdersByADissectionThatItIsGiven) {
  CURLEW_NEEDS(is_present(), "GPU with cuDSS");
  const auto a = helmholtz_like(20, 2);
  for (const auto symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    const auto solver = make_cudss({.symmetry = symmetry});
    solver->analyse(a);
    solver->factor(a);
    const double own = solver->info().factor_entries;
    const auto b = random_vector(std::size_t(a.num_rows));
    for (const bool is_bad : {false, true, false}) {
      solver->suggest(std::async(std::launch::deferred, halved_cube, 20, 2, 64, is_bad));
      solver->analyse(a);
      EXPECT_EQ(solver->info().ordering, "given nested dissection");
      solver->factor(a);
      EXPECT_LT(relative_residual(a, solve_there(*solver, b, 1).data(), b.data(), 1), 1e-11);
      if (!is_bad) {
        EXPECT_LT(solver->info().factor_entries, 2 * own);
      }
    }
    solver->analyse(a);
    EXPECT_EQ(solver->info().ordering, "nested dissection");
    solver->factor(a);
    EXPECT_EQ(solver->info().factor_entries, own);
  }
}

/// B - A X by the values that a solver holds: all of them, or the upper triangle.
TEST(DeviceResidual, EqualsTheProductOfTheHost) {
  CURLEW_NEEDS_GPU();
  const auto a = helmholtz_like(12, 2);
  const auto n = std::size_t(a.num_rows);
  for (const bool is_half : {true, false}) {
    std::vector<int> offsets{0}, columns;
    std::vector<complex<double>> values;
    for (Index i = 0; i < a.num_rows; ++i) {
      for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        if (!is_half || a.columns[k] >= i)
          columns.push_back(a.columns[k]), values.push_back({a.values[k].real(), a.values[k].imag()});
      offsets.push_back(int(columns.size()));
    }
    const cuda::Buffer<int> row_offsets(offsets), held(columns);
    const cuda::Buffer<complex<double>> held_values(values);
    const DeviceResidual residual(a, row_offsets.data(), held.data(), is_half);
    ASSERT_TRUE(residual.is_complete());
    const double norm = SharedMatrix<Complex>(a).norm_max();
    EXPECT_NEAR(residual.norm_max(held_values.data(), nullptr), norm, 1e-13 * norm);
    for (const Index count : {1, 2, 7}) {
      const auto x = random_vector(n * std::size_t(count));
      auto b = random_vector(x.size() + 1);
      b.erase(b.begin());
      cuda::Buffer<complex<double>> device_x(x.size()), device_b(x.size()), device_r(x.size());
      device_x.upload(reinterpret_cast<const complex<double>*>(x.data()));
      device_b.upload(reinterpret_cast<const complex<double>*>(b.data()));
      residual.subtract(held_values.data(), device_b.data(), device_x.data(), device_r.data(), count,
                        nullptr);
      const auto r = device_r.to_host();
      for (std::size_t at = 0; at < r.size(); ++at) {
        const std::size_t column = at / n * n, row = at % n;
        Complex expected = b[at];
        double size = std::abs(b[at]);
        for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
          const Complex term = a.values[std::size_t(k)] * x[column + std::size_t(a.columns[std::size_t(k)])];
          expected -= term, size += std::abs(term);
        }
        ASSERT_LT(std::abs(expected - Complex(r[at].re, r[at].im)), 1e-14 * size) << at << " of " << count;
      }
    }
  }
}

/// A right-hand side of zeros has the solution zero.
TEST(Cudss, RefinesBesideItsFactors) {
  CURLEW_NEEDS(is_present(), "GPU with cuDSS");
  const auto a = helmholtz_like(20, 2);
  const auto n = std::size_t(a.num_rows);
  for (const auto symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    const auto solver = make_cudss({.symmetry = symmetry});
    solver->analyse(a);
    solver->factor(a);
    auto b = random_vector(7 * n);
    std::fill_n(b.begin() + std::ptrdiff_t(3 * n), n, Complex(0));
    std::vector<Complex> x(b.size());
    ASSERT_TRUE(solver->refined_columns(a, b.data(), x.data(), 7));
    EXPECT_LT(solve_refined(*solver, a, b.data(), x.data(), 7).residual, 1e-11);
    for (const std::size_t c : {0, 1, 2, 4, 5, 6})
      EXPECT_LT(relative_residual(a, &x[c * n], &b[c * n], 1), 1e-11) << c;
    for (std::size_t i = 3 * n; i < 4 * n; ++i) ASSERT_EQ(x[i], Complex(0));
  }
}

/// Rows of A moved up by one point: the diagonal is zero.
TEST(Cudss, LargeEntriesAreBroughtToTheDiagonalWhereTheResidualAsksForIt) {
  CURLEW_NEEDS(is_present(), "GPU with cuDSS");
  const auto a = helmholtz_like(16, 1);
  Coo<Complex> moved{a.num_rows, a.num_cols, {}, {}, {}};
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      moved.add((i + 40) % a.num_rows, a.columns[k], a.values[k]);
  const auto m = to_csr(moved);
  const auto solver = make_cudss({.symmetry = Symmetry::unsymmetric});
  const auto b = random_vector(std::size_t(m.num_rows));
  std::vector<Complex> x(b.size());
  solver->analyse(m);
  for (int frequency = 0; frequency < 2; ++frequency) {
    solver->factor(m);
    EXPECT_LT(solve_refined(*solver, m, b.data(), x.data()).residual, 1e-10);
  }
  solver->analyse(a);
  solver->factor(a);
  EXPECT_LT(solve_refined(*solver, a, b.data(), x.data()).residual, 1e-11);
}

/// Whole terms and lists, real and complex.
TEST(DeviceSum, EqualsTheSumOfTheHost) {
  CURLEW_NEEDS_GPU();
  const std::size_t n = 1000;
  const auto re = random_vector(n, 1), im = random_vector(n, 2);
  std::vector<double> a, b, c;
  std::vector<int> places;
  for (std::size_t k = 0; k < n; ++k) a.push_back(re[k].real()), b.push_back(im[k].real());
  for (std::size_t k = 0; k < n; k += 7) places.push_back(int(k)), c.push_back(im[k].imag());
  const std::vector<Complex> factors{{1.5, 0.2}, {-0.3, 2}, {0.1, -4}};
  DeviceSum sum(1);
  using Reals = cuda::Buffer<double>;
  sum.add_term({{}, Reals(a), Reals(b)});
  sum.add_term({cuda::Buffer<int>(places), Reals(c), Reals(c)});
  sum.add_term({{}, Reals(b), {}});
  cuda::Buffer<complex<double>> values(n);
  for (int twice = 0; twice < 2; ++twice) {
    ASSERT_TRUE(sum.add_up(factors, values));
    const auto found = values.to_host();
    for (std::size_t k = 0; k < n; ++k) {
      Complex expected = factors[0] * Complex(a[k], b[k]) + factors[2] * b[k];
      if (k % 7 == 0) expected += factors[1] * Complex(c[k / 7], c[k / 7]);
      ASSERT_LT(std::abs(Complex(found[k]) - expected), 1e-13) << k;
    }
  }
  EXPECT_FALSE(sum.add_up(std::vector<Complex>{1.0, {0, INFINITY}, 1.0}, values));
  EXPECT_TRUE(sum.add_up(factors, values));
}

/// The matrix itself is not made, by the factorisation and by the solution.
TEST(Cudss, AddsTermsBesideItsFactors) {
  CURLEW_NEEDS(is_present(), "GPU with cuDSS");
  const TestSum test(16);
  for (const auto symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    auto a = test.pattern(), other = a;
    MatrixSum sum(a), second(other);
    for (const auto& term : test.terms) sum.add_term(term), second.add_term(term);
    const auto untouched = a.values;
    const auto solver = make_cudss({.symmetry = symmetry});
    solver->analyse(a);
    const auto b = random_vector(3 * std::size_t(a.num_rows));
    std::vector<Complex> x(b.size());
    const auto residual_of = [&](const MatrixSum& of, const std::vector<Complex>& factors) {
      solver->factor_sum(of);
      const SharedMatrix<Complex> shared(of.pattern(), [&] { of.matrix(); });
      solve_refined(*solver, shared, b.data(), x.data(), 3);
      return relative_residual(test.matrix(factors), x.data(), b.data(), 3);
    };
    for (const auto& factors : TestSum::factors) {
      sum.set_factors(factors), second.set_factors(factors);
      EXPECT_LT(residual_of(sum, factors), 1e-11);
    }
    EXPECT_EQ(a.values, untouched);
    EXPECT_LT(residual_of(second, TestSum::factors.back()), 1e-11);
    solver->factor(test.matrix(TestSum::factors[0]));  // between two sums: its values leave no trace
    sum.set_factors(TestSum::factors[1]);
    EXPECT_LT(residual_of(sum, TestSum::factors[1]), 1e-11);

    sum.set_factors({1.0, 1.0, std::numeric_limits<double>::quiet_NaN(), 1.0});
    EXPECT_THROW(solver->factor_sum(sum), NumericalError);
    sum.set_factors(TestSum::factors[2]);
    EXPECT_LT(residual_of(sum, TestSum::factors[2]), 1e-11);
    auto small = helmholtz_like(5);
    MatrixSum of_another_pattern(small);
    EXPECT_THROW(solver->factor_sum(of_another_pattern), InputError);
  }
}

/// Where the terms do not stay on the GPU the sum is made on the host.
TEST(Cudss, FactorsASumInHybridMemory) {
  CURLEW_NEEDS(is_present(), "GPU with cuDSS");
  const TestSum test(12);
  auto a = test.pattern();
  MatrixSum sum(a);
  for (const auto& term : test.terms) sum.add_term(term);
  const auto solver = make_cudss({.hybrid_memory = true});
  solver->analyse(a);
  for (const auto& factors : TestSum::factors) {
    sum.set_factors(factors);
    solver->factor_sum(sum);
    const auto b = random_vector(std::size_t(a.num_rows));
    std::vector<Complex> x(b.size());
    solve_refined(*solver, a, b.data(), x.data());
    EXPECT_LT(relative_residual(test.matrix(factors), x.data(), b.data()), 1e-11);
  }
}

TEST(Cudss, FactorsSharedAmongGpusGiveTheSameSolution) {
  int present = 0;
  if (!is_present() || cudaGetDeviceCount(&present) != cudaSuccess || present < 2)
    GTEST_SKIP() << "fewer than two GPUs or no cuDSS";
  const auto a = helmholtz_like(24, 2);
  const Index columns = 3;
  const auto b = random_vector(std::size_t(a.num_rows) * std::size_t(columns));
  std::vector<Complex> expected;
  for (const bool hybrid : {false, true}) {
    for (const int gpus : {1, 2, 1000}) {  // more than there are: all of them
      const auto solver = make_cudss({.hybrid_memory = hybrid, .gpus = gpus});
      solver->analyse(a);
      solver->factor(a);
      solver->factor(a);  // once more, as at the next frequency
      const auto x = solve_there(*solver, b, columns);
      EXPECT_LT(relative_residual(a, x.data(), b.data(), columns), 1e-11);
      if (expected.empty()) expected = x;
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_LT(std::abs(x[i] - expected[i]), 1e-9);
      EXPECT_EQ(solver->info().library.find("GPUs") != std::string::npos, gpus > 1);
    }
  }
}
#endif

TEST(Cudss, GpusMustBePositive) {
  EXPECT_THROW(make_direct_solver<Complex>({.gpus = 0}), InputError);
}

TEST(Cudss, HybridMemorySolvesWithLessOfTheGpu) {
  CURLEW_NEEDS(is_present(), "GPU with cuDSS");
  const bool small = wants_small_cases();
  const auto a = helmholtz_like(small ? 12 : 36, 2);
  const auto b = random_vector(std::size_t(a.num_rows));
  std::vector<Complex> x(b.size());
  DirectOptions o;
  o.hybrid_memory = small;
  const auto solve = [&] {
    const auto solver = make_direct_solver<Complex>(o, Device::cuda);
    solver->analyse(a);
    solver->factor(a);
    EXPECT_LT(solve_refined(*solver, a, b.data(), x.data()).residual, 1e-11);
    solver->factor(a);  // once more, as at the next frequency
    EXPECT_LT(solve_refined(*solver, a, b.data(), x.data()).residual, 1e-11);
    return solver->info().factor_bytes;
  };
  const std::size_t whole = solve();
  if (small) return;  // its factors are no larger than the least that the library needs
  o.hybrid_memory = true;
  solve();
  o.device_memory = whole / 10 * 8;
  EXPECT_LE(solve(), o.device_memory);
}

TEST(Cudss, TooLittleOfTheGpuIsSaidBeforeFactoring) {
  CURLEW_NEEDS(is_present(), "GPU with cuDSS");
  DirectOptions o;
  o.hybrid_memory = true, o.device_memory = 1000;
  const auto solver = make_direct_solver<Complex>(o, Device::cuda);
  EXPECT_THROW(solver->analyse(helmholtz_like(20, 1)), ResourceError);
}

}  // namespace
}  // namespace curlew::linalg
