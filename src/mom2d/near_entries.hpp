// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The local corrections: entries of one observer with the nodes around one near cell, to machine accuracy.

#include <vector>

#include "green/helmholtz2d.hpp"
#include "mom2d/near.hpp"
#include "mom2d/nodes.hpp"

namespace curlew::mom2d {

/// An observer with its unit normal; self >= 0: it is that node of the integrated cell.
struct Observer {
  double x, y, nx, ny;
  int self = -1;
};

/// Near cells of each node: for node i from offsets[i] to offsets[i + 1].
struct NearList {
  std::vector<Offset> offsets{0};
  std::vector<int> panels;
};
/// Cells for which the q-point rule is less accurate than the discretisation, by the ellipse of analyticity
/// (Trefethen 2013, Approximation Theory and Approximation Practice, theorem 19.3).
/// @param k largest modulus of the wave numbers [1/m]
NearList near_list(const Nodes& nodes, double k);
/// Distance [half lengths of the cell, from its middle] beyond which its q points suffice.
double near_reach(int q, double k, double half_length);

/// Integrals over near cells on the host. One per thread, with workspace.
class NearIntegrator {
 public:
  NearIntegrator(const Nodes& nodes, const PanelRule& rule);
  /// entry[i] = integral over the cell of L_i(t') K(observer, x(t')) |x'(t')| dt', the sum of all kernels,
  /// for the nodes i of the cell's stencil. N is a finite part: by parts, N u = k^2 n.S(n' u) + int dG/ds
  /// du/ds' ds' - [dG/ds u] (Maue 1949).
  /// @param kernels [num_kernels]
  /// @param[out] entry [nodes.stencils[panel].count]
  void entries(int panel, const Observer& observer, const green::Kernel2d* kernels, int num_kernels,
               Complex* entry);

 private:
  void place(const Panel& panel, const Observer& observer, double k);
  template <bool REAL, bool BY_PARTS>
  void add_kernel(const Panel& panel, const Observer& observer, const green::Kernel2d& kernel);
  void add_ends(const Panel& panel, const Observer& observer, const green::Kernel2d& kernel);

  const Nodes& nodes_;
  const PanelRule& rule_;
  std::vector<double> gauss_, gauss_weight_;
  NearTables tables_;
  // Number of points, padded to a multiple of eight.
  int count_ = 0;
  std::vector<double> t_, tau_, rx_, ry_, sx_, sy_, weight_, arc_weight_;
  std::vector<Complex> moment_;
};

}  // namespace curlew::mom2d
