// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two kernels of all surface formulations, for a test and a source triangle and the fields g_i = (r -
// p_i)/(2A) that belong to their corners i, G = exp(-jkR)/(4 pi R):
//   electric  T_ij = jk  int int [g_i . g_j - div g_i div g_j / k^2] G dS' dS        [1]
//   magnetic  K_ij = int int g_i . (grad G x g_j) dS' dS, principal value            [1]
//   rotated   N_ij = int int g_i . (n x (grad G x g_j)) dS' dS, n of the test triangle  [1]
// T and K are symmetric: exchanging the triangles transposes the block.
// Near pairs: the terms 1/R and -k^2 R/2 in closed form over the source, the smooth remainder by quadrature;
// over the test triangle Gauss rules, graded towards shared edges or corners.

#include <array>
#include <memory>
#include <vector>

#include "ie/surface/pair_view.hpp"
#include "ie/surface/surface_mesh.hpp"

namespace curlew::ie {

using PairBlock = PairBlockOf<Complex>;

/// Limits of near distances, and the degrees of the rules: relative errors of an entry are about 1e-4 with
/// these numbers (tests/unit/ie/pair_integrals_test.cpp). Distances between centroids over the longest edge
/// of both.
struct Accuracy {
  double near = 1.5;   ///< nearer, or with a common node: closed forms
  double medium = 4;   ///< nearer: the medium rule on both triangles; farther: the far rule
  int far_degree = 2;  ///< 3 points
  int medium_degree = 5;
  int near_degree = 8;    ///< test triangles without a common node
  int shared_order = 6;   ///< points per direction of the graded rules
  int smooth_degree = 5;  ///< the smooth remainder over the source
  bool operator==(const Accuracy&) const = default;
};
/// Rules for products accurate to 1e-3, matching sums of that tolerance, with 0.4 of the near pairs of the
/// default: three points per triangle beyond 2.5 edges.
inline constexpr Accuracy accuracy_for_sums{
    .medium = 2.5, .near_degree = 5, .shared_order = 4, .smooth_degree = 3};

/// A rule in barycentric coordinates of the corners; the weights sum to 1.
struct BarycentricRule {
  std::vector<std::array<double, 3>> points;
  std::vector<double> weights;

  TriangleRuleView view() const { return {int(weights.size()), points.data()->data(), weights.data()}; }
};
BarycentricRule barycentric_rule(int degree);

class PairIntegrals {
 public:
  /// @param k wavenumber [1/m], Im k <= 0, not zero
  PairIntegrals(const SurfaceMesh& mesh, Complex k, const Accuracy& accuracy = {});
  /// The same triangles, which are shared, at another wavenumber.
  PairIntegrals at(Complex k) const;

  Complex wavenumber() const { return k_; }
  const Accuracy& accuracy() const { return made_->accuracy; }
  double longest_edge(Index t) const { return made_->longest[t]; }
  const BarycentricRule& far_rule() const { return made_->far; }

  PairKind kind(Index test, Index source) const { return view().kind(test, source); }

  /// Integrals by the method for the kind of pair. Kinds not requested stay zero and are not computed.
  PairBlock exact(Index test, Index source, bool magnetic = true, bool rotated = true) const;
  /// By plain sums over points of a rule on both triangles; coincident points contribute nothing. This is the
  /// contribution of the pair to a fast sum over those points: a near correction is exact - points.
  PairBlock points(Index test, Index source, const BarycentricRule& rule) const;

  /// View of all data in host memory. Index: triangles of the mesh.
  PairView view() const;

 private:
  /// All but the wavenumber.
  struct Made {
    Made(const SurfaceMesh& mesh, const Accuracy& accuracy);
    Accuracy accuracy;
    BarycentricRule far, medium, smooth;
    BarycentricRule near[4];  ///< by number of common nodes, as in PairView
    std::vector<Triangle> triangles;
    std::vector<quadrature::TriangleFrame> frames;
    std::vector<Vec3<double>> centroids;
    std::vector<double> longest;
  };
  std::shared_ptr<const Made> made_;
  Complex k_;
};

}  // namespace curlew::ie
