// SPDX-License-Identifier: BSD-3-Clause
// Buffa-Christiansen functions and the magnetic field equation tested with them, against the series of
// spheres.

#include "ie/surface/dual_testing.hpp"

#include <gtest/gtest.h>

#include <map>

#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

Problem dual_problem(int n, double ka, Equation equation) {
  Problem p = equal_volume_problem(n, ka, equation);
  p.testing = MagneticTesting::dual;
  return p;
}

double field_error(const Problem& p, double ka) {
  const System system(p);
  return compare(system, solve_directly(system, mie_wave()), test::Mie(test::conducting_sphere(1), ka)).field;
}

/// Charges of a function of the mesh on the triangles of the refinement.
std::map<Index, double> charges_of(const DualTesting& dual, const RwgShares& shares, Index function) {
  std::map<Index, double> charge;
  const auto& fine = dual.refined().space();
  for (Index f = 0; f < fine.size(); ++f) {
    for (const RwgShare& share : shares[std::size_t(f)]) {
      if (share.function != function) continue;
      const auto& e = fine.functions()[f];
      charge[e.plus] += share.density * e.length, charge[e.minus] -= share.density * e.length;
    }
  }
  return charge;
}

TEST(DualFunctions, HaveOneChargePerTriangleOfACell) {
  const System system(dual_problem(2, 1, Equation::mfie));
  for (Index m = 0; m < system.space().size(); ++m) {
    std::map<long, int> counts;  // by the charge in units of 1e-9
    double total = 0;
    for (const auto& [t, charge] : charges_of(*system.dual(), system.dual()->dual(), m)) {
      total += charge;
      ++counts[std::lround(charge * 1e9)];
    }
    // The cells of an icosphere have 10 or 12 triangles; the current out of one flows into the other.
    EXPECT_NEAR(total, 0, 1e-13) << m;
    ASSERT_EQ(counts.size(), 2u) << m;
    for (const auto& [charge, count] : counts) EXPECT_TRUE(count == 10 || count == 12) << m << " " << count;
  }
}

TEST(DualFunctions, RefinedRwgFunctionsKeepTheirCharge) {
  const System system(dual_problem(2, 1, Equation::mfie));
  const auto& e = system.space().functions()[7];
  for (const auto& [t, charge] : charges_of(*system.dual(), system.dual()->rwg(), 7)) {
    const Index parent = t / BarycentricMesh::children;
    const double expect = parent == e.plus ? e.length / 6 : (parent == e.minus ? -e.length / 6 : 0);
    EXPECT_NEAR(charge, expect, 1e-14) << t;
  }
}

TEST(DualTesting, MagneticFieldEquationGainsAnOrder) {
  // Half the edge: second order makes a quarter. On the finer mesh the tests with RWG functions are eight
  // times as far away, and another half of the edge does not make up for it.
  const double coarse = field_error(dual_problem(2, 2, Equation::mfie), 2);
  const double fine = field_error(dual_problem(4, 2, Equation::mfie), 2);
  EXPECT_LT(fine, 0.25 * coarse);
  EXPECT_LT(fine, 0.2 * field_error(equal_volume_problem(4, 2, Equation::mfie), 2));
}

TEST(DualTesting, CombinedEquationHasNoResonanceAndTheErrorOfTheElectricOne) {
  const double ka = 2.744;  // the lowest resonance inside
  const double combined = field_error(dual_problem(4, ka, Equation::cfie), ka);
  EXPECT_LT(combined, 1.5 * field_error(equal_volume_problem(4, 2.6, Equation::efie), 2.6));
  EXPECT_LT(combined, 0.4 * field_error(equal_volume_problem(4, ka, Equation::cfie), ka));
}

TEST(DualTesting, ChangesNothingOfTheElectricEquation) {
  Problem p = dual_problem(2, 1, Equation::cfie), q = equal_volume_problem(2, 1, Equation::cfie);
  p.alpha = q.alpha = 1;
  const System with(p), without(q);
  const auto x = solve_directly(with, mie_wave()), y = solve_directly(without, mie_wave());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(std::abs(x[i] - y[i]), 1e-12) << i;
}

}  // namespace
}  // namespace curlew::ie
