// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Nyström nodes: the quadrature points of all cells, samples of the unknowns and collocation points.

#include <vector>

#include "base/types.hpp"
#include "mom2d/contour.hpp"
#include "mom2d/problem.hpp"

namespace curlew::mom2d {

/// Nodes by which the unknown on a cell is interpolated for integration: those of the cell, and on smooth
/// curves the nearest ones of its two neighbours. With q + 2 ceil(q/2) nodes the local corrections have the
/// order of the q-point rule for far cells, 2q; with only the cell's nodes (classical LCN) order q.
struct Stencil {
  static constexpr int most = 16;
  int count = 0;
  int pattern = 0;  ///< index of the table of coefficients
  int node[most] = {};
};

/// Structure of arrays, cell by cell, `per_panel` points each by ascending parameter.
struct Nodes {
  int per_panel = 1;
  std::vector<Panel> panels;            ///< of all contours
  std::vector<Offset> contour_offsets;  ///< [contours + 1] first node of each contour
  std::vector<double> x, y, nx, ny;     ///< [m], unit normal
  std::vector<double> weight;           ///< [m] arc length represented by a node
  std::vector<double> root;             ///< square root of the weight
  std::vector<Stencil> stencils;        ///< of each cell
  /// [patterns][most, most] coefficients c_ik with L_i = sum_k c_ik P_k, L the Lagrange polynomials of the
  /// stencil's nodes, P the Legendre polynomials of the cell.
  std::vector<double> coefficients;

  Offset size() const { return Offset(x.size()); }
};

/// @throws InputError for a cell of zero length, or one whose numbers are not finite
/// @param neighbours false: every cell separately
Nodes make_nodes(const std::vector<Body>& bodies, int per_panel, bool neighbours = true);

/// Gauss-Legendre points and weights on [-1, 1] and data for interpolation through them.
struct PanelRule {
  int size = 1;
  std::vector<double> t, weight;
  /// [size, size] coefficients c_ik with L_i = sum_k c_ik P_k, L the Lagrange polynomials of the cell's
  /// nodes.
  std::vector<double> from_legendre;
  /// [size, Stencil::most] principal values of the integrals of P_k'(t)/(t - t_j), row j.
  std::vector<double> principal_value;
};
PanelRule make_panel_rule(int size);

/// P_0..P_{n-1} and their derivatives at t.
inline void legendre(int n, double t, double* p, double* dp) {
  p[0] = 1, dp[0] = 0;
  if (n > 1) p[1] = t, dp[1] = 1;
  for (int k = 2; k < n; ++k) {
    p[k] = ((2 * k - 1) * t * p[k - 1] - (k - 1) * p[k - 2]) / k;
    dp[k] = dp[k - 2] + (2 * k - 1) * p[k - 1];
  }
}

/// Arc length [m] of every node from the start of its contour, by the rule of each cell.
std::vector<double> arc_lengths(const Nodes& nodes);

}  // namespace curlew::mom2d
