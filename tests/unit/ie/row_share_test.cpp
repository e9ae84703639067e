// SPDX-License-Identifier: BSD-3-Clause
// Operators whose rows are divided among several devices, here one after the other on the CPU.

#include <gtest/gtest.h>

#include <numeric>

#include "composite_problems.hpp"
#include "ie/operator/corrected_operator.hpp"
#include "ie/surface/surface_equation.hpp"

namespace curlew::ie {
namespace {

TEST(RowShare, PiecesAreDisjointCompactAndOfEqualSize) {
  std::vector<Vec3<double>> at;
  for (int i = 0; i < 1001; ++i) at.push_back({0.01 * i, std::sin(7.0 * i), std::cos(3.0 * i)});
  for (const int count : {2, 3, 5, 8}) {
    std::vector<int> owners(at.size(), 0);
    for (int index = 0; index < count; ++index) {
      const auto rows = ngim::points_of_share(at, {index, count});
      const auto size = std::accumulate(rows.begin(), rows.end(), 0);
      EXPECT_NEAR(size, 1001.0 / count, 2) << index << " of " << count;
      for (std::size_t i = 0; i < rows.size(); ++i) owners[i] += rows[i];
    }
    EXPECT_EQ(owners, std::vector<int>(at.size(), 1));
  }
  const auto lower = ngim::points_of_share(at, {0, 2});  // the first axis is the widest
  for (int i = 0; i < 1001; ++i) EXPECT_EQ(int(lower[i]), i < 500 ? 1 : 0);
}

TEST(RowShare, ProductsOfTheSharesAddUpToTheWhole) {
  for (const auto& problem :
       {sphere_problem(4, 2, Equation::cfie), coated_conductor(), cut_coated(2, 1, 0.6, 4.0, 2.0)}) {
    const System system(problem);
    const SurfaceEquation equation(system);
    constexpr double tolerance = 1e-5;
    Stages stages;
    std::vector<Complex> x, whole(std::size_t(system.num_unknowns())), sum(whole.size()), part(whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i)
      x.emplace_back(std::sin(3.7 * double(i)), std::cos(1.3 * double(i)));
    const CorrectedOperator undivided(equation.fill({}, stages), tolerance);
    undivided.apply(x.data(), whole.data());

    Offset near = 0;
    std::vector<int> owners(whole.size(), 0);
    for (int index = 0; index < 3; ++index) {
      const CorrectedOperator share(equation.fill({index, 3}, stages), tolerance);
      share.apply(x.data(), part.data());
      near += share.fill().num_near();
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += part[i], owners[i] += part[i] == Complex() ? 0 : 1;
    }

    EXPECT_EQ(owners, std::vector<int>(whole.size(), 1)) << "rows of other shares must be zero";
    EXPECT_EQ(near, undivided.fill().num_near());
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < sum.size(); ++i)
      difference += std::norm(sum[i] - whole[i]), size += std::norm(whole[i]);
    // Trees of one set and of two divide the boxes differently: each sum errs by its tolerance.
    EXPECT_LT(std::sqrt(difference / size), tolerance) << system.num_unknowns();
  }
}

}  // namespace
}  // namespace curlew::ie
