// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The grids of a low-frequency box. A q x q x q Chebyshev grid (the chapter's Cartesian grid, of any order)
// represents the incoming field; its transpose represents the charges. A subset of its nodes, the skeleton,
// spans the fields of all boxes that are not adjacent, so that the translation between boxes is the Green
// function between two skeletons: a small matrix that depends on the offset only. Sources: Li, Chang and
// Lomakin, chapter 19, stages 3 and 4; Fong and Darve (2009), J. Comput. Phys. 228 (Chebyshev interpolation
// of the kernel); Cheng, Gimbutas, Martinsson and Rokhlin (2005), SIAM J. Sci. Comput. 26 (interpolative
// decomposition).

#include <array>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ngim {

/// Grid of one level, in units of the box: side 1, centre 0, wavenumber kappa = k a.
struct CartesianGrid {
  int order = 0;                       ///< q, nodes in each direction
  std::vector<Vec3<double>> skeleton;  ///< r of the q^3 nodes
  std::vector<int> skeleton_nodes;     ///< their numbers, (a q + b) q + c
  /// [r, q^3] row-major: charges in the Chebyshev basis T_a T_b T_c (2x, ...), number (a q + b) q + c, to
  /// charges at the skeleton; transposed: field at the skeleton to Chebyshev coefficients of the field.
  std::vector<Complex> basis_to_skeleton;
  double interpolation_error = 0;  ///< measured on sample pairs, relative rms
  double skeleton_error = 0;       ///< measured on far charges, relative rms
  int number = 0;                  ///< set by the GridCache that made it

  int rank() const { return int(skeleton.size()); }
};

/// Smallest order whose Chebyshev interpolation of exp(-j kappa R)/R reaches the error on sample pairs of a
/// point in the box and one in the closest box of the interaction list; 0 if max_order is not enough.
int choose_order(Complex kappa, double error, int max_order);

/// The grid with interpolation and skeleton errors each below the given relative errors.
/// @param kappa wavenumber times side of the box, k = k' - j k''
CartesianGrid build_cartesian_grid(Complex kappa, int order, double skeleton_error);

/// Whether the grid of a larger box can be used for a box of wavenumber times side kappa: deep in a tree all
/// boxes are small in wavelengths and share one grid.
bool serves(const CartesianGrid& grid, Complex kappa, double interpolation_error, double skeleton_error);

/// Chebyshev polynomials T_m(2 x), m < q, at x in [-1/2, 1/2], and their derivatives by x.
template <class T>
inline void chebyshev(T x, int q, T* value) {
  const T u = 2 * x;
  value[0] = 1;
  if (q > 1) value[1] = u;
  for (int m = 2; m < q; ++m) value[m] = 2 * u * value[m - 1] - value[m - 2];
}
template <class T>
inline void chebyshev(T x, int q, T* value, T* slope) {
  chebyshev(x, q, value);
  const T u = 2 * x;
  slope[0] = 0;
  if (q > 1) slope[1] = 2;
  for (int m = 2; m < q; ++m) slope[m] = 2 * u * slope[m - 1] - slope[m - 2] + 4 * value[m - 1];
}

/// Charges of a child's skeleton to charges of its parent's, by octant of the child in its parent (x + 2 y +
/// 4 z): [r_parent, r_child], row-major. The transposed matrix maps the parent's incoming field to the
/// child's.
std::array<std::vector<Complex>, 8> child_to_parent(const CartesianGrid& child, const CartesianGrid& parent);

}  // namespace curlew::ngim
