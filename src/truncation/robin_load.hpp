// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The right-hand side on S from the exterior field: Ψ = mu_r^-1 [n x curl E + jk n x (n x E)] and its load
// l_Ψ(F) = ∮ F . Ψ dS, equations (4), (8) and (14) of Badia et al. (2020), IEEE Access 8, doi
// 10.1109/ACCESS.2020.2993103 (k of the exterior medium instead of k0).

#include <functional>
#include <span>
#include <vector>

#include "fem/space.hpp"

namespace curlew::truncation {

/// E and curl E at a point.
struct FieldAt {
  Vec3<Complex> e, curl;
};

class RobinLoad {
 public:
  /// @param triangles of S
  RobinLoad(const fem::NedelecSpace& space, std::span<const Index> triangles, int degree);

  /// Points on S where the field is needed [m].
  const std::vector<Vec3<double>>& points() const { return points_; }
  /// Unknowns with a trace on S, ascending: the rows of a load.
  const std::vector<Index>& dofs() const { return dofs_; }
  Index size() const { return Index(dofs_.size()); }
  /// Square roots of the diagonal of ∫ W.W dS [dofs]: loads divided by them have the norm of Ψ in L2(S),
  /// independent of the mesh.
  const std::vector<double>& scale() const { return scale_; }

  /// l_Ψ / scale of one field.
  /// @param field called with the index of a point in points()
  /// @param[out] load [dofs]
  void evaluate(const std::function<FieldAt(std::size_t)>& field, double k, Complex inverse_mu,
                Complex* load) const;

 private:
  struct Trace {
    Index rows[15];  ///< indices in dofs(), -1 if constrained
  };
  int num_functions_, num_points_;
  std::vector<Vec3<double>> points_, normals_;
  std::vector<Trace> traces_;
  std::vector<Vec3<double>> values_;  ///< [triangles, points, functions] with the weight
  std::vector<Index> dofs_;
  std::vector<double> scale_;
};

}  // namespace curlew::truncation
