// SPDX-License-Identifier: BSD-3-Clause
// Factors in single precision beside a resonance, against the solution by the modes, which are known: with
// their digits gone one by one, plain refinement, iterations over the factors and factors in double precision
// have to give the same.
#include "linalg/krylov/factor_iteration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linalg/krylov/system_solver.hpp"

namespace curlew::linalg {
namespace {

constexpr Index points = 7;  // a side

struct ModeOfBox {
  Index j[3];
  /// Eigenvalue of the seven-point stencil with 6 on the diagonal; 0 outside of the box.
  double eigenvalue() const {
    double sum = 6;
    for (const Index i : j) sum -= 2 * std::cos(std::numbers::pi * i / (points + 1));
    return sum;
  }
  std::vector<double> values() const {
    std::vector<double> v;
    for (Index z = 1; z <= points; ++z)
      for (Index y = 1; y <= points; ++y)
        for (Index x = 1; x <= points; ++x) v.push_back(sine(j[0] * x) * sine(j[1] * y) * sine(j[2] * z));
    return v;
  }

 private:
  static double sine(Index i) { return std::sin(std::numbers::pi * i / (points + 1)); }
};

/// The stencil with all of its points coupled alike, less `shift`.
Csr<Complex> box(double shift) {
  const Index n = points;
  Coo<Complex> coo{n * n * n, n * n * n, {}, {}, {}};
  for (Index p = 0; p < n * n * n; ++p) {
    coo.add(p, p, 6 - shift);
    for (const auto& [step, place] :
         {std::pair{1, p % n}, std::pair{n, p / n % n}, std::pair{n * n, p / n / n}})
      if (place + 1 < n) coo.add(p, p + step, -1), coo.add(p + step, p, -1);
  }
  return to_csr(coo);
}

const ModeOfBox resonant{{1, 2, 3}}, second_mode{{2, 1, 5}}, third_mode{{4, 4, 1}};

struct Outcome {
  double of_resonant, of_others;  ///< relative errors of their amplitudes
  bool in_single_precision;
};

/// @param beside relative distance of the resonance @param drive amplitude of the resonant mode in b
Outcome solve_beside(double beside, double drive) {
  const double shift = resonant.eigenvalue() * (1 - beside);
  const auto a = box(shift);
  const auto v = resonant.values(), w = second_mode.values(), u = third_mode.values();
  std::vector<Complex> b(v.size()), x(v.size());
  const Complex j(0, 1);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = drive * v[i] + w[i] + j * u[i];
  SystemOptions options;
  options.numbers = FactorNumbers::single_precision;
  SystemSolver solver(options, {0, a.num_rows});
  solver.expect_real();
  solver.analyse(a);
  solver.prepare(a);
  EXPECT_TRUE(solver.info().has_single_precision);

  const auto report = solver.solve(b.data(), x.data());
  EXPECT_TRUE(report.residual <= 1e-10 || report.backward_error > 0) << report.residual;

  const auto amplitude = [&](const std::vector<double>& mode) {
    Complex sum = 0;
    double square = 0;
    for (std::size_t i = 0; i < mode.size(); ++i) sum += mode[i] * x[i], square += mode[i] * mode[i];
    return sum / square;
  };
  const auto error = [&](Complex found, Complex right) { return std::abs(found / right - 1.0); };
  // 6 - shift is rounded, which a resonance so near feels
  const double off = (6 - shift) - (6 - resonant.eigenvalue());
  return {error(amplitude(v), drive / off),
          std::max(error(amplitude(w), 1.0 / (second_mode.eigenvalue() - shift)),
                   error(amplitude(u), j / (third_mode.eigenvalue() - shift))),
          solver.info().has_single_precision};
}

TEST(FactorIteration, GivesTheSameBesideAResonanceWhateverItTakes) {
  for (const double drive : {1.0, 1e-6})
    for (int digits = 1; digits <= 8; ++digits) {
      const Outcome found = solve_beside(std::pow(10.0, -digits), drive);
      const double rounding = 1e-14 * std::pow(10.0, digits);  // of the matrix
      EXPECT_LT(found.of_resonant, 1e-8 + rounding + 1e-10 / drive) << digits << " " << drive;
      EXPECT_LT(found.of_others, 1e-8 + (drive == 1 ? rounding * std::pow(10.0, digits) : 0)) << digits;
      if (digits <= 5) {
        EXPECT_TRUE(found.in_single_precision) << digits;
      }
    }
}

/// A substitution that overshoots in three of a thousand directions, where plain corrections grow.
TEST(FactorIteration, ConvergesWhereAFewDirectionsAreWrong) {
  constexpr Index n = 1000, columns = 6;
  const auto entry = [](Index i) { return Complex(1 + i, i % 7); };
  RefinedSystem<Complex> system{n,
                                [&](const Complex* x, Complex* y, Index count) {
                                  for (Index i = 0; i < n * count; ++i) y[i] = entry(i % n) * x[i];
                                },
                                [&](const Complex* r, Complex* z, Index count) {
                                  for (Index i = 0; i < n * count; ++i)
                                    z[i] = (i % n % 400 == 7 ? 2.5 : 1 + 1e-4) * r[i] / entry(i % n);
                                },
                                [] { return 1000.0; }, true};
  const std::vector<Complex> b(n * columns, {1, -1});
  std::vector<Complex> x(b.size());
  const Accelerate<Complex> iterate = iterate_over_factors;
  constexpr auto from = RefinedFrom::substitution;

  EXPECT_FALSE(is_solved(refine(system, b.data(), x.data(), columns, 1e-10, from), 1e-10));
  EXPECT_TRUE(is_solved(refine(system, b.data(), x.data(), columns, 1e-10, from, iterate), 1e-10));

  for (Index i = 0; i < n * columns; ++i)
    EXPECT_LT(std::abs(entry(i % n) * x[std::size_t(i)] - b[std::size_t(i)]), 1e-9) << i;
}

/// The excitation of the resonance is below the tolerance of the residual, but its response is not small.
TEST(FactorIteration, FallsBackWhereTheResidualDoesNotSeeTheResonance) {
  const Outcome found = solve_beside(1e-8, 1e-12);
  EXPECT_FALSE(found.in_single_precision);
  EXPECT_LT(found.of_resonant, 1e-2);
  EXPECT_LT(found.of_others, 1e-10);
}

}  // namespace
}  // namespace curlew::linalg
