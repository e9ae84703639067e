// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/eigen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

double chain_eigenvalue(Index n, Index j) {
  return 4 * std::pow(std::sin(pi * j / (2 * n + 2)), 2);
}

/// Diagonal matrix with the given entries.
template <class T>
Csr<T> diagonal(const std::vector<T>& values) {
  auto d = identity<T>(Index(values.size()));
  d.values = values;
  return d;
}

TEST(Eigenpairs, NearestToATargetInsideTheSpectrum) {
  const Index n = 200;
  const double target = 1.7;
  std::vector<double> expected;
  for (Index j = 1; j <= n; ++j) expected.push_back(chain_eigenvalue(n, j));
  std::ranges::sort(expected, {}, [&](double v) { return std::abs(v - target); });

  const auto result =
      eigenpairs(chain(n), identity<double>(n), {.count = 7, .target = target, .skip_null_space = false});

  ASSERT_EQ(result.values.size(), 7u);
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(result.values[i].real(), expected[i], 1e-12);
    EXPECT_LT(result.residuals[i], 1e-12);
  }
}

TEST(Eigenpairs, VectorsAreScaledByM) {
  const Index n = 60;
  std::vector<double> mass(n);
  for (Index i = 0; i < n; ++i) mass[i] = 1 + 0.01 * i;
  const auto m = diagonal(mass);

  const auto result = eigenpairs(chain(n), m, {.count = 4, .target = 0.1});

  for (int c = 0; c < 4; ++c) {
    for (int d = 0; d <= c; ++d) {
      double product = 0;
      for (Index i = 0; i < n; ++i)
        product += result.vectors[c * n + i] * mass[i] * result.vectors[d * n + i];
      EXPECT_NEAR(product, c == d, 1e-11) << c << ", " << d;
    }
  }
}

/// K = C^T C with C the edge-to-face incidence on a grid of n^3 points: the curl-curl of the lowest-order
/// elements on cubes up to scale; its null space holds the gradients of n^3 - 1 points.
Csr<double> curl_curl(Index n) {
  const auto point = [n](Index x, Index y, Index z) { return (z * n + y) * n + x; };
  const Index step[3] = {1, n, n * n};
  std::vector<Index> edge_of(3 * n * n * n, -1);
  Index edges = 0;
  for (Index p = 0; p < n * n * n; ++p) {
    const Index at[3] = {p % n, p / n % n, p / n / n};
    for (int d = 0; d < 3; ++d) edge_of[3 * p + d] = at[d] + 1 < n ? edges++ : -1;
  }
  Coo<double> curl{0, edges, {}, {}, {}};
  for (Index p = point(0, 0, 0); p < n * n * n; ++p) {
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3;
      if (edge_of[3 * p + d] < 0 || edge_of[3 * p + e] < 0) continue;
      const Index face = curl.num_rows++;
      curl.add(face, edge_of[3 * p + d], 1), curl.add(face, edge_of[3 * (p + step[d]) + e], 1);
      curl.add(face, edge_of[3 * (p + step[e]) + d], -1), curl.add(face, edge_of[3 * p + e], -1);
    }
  }
  const auto c = to_csr(curl);
  Coo<double> product{edges, edges, {}, {}, {}};
  for (Index f = 0; f < c.num_rows; ++f) {
    for (Offset a = c.row_offsets[f]; a < c.row_offsets[f + 1]; ++a) {
      for (Offset b = c.row_offsets[f]; b < c.row_offsets[f + 1]; ++b)
        product.add(c.columns[a], c.columns[b], c.values[a] * c.values[b]);
    }
  }
  return to_csr(product);
}

TEST(Eigenpairs, TheNullSpaceOfCurlCurlNeverEntersAndMultiplicitiesAreComplete) {
  // Free faces: sums of 4 sin^2(pi m / 2n) over the axes, m = 0..n-1, twice where no m is zero, once where
  // one is.
  const Index n = 7;
  const auto k = curl_curl(n);
  std::vector<double> expected;
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      for (int c = 0; c < n; ++c) {
        const int zeros = (a == 0) + (b == 0) + (c == 0);
        if (zeros > 1) continue;
        double value = 0;
        for (const int m : {a, b, c}) value += 4 * std::pow(std::sin(pi * m / (2 * n)), 2);
        expected.insert(expected.end(), zeros == 0 ? 2 : 1, value);
      }
    }
  }
  std::ranges::sort(expected);

  const double target = 0.2 * expected[0];  // nearer to the null space than to any mode
  const auto result = eigenpairs(k, identity<double>(k.num_rows), {.count = 5, .target = target});

  EXPECT_EQ(result.dropped, 0);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(result.values[i].real(), expected[i], 1e-10) << i;
  EXPECT_EQ(count_below(k, identity<double>(k.num_rows), 0.5 * (expected[4] + expected[5])),
            n * n * n - 1 + 5);
}

/// Eigenvalues 1, 2 (twice), 3 (six times), 4, ...: what lies below the target never comes, and sets are
/// whole. As on meshes, those of a set differ a little; Lanczos may miss ones equal to rounding, as a count
/// shows.
TEST(Eigenpairs, AboveATargetComeInWholeSets) {
  std::vector<double> values{1, 2, 2, 3, 3, 3, 3, 3, 3};
  for (int i = 4; i < 60; ++i) values.push_back(i);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += 1e-5 * double(i);
  const auto k = diagonal(values), m = identity<double>(Index(values.size()));
  EigenOptions options{.count = 1, .target = 1.05, .above = true};
  const auto check = [&](const auto& result, const std::vector<double>& expected) {
    ASSERT_EQ(result.values.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_LT(std::abs(result.values[i] - expected[i]), 1e-3) << i;
    EXPECT_EQ(result.missing, 0);
  };
  check(eigenpairs(k, m, options), {2, 2});
  options.count = 3;
  check(eigenpairs(k, m, options), {2, 2, 3, 3, 3, 3, 3, 3});
  options.symmetric = false;  // by Arnoldi
  check(eigenpairs(to_complex(k), to_complex(m), options), {2, 2, 3, 3, 3, 3, 3, 3});
  options.symmetric = true, options.target = 55.5;
  check(eigenpairs(k, m, options), {56, 57, 58});
}

/// M = [1, jκ; -jκ, 1] beside each entry of the chain, as of a gyrotropic medium: λ / (1 -+ κ).
TEST(Eigenpairs, OfHermitianPencils) {
  const Index n = 40;
  const double kappa = 0.4;
  const auto c = chain(n);
  Coo<Complex> k{2 * n, 2 * n, {}, {}, {}}, m = k;
  for (Index i = 0; i < n; ++i) {
    for (Offset a = c.row_offsets[i]; a < c.row_offsets[i + 1]; ++a)
      for (const Index side : {0, n}) k.add(i + side, c.columns[a] + side, c.values[a]);
    m.add(i, i, 1), m.add(i + n, i + n, 1);
    m.add(i, i + n, Complex(0, kappa)), m.add(i + n, i, Complex(0, -kappa));
  }
  std::vector<double> expected;
  for (Index j = 1; j <= n; ++j)
    for (const double factor : {1 + kappa, 1 - kappa}) expected.push_back(chain_eigenvalue(n, j) / factor);
  std::ranges::sort(expected);
  const auto result = eigenpairs(
      to_csr(k), to_csr(m), {.count = 6, .target = 0.5 * expected[0], .above = true, .symmetric = false});
  for (int i = 0; i < 6; ++i) EXPECT_LT(std::abs(result.values[i] - expected[i]), 1e-11) << i;
}

/// Few restarts of a small basis: converged pairs are correct, and the others are counted.
TEST(Eigenpairs, ThoseThatConvergeAreKept) {
  const auto k = chain(2000);
  const auto m = identity<double>(2000);
  EigenOptions options{
      .count = 12, .target = 1.7, .skip_null_space = false, .max_iterations = 3, .subspace = 15};
  EXPECT_THROW(eigenpairs(k, m, options), NumericalError);
  options.partial = true;
  const auto result = eigenpairs(k, m, options);
  EXPECT_GT(result.values.size(), 0u);
  EXPECT_GT(result.missing, 0);
  EXPECT_EQ(int(result.values.size()) + result.missing, 12);
  for (const double residual : result.residuals) EXPECT_LT(residual, 1e-9);
}

TEST(Eigenpairs, DroppedPairsAreCounted) {
  std::vector<double> values(30);
  for (int i = 0; i < 30; ++i) values[i] = i < 3 ? 0.0 : i;

  const auto result = eigenpairs(diagonal(values), identity<double>(30),
                                 {.count = 4, .target = 1.1, .skip_null_space = false, .drop_below = 1e-6});

  EXPECT_EQ(result.dropped + int(result.values.size()), 4);
  EXPECT_GE(result.dropped, 1);
  EXPECT_NEAR(result.values[0].real(), 3, 1e-12);
}

TEST(Eigenpairs, LossMakesThemComplex) {
  // K = chain, M = (1 - 0.1 j) identity: lambda = chain / (1 - 0.1 j).
  const Index n = 80;
  auto m = identity<Complex>(n);
  for (Complex& value : m.values) value = {1, -0.1};

  for (const bool skip : {false, true}) {
    const auto result =
        eigenpairs(to_complex(chain(n)), m, {.count = 3, .target = 1e-4, .skip_null_space = skip});
    for (int i = 0; i < 3; ++i) {
      const Complex expected = chain_eigenvalue(n, i + 1) / Complex(1, -0.1);
      EXPECT_LT(std::abs(result.values[i] - expected), 1e-12) << i;
      EXPECT_LT(result.residuals[i], 1e-9);
    }
  }
}

TEST(Eigenpairs, ComplexTypeWithoutImaginaryPartsGivesTheRealResult) {
  const EigenOptions options{.count = 3, .target = 0.02};

  const auto real = eigenpairs(chain(50), identity<double>(50), options);
  const auto complex = eigenpairs(to_complex(chain(50)), identity<Complex>(50), options);

  EXPECT_EQ(real.values, complex.values);
  for (std::size_t i = 0; i < real.vectors.size(); ++i)
    EXPECT_EQ(Complex(real.vectors[i]), complex.vectors[i]);
}

TEST(EigenpairsErrors, BadOptionsAndMatrices) {
  const auto k = chain(20);
  const auto m = identity<double>(20);
  EXPECT_THROW(eigenpairs(k, identity<double>(19), {.target = 1}), InputError);
  EXPECT_THROW(eigenpairs(k, m, {.count = 0, .target = 1}), InputError);
  EXPECT_THROW(eigenpairs(k, m, {.count = 19, .target = 1}), InputError);
  EXPECT_THROW(eigenpairs(k, m, {.target = 0}), InputError);
  EXPECT_THROW(eigenpairs(k, m, {.target = Complex(1, 1)}), InputError);
  EXPECT_THROW(eigenpairs(k, m, {.target = std::nan("")}), InputError);
  EXPECT_THROW(eigenpairs(Csr<double>{}, Csr<double>{}, {.target = 1}), InputError);
  EXPECT_THROW(eigenpairs(diagonal<double>({1, 2, 3, 4, 5}), identity<double>(5), {.count = 2, .target = 3}),
               NumericalError);  // the target is an eigenvalue
}

}  // namespace
}  // namespace curlew::linalg
