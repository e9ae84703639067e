// SPDX-License-Identifier: BSD-3-Clause
// Matrices with series in frequency against those that integrate each pair at each frequency.
#include "ie/surface/near_series.hpp"

#include <gtest/gtest.h>

#include "composite_problems.hpp"

namespace curlew::ie {
namespace {

/// Greatest difference of the two matrices, relative to the diagonals of row and column.
double difference(const Problem& highest, double share) {
  const NearSeries series{System(highest)};
  Problem problem = highest;
  problem.frequency *= share;
  const System system(problem);
  for (int r = 0; r < int(system.scene().regions.size()); ++r)
    EXPECT_TRUE(series.covers(r, system.integrals(r).wavenumber()));
  const auto a = fill_dense(system), b = fill_dense(system, &series);
  double error = 0;
  for (Offset j = 0; j < a.cols(); ++j)
    for (Offset i = 0; i < a.rows(); ++i)
      error = std::max(error, std::abs(a(i, j) - b(i, j)) / std::sqrt(std::abs(a(i, i) * a(j, j))));
  return error;
}

TEST(NearSeries, GivesTheMatrixOfEveryFrequencyBelowItsOwn) {
  const auto lossy = sphere_problem(
      3, 2, Equation::efie, Surface{.boundary = Boundary::impedance, .surface_impedance = Complex(30, 50)});
  for (const auto& problem : {sphere_problem(3, 2, Equation::efie), sphere_problem(3, 2, Equation::cfie),
                              lossy, coated_conductor(), plate_between_halves(2, 0.5, 4.0, 2.0)})
    for (const double share : {1.0, 0.8, 0.4}) EXPECT_LT(difference(problem, share), 1e-9) << share;
}

TEST(NearSeries, DoesNotCoverFrequenciesAboveItsOwn) {
  const auto problem = sphere_problem(3, 2, Equation::efie);
  const NearSeries series{System(problem)};
  Problem above = problem;
  above.frequency *= 1.001;

  EXPECT_TRUE(series.covers(0, System(problem).integrals(0).wavenumber()));
  EXPECT_FALSE(series.covers(0, System(above).integrals(0).wavenumber()));
}

TEST(NearSeries, TakesNoMemoryWhereElementsAreTooLongForIt) {
  EXPECT_GT(NearSeries::estimate_bytes(System(sphere_problem(3, 2, Equation::efie))), 0u);
  EXPECT_EQ(NearSeries::estimate_bytes(System(sphere_problem(3, 20, Equation::efie))), 0u);
}

}  // namespace
}  // namespace curlew::ie
