// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Equivalent currents on a surface from the unknowns of the finite elements, J = n x H and M = -n x E:
// equation (13) of Badia et al. (2020), IEEE Access 8, doi 10.1109/ACCESS.2020.2993103, but for how J is
// found. The paper takes the curl of the elements at the points; here J is the flux that the elements
// conserve,
//   ∮ W . J dS = -+ 1/(jkη) ∫ (curl W . curl E - k² W . E) dV
// for all functions W with a trace on the surface, over the cells on its outer (-) or inner (+) side, all of
// the exterior medium. Power and far field then converge with twice the order, as energies do, next to metal
// edges too, and the surface passes exactly the power that the elements carry to it. Source: Monk and Süli
// (1998), SIAM J. Numer. Anal. 36(1), who prove it for the far field.

#include <Eigen/SparseCholesky>
#include <span>
#include <vector>

#include "fem/space.hpp"
#include "fields/surface_currents.hpp"

namespace curlew::truncation {

enum class CellSide { outside, inside };

/// Prepared once for a surface; keeps the traces of its functions at all points, 24 bytes each.
class CurrentSampler {
 public:
  /// @param triangles, sides of the surface, see mesh::outward_sides
  /// @param degree of the rule on each triangle
  /// @param cells  those of the exterior medium: all of them that touch the surface are on this side of it
  /// @param planes of symmetry, at which the surface may end
  CurrentSampler(const fem::NedelecSpace& space, std::span<const Index> triangles, std::span<const int> sides,
                 int degree, std::span<const Index> cells, CellSide side,
                 std::span<const fields::SymmetryPlane> planes);

  const fields::SurfacePoints& points() const { return points_; }
  /// @param x     unknowns [num_dofs, count], column-major
  fields::SurfaceCurrents currents(const Complex* x, Index count, const fields::Exterior& medium) const;

 private:
  using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  void prepare_traces(std::span<const Index> triangles, int degree);
  void prepare_flux(std::span<const Index> cells);
  /// The coefficients of J in the functions of the surface.
  Eigen::VectorXcd flux(const Complex* x, const fields::Exterior& medium) const;

  /// Rows of the functions on one triangle or with a trace on the surface in one cell; -1: none.
  struct Numbering {
    int order = 1;
    std::vector<Index> edge, face;  ///< place among those of the surface, or -1
    Index num_edges = 0, num_faces = 0;
    Index size() const { return order * num_edges + (order * order - order) * num_faces; }
    Index edge_row(int level, Index e) const { return edge[e] < 0 ? -1 : order * edge[e] + level - 1; }
    Index face_row(int level, Index f, int i) const {
      return face[f] < 0 ? -1
                         : order * num_edges + (order * order - order) * face[f] + (level == 3 ? 2 : 0) + i;
    }
  };
  static Numbering number(const fem::NedelecSpace& space, std::span<const Index> triangles,
                          std::span<const fields::SymmetryPlane> planes);

  const fem::NedelecSpace& space_;
  double sign_;
  fields::SurfacePoints points_;
  Numbering numbering_;
  int num_points_ = 0;                ///< of the rule
  std::vector<Index> rows_, dofs_;    ///< [triangles, functions]
  std::vector<Vec3<double>> values_;  ///< [triangles, points, functions] tangential parts
  Sparse curl_curl_, mass_;           ///< [rows, num_dofs] over the cells
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> surface_mass_;
};

}  // namespace curlew::truncation
