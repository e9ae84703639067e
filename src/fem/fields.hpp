// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// From unknowns to fields and back: values of E and curl E in cells, interpolation, norms of errors.

#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/materials.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

/// Evaluates fields at the same reference points of every cell (nodes for output, a rule for integrals).
class FieldEvaluator {
 public:
  /// @param points in the unit tetrahedron; barycentric coordinates 1 - x - y - z, x, y, z belong to the
  ///        cell's sorted vertices
  FieldEvaluator(const NedelecSpace& space, std::vector<Vec3<double>> points);
  int num_points() const { return int(points_.size()); }
  const std::vector<Vec3<double>>& points() const { return points_; }

  /// @param x unknowns [num_dofs]
  /// @param[out] e, curl [num_points] E [unit of x per m] and curl E; either may be null
  /// @param[out] where [num_points] positions [m]; may be null
  void evaluate(Index cell, const Complex* x, Vec3<Complex>* e, Vec3<Complex>* curl,
                Vec3<double>* where = nullptr) const;

 private:
  const NedelecSpace& space_;
  std::vector<Vec3<double>> points_;
  std::vector<Vec3<double>> values_, curls_;  // [num_points, dim] on the unit tetrahedron
};

/// H [A/m] from curl E at angular frequency omega [rad/s]: H = j/(omega mu0) mu_r^-1 curl E.
Vec3<Complex> magnetic_field(Vec3<Complex> curl_e, const Coefficient& inverse_mu_r, double omega);

/// Unknowns of a field: edge by edge, then face by face, then in the cells, each the best approximation in L2
/// of the remaining tangential trace. Reproduces members of the space; error O(h^order) otherwise.
/// Constrained entities are left out. @return [num_dofs]
std::vector<Complex> interpolate(const NedelecSpace& space, const VectorField& field);

/// The same on triangles alone: unknowns without a trace there are zero.
std::vector<Complex> interpolate_trace(const NedelecSpace& space, std::span<const Index> triangles,
                                       const VectorField& field);

struct FieldNorms {
  double error_l2, error_curl;  ///< norms of E_h - E and curl E_h - curl E in L2
  double norm_l2, norm_curl;    ///< of E and curl E
};
/// @param x [num_dofs]; degree: of the rule
FieldNorms field_error(const NedelecSpace& space, const Complex* x, const VectorField& field,
                       const VectorField& curl, int degree);

}  // namespace curlew::fem
