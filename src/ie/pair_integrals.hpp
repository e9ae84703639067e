// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two kernels of all surface formulations, for a test and a source triangle and the fields g_i = (r -
// p_i)/(2A) that belong to their corners i, G = exp(-jkR)/(4 pi R):
//   electric  T_ij = jk  int int [g_i . g_j - div g_i div g_j / k^2] G dS' dS        [1]
//   magnetic  K_ij = int int g_i . (grad G x g_j) dS' dS, principal value            [1]
//   rotated   N_ij = int int g_i . (n x (grad G x g_j)) dS' dS, n of the test triangle  [1]
// T and K are symmetric: exchanging the triangles transposes the block.
// Near pairs: the terms 1/R and -k^2 R/2 in closed form over the source, the smooth rest by quadrature; over
// the test triangle Gauss rules, graded towards the edges or corners that the triangles share.

#include <array>
#include <vector>

#include "base/types.hpp"
#include "ie/surface_mesh.hpp"
#include "quadrature/rules.hpp"
#include "quadrature/triangle_potentials.hpp"

namespace curlew::ie {

/// Blocks by corner of the test triangle (row) and of the source triangle (column).
struct PairBlock {
  Complex electric[3][3] = {}, magnetic[3][3] = {}, rotated[3][3] = {};
};

/// What distances count as near, and the degrees of the rules: relative errors of an entry are about 1e-4
/// with these numbers (tests/unit/ie/pair_integrals_test.cpp). Distances between centroids over the longest
/// edge of both.
struct Accuracy {
  double near = 1.5;   ///< nearer, or with a common node: closed forms
  double medium = 4;   ///< nearer: the medium rule on both triangles; farther: the far rule
  int far_degree = 2;  ///< 3 points
  int medium_degree = 5;
  int near_degree = 8;    ///< test triangles without a common node
  int shared_order = 6;   ///< points per direction of the graded rules
  int smooth_degree = 5;  ///< the smooth rest over the source
};

/// A rule in barycentric coordinates of the corners; the weights sum to 1.
struct BarycentricRule {
  std::vector<std::array<double, 3>> points;
  std::vector<double> weights;
};
BarycentricRule barycentric_rule(int degree);

class PairIntegrals {
 public:
  /// @param mesh kept by reference
  /// @param k wavenumber [1/m], Im k <= 0, not zero
  PairIntegrals(const SurfaceMesh& mesh, Complex k, const Accuracy& accuracy = {});

  Complex wavenumber() const { return k_; }
  const Accuracy& accuracy() const { return accuracy_; }
  double longest_edge(Index t) const { return longest_[t]; }
  const BarycentricRule& far_rule() const { return far_; }

  enum class Range { near, medium, far };
  Range range(Index test, Index source) const;

  /// By the method that the range asks for.
  PairBlock exact(Index test, Index source) const;
  /// By plain sums over points of a rule on both triangles; coincident points contribute nothing. This is
  /// what a fast sum over those points holds of the pair: a near correction is exact - points.
  PairBlock points(Index test, Index source, const BarycentricRule& rule) const;

 private:
  struct Moments;
  Moments begin(Index test, Index source) const;
  PairBlock near(Index test, Index source) const;
  void add_near_point(Moments& m, Index source, Vec3<double> r, double weight) const;
  template <class Visit>
  void visit_test_points(Index test, Index source, Visit visit) const;
  PairBlock finish(const Moments& m, Index test, Index source) const;

  const SurfaceMesh& mesh_;
  Complex k_;
  Accuracy accuracy_;
  std::vector<quadrature::TriangleFrame> frames_;
  std::vector<Vec3<double>> centroids_;
  std::vector<double> longest_;
  BarycentricRule far_, medium_, near_, smooth_;
  BarycentricRule toward_corner_, toward_edge_, self_;  ///< graded to corner 0, to the edge 1-2, to all edges
};

}  // namespace curlew::ie
