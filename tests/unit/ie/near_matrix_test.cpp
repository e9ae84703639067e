// SPDX-License-Identifier: BSD-3-Clause
// The near part against the dense matrix, and recycled starts.
#include "ie/surface/near_matrix.hpp"
#include "ie/sources/excitation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/threads.hpp"
#include "composite_problems.hpp"
#include "ie/operator/recycled_starts.hpp"

namespace curlew::ie {
namespace {

TEST(NearMatrix, HoldsTheEntriesOfTheDenseMatrixWhereAllItsPairsAreNear) {
  for (const auto& problem :
       {sphere_problem(4, 2, Equation::cfie), coated_conductor(), plate_between_halves(2, 1, 4.0, 2.0)}) {
    const System whole(problem, Accuracy{.medium = 1000});  // every pair is near or medium
    const auto dense = fill_dense(whole);
    const auto near = near_matrix(whole, {}, NearPairs::medium);

    double error = 0, largest = 0;
    std::vector<Complex> row(std::size_t(near.num_cols));
    for (Index i = 0; i < near.num_rows; ++i) {
      std::fill(row.begin(), row.end(), Complex());
      for (Offset e = near.row_offsets[i]; e < near.row_offsets[i + 1]; ++e)
        row[near.columns[e]] = near.values[e];
      for (Index j = 0; j < near.num_cols; ++j) {
        error = std::max(error, std::abs(row[j] - dense(i, j)));
        largest = std::max(largest, std::abs(dense(i, j)));
      }
    }
    // Symmetric systems are filled by halves: a pair is seen from the other side, with another rule of
    // points.
    EXPECT_LT(error, 1e-4 * largest) << near.num_rows;
  }
}

TEST(NearMatrix, NeighboursAreEnoughForTheDiagonal) {
  const System system(sphere_problem(4, 2, Equation::cfie));
  const auto dense = fill_dense(system);
  const auto near = near_matrix(system, {}, NearPairs::sharing_edges);

  for (Index i = 0; i < near.num_rows; ++i) {
    const auto row = near.columns.begin() + near.row_offsets[i];
    const auto at = std::find(row, near.columns.begin() + near.row_offsets[i + 1], i) - near.columns.begin();
    EXPECT_LT(std::abs(near.values[at] - dense(i, i)), 1e-12 * std::abs(dense(i, i))) << i;
  }
}

TEST(NearMatrix, IsTheSameWithAnyNumberOfThreads) {
  const System system(sphere_problem(4, 2, Equation::cfie));
  const int before = num_threads();
  set_num_threads(1);
  const auto one = near_matrix(system, {}, NearPairs::medium, NearPart::corrections);
  set_num_threads(3);
  const auto three = near_matrix(system, {}, NearPairs::medium, NearPart::corrections);
  set_num_threads(before);

  EXPECT_EQ(one.columns, three.columns);
  EXPECT_EQ(one.values, three.values);
}

TEST(NearPairs, AreAllThatAreNotFarBesideTrianglesOfOtherSizes) {
  Problem problem = coated_conductor();
  problem.mesh = sphere_mesh(3, {1.0, 0.2});  // five times as small inside
  const System system(problem);
  for (int r = 0; r < int(system.scene().regions.size()); ++r) {
    const auto& triangles = system.scene().regions[r].triangles;
    const auto list = near_pairs(system, r, NearPairs::medium);
    for (Index t = 0; t < Index(triangles.size()); ++t) {
      std::vector<Index> expect;
      for (Index s = 0; s < Index(triangles.size()); ++s)
        if (system.integrals(r).kind(triangles[t], triangles[s]) != PairKind::far) expect.push_back(s);

      EXPECT_EQ(std::vector<Index>(list.columns.begin() + list.offsets[t],
                                   list.columns.begin() + list.offsets[t + 1]),
                expect);
    }
  }
}

TEST(NearPattern, IsThatOfTheMatrixWithLoadsThatAreNotNear) {
  Problem strip;
  std::vector<Vec3<double>> nodes;
  std::vector<Triangle> triangles;
  for (Index i = 0; i <= 24; ++i) nodes.insert(nodes.end(), {{0.1 * i, 0, 0}, {0.1 * i + 0.03, 0.1, 0}});
  for (Index i = 0; i < 48; ++i) triangles.push_back({i, i + 1, i + 2});
  // Triangles of both kinds alternate: a load couples all edges between them, the first with the last.
  std::vector<int> tag;
  for (int t = 0; t < 48; ++t) tag.push_back(t % 2);
  strip.mesh = make_surface_mesh("strip", nodes, triangles, tag, {"ends", "middle"});
  strip.surfaces.resize(2), strip.frequency = 1e8, strip.equation = Equation::efie;
  const std::vector<Port> ports{{"load", "ends", "middle", 50.0}};
  for (const auto& problem :
       {sphere_problem(4, 2, Equation::cfie), coated_conductor(), strip, cut_coated(2, 1, 0.6, 4.0, 2.0)}) {
    const System system(problem);
    const bool loaded = problem.mesh.name == "strip";
    const auto with = loaded ? port_loads(system, ports) : std::vector<Entry>{};
    for (const auto pairs : {NearPairs::sharing_edges, NearPairs::near, NearPairs::medium}) {
      const auto matrix = near_matrix(system, with, pairs);
      std::vector<NearList> lists;
      for (int r = 0; r < int(system.scene().regions.size()); ++r)
        lists.push_back(near_pairs(system, r, pairs));

      const auto pattern = near_pattern(system, lists, local_entries(system, with));

      EXPECT_EQ(pattern.row_offsets, matrix.row_offsets);
      EXPECT_EQ(pattern.columns, matrix.columns);
    }
  }
}

TEST(RecycledStarts, CombinationOfKnownSolutionsNeedsNoIteration) {
  // A = diag(1, 2, 3, 4): solutions of three right-hand sides, then a combination of them and one beyond.
  const auto times = [](const std::vector<Complex>& x) {
    std::vector<Complex> y(x);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] *= double(i + 1);
    return y;
  };
  RecycledStarts starts(4, 10);
  const std::vector<std::vector<Complex>> solutions{{1, {0, 2}, 0, 0}, {0, 1, {1, 1}, 0}, {3, 0, 1, 0}};
  for (const auto& x : solutions) starts.add(x.data(), times(x).data());
  std::vector<Complex> wanted(4), got(4);
  for (std::size_t i = 0; i < 4; ++i)
    wanted[i] = 2.0 * solutions[0][i] - Complex(0, 1) * solutions[1][i] + 0.5 * solutions[2][i];
  auto b = times(wanted);
  b[3] = 7;  // out of reach: leaves the rest as it is

  starts.guess(b.data(), got.data());

  EXPECT_EQ(starts.size(), 3u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(std::abs(got[i] - wanted[i]), 1e-12) << i;
  starts.add(wanted.data(), times(wanted).data());
  EXPECT_EQ(starts.size(), 3u) << "nothing new";
}

}  // namespace
}  // namespace curlew::ie
