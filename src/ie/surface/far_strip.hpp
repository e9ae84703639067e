// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pair integrals by a rule of points for one source triangle against all test triangles of a region, in
// batches of the SIMD width.

#include <vector>

#include "green/helmholtz3d.hpp"
#include "ie/surface/pair_integrals.hpp"
#include "ie/surface/pair_moments.hpp"

namespace curlew::ie {

/// SIMD vector of complex numbers.
struct SplitVec {
  green::VecD re{}, im{};
  SplitVec& operator+=(SplitVec b) { return re += b.re, im += b.im, *this; }
  SplitVec& operator-=(SplitVec b) { return re -= b.re, im -= b.im, *this; }
  friend SplitVec operator+(SplitVec a, SplitVec b) { return {a.re + b.re, a.im + b.im}; }
  friend SplitVec operator-(SplitVec a, SplitVec b) { return {a.re - b.re, a.im - b.im}; }
  friend SplitVec operator-(SplitVec a) { return {-a.re, -a.im}; }
  friend SplitVec operator*(green::VecD s, SplitVec a) { return {s * a.re, s * a.im}; }
  friend SplitVec operator*(SplitVec a, green::VecD s) { return {s * a.re, s * a.im}; }
  friend SplitVec operator*(double s, SplitVec a) { return {s * a.re, s * a.im}; }
  friend SplitVec operator*(SplitVec a, double s) { return {s * a.re, s * a.im}; }
  friend SplitVec operator*(Complex c, SplitVec a) {
    return {c.real() * a.re - c.imag() * a.im, c.real() * a.im + c.imag() * a.re};
  }
};

/// Blocks of pairs, one lane each.
struct SplitBlock {
  SplitVec electric[3][3], magnetic[3][3], rotated[3][3];

  PairBlock lane(int l, bool with_magnetic, bool with_rotated) const;
};

class FarStrip {
 public:
  static constexpr int lanes = green::double_lanes;

  /// @param triangles that test and that are sources
  /// @param magnetic, rotated which kinds to compute
  /// @param rule for both triangles, stored by reference; null: the far rule
  FarStrip(const SurfaceMesh& mesh, const std::vector<Index>& triangles, const PairIntegrals& integrals,
           bool magnetic, bool rotated, const BarycentricRule* rule = nullptr)
      : FarStrip(mesh, triangles, mesh, integrals, magnetic, rotated, rule) {}
  /// @param sources the mesh of the sources, stored by reference
  FarStrip(const SurfaceMesh& mesh, const std::vector<Index>& triangles, const SurfaceMesh& sources,
           const PairIntegrals& integrals, bool magnetic, bool rotated,
           const BarycentricRule* rule = nullptr);

  Index num_batches() const { return Index(batches_.size()); }
  /// Lanes l of batch b are the test triangles number lanes b + l of the list; the last ones repeat.
  void evaluate(Index batch, Index source, SplitBlock& out) const;

 private:
  struct Batch {
    Vec3<green::VecD> centroid, corner[3], normal;  ///< corners from the centroid
    green::VecD area;
  };
  template <bool magnetic, bool rotated, green::Medium medium>
  void run(const Batch& batch, Index source, SplitBlock& out) const;
  template <green::Medium medium>
  void dispatch(const Batch& batch, Index source, SplitBlock& out) const;

  const SurfaceMesh& sources_;
  const BarycentricRule& rule_;
  Complex k_;
  bool magnetic_, rotated_;
  std::vector<Batch> batches_;
};

}  // namespace curlew::ie
