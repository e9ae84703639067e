// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Terms on named triangles (impedance, absorbing, ports) and right-hand sides.

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// The basis on one triangle at the points of a rule: everything that a port or boundary term needs.
struct TriangleTrace {
  Index cell = -1;                    ///< the cell on the triangle's first side
  int local_face = 0;                 ///< its place in that cell
  int num_functions = 0;              ///< nedelec_face_dim(order)
  std::array<Index, 15> dofs{};       ///< [num_functions] global, -1 where constrained
  std::vector<Vec3<double>> points;   ///< [num_points] [m]
  std::vector<double> weights;        ///< [num_points] with the surface element [m^2]
  std::vector<Vec3<double>> normals;  ///< [num_points] unit, out of `cell`
  std::vector<Vec3<double>> values;   ///< [num_points, num_functions] tangential parts of W [1/m]
  std::vector<double> normal_curls;   ///< [num_points, num_functions] normal . curl W [1/m^2]
};

/// Evaluates traces on triangles of the mesh with one rule; reuses the memory of its argument.
class TraceEvaluator {
 public:
  /// @param degree polynomial degree that the rule integrates exactly on straight triangles
  TraceEvaluator(const NedelecSpace& space, int degree);
  void evaluate(Index triangle, TriangleTrace& trace) const;
  int num_points() const { return int(weights_.size()); }

 private:
  const NedelecSpace& space_;
  std::vector<double> u_, v_, weights_;
};

/// add(dof_i, dof_j, sum_q w_q product(q n + i, q n + j)) for all pairs of unknowns on a triangle; product
/// gets places in trace.values and trace.normal_curls.
template <class Product, class Add>
void each_trace_pair(const TriangleTrace& trace, const Product& product, const Add& add) {
  const auto n = std::size_t(trace.num_functions);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (trace.dofs[i] < 0 || trace.dofs[j] < 0) continue;
      double sum = 0;
      for (std::size_t q = 0; q < trace.weights.size(); ++q)
        sum += trace.weights[q] * product(q * n + i, q * n + j);
      add(trace.dofs[i], trace.dofs[j], sum);
    }
}

/// Entry (row, column) of a matrix whose pattern holds it; columns ascend within a row.
Complex& entry(linalg::Csr<Complex>& a, Index row, Index column);
/// False for the rows of other processes, which are empty (RowShare).
inline bool has_row(const linalg::Csr<Complex>& a, Index row) {
  return a.row_offsets[std::size_t(row)] < a.row_offsets[std::size_t(row) + 1];
}
/// Adds to an entry, if the matrix has its row.
void add_entry(linalg::Csr<Complex>& a, Index row, Index column, Complex value);
/// Whether the matrix has a row of an unknown on a triangle.
bool has_rows_of(const linalg::Csr<Complex>& a, const NedelecSpace& space, Index triangle);

/// A unit vector in the face at a point [m].
using FaceDirection = std::function<Vec3<double>(Vec3<double>)>;

/// Degree of the quadrature rule of the following functions.
int surface_degree(const NedelecSpace& space);

/// a += gamma int (n x W_a) . (n x W_b) dS over the triangles (see mesh::Region). gamma = j k0 Z0 / Zs,
/// [1/m], is an impedance Zs [ohm], gamma = j k0 a first-order absorbing boundary. Source: equations (4)-(6)
/// of Badia et al. (2020), IEEE Access 8, doi 10.1109/ACCESS.2020.2993103.
/// @param along d of gamma int (W_a . d)(W_b . d) dS: a surface that carries current along d alone
void add_tangential_mass(const NedelecSpace& space, std::span<const Index> triangles, Complex gamma,
                         linalg::Csr<Complex>& a, const FaceDirection& along = {});

/// a += gamma int (n x W_a) . (n x W_b) dS with W_a on one and W_b on the other triangle of each pair, and
/// the other way round. Both have the same shape and order of vertices (mesh::Cut).
void add_transfer_mass(const NedelecSpace& space, std::span<const std::array<Index, 2>> pairs, Complex gamma,
                       linalg::Csr<Complex>& a);

/// A complex vector field of position [m].
using VectorField = std::function<Vec3<Complex>(Vec3<double>)>;
/// A complex vector field on a surface, of position [m] and unit normal out of the triangle's first cell.
using SurfaceField = std::function<Vec3<Complex>(Vec3<double>, Vec3<double>)>;

/// b_a += int W_a . f dS over the triangles; only the tangential part of f matters. b [num_dofs].
void add_surface_load(const NedelecSpace& space, std::span<const Index> triangles, const SurfaceField& f,
                      int degree, Complex* b);
/// b_a += int W_a . f dV over all cells. b [num_dofs].
void add_volume_load(const NedelecSpace& space, const VectorField& f, int degree, Complex* b);

}  // namespace curlew::fem
