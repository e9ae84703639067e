// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rao-Wilton-Glisson functions on triangles: f = l/(2A) (r - p) towards the edge on one triangle and away
// from it on the other; div f = +-l/A. The unknown is the current density [A/m] across the edge. Source: Rao,
// Wilton, Glisson (1982), IEEE Trans. Antennas Propag. 30(3), 409. An edge of m triangles carries m - 1
// functions, each from its first triangle to one of the others: currents into a junction sum to zero.

#include <vector>

#include "ie/surface/surface_mesh.hpp"

namespace curlew::ie {

struct RwgFunction {
  Index plus, minus;              ///< triangles: the current flows from plus to minus
  int plus_vertex, minus_vertex;  ///< corners opposite the edge, 0..2
  Index a, b;                     ///< nodes of the edge, ascending
  double length;                  ///< of the edge [m]
};

/// The share of a function on one triangle: f = scale (r - corner(vertex))/(2A), div f = scale/A.
struct LocalFunction {
  Index function;
  int vertex;
  double scale;  ///< +length or -length [m]
};

class RwgSpace {
 public:
  /// @throws InputError if there is no edge with two triangles
  explicit RwgSpace(const SurfaceMesh& mesh);

  Index size() const { return Index(functions_.size()); }
  const std::vector<RwgFunction>& functions() const { return functions_; }
  /// Functions on a triangle: [begin(t), begin(t + 1)) of locals(); at most 3 without junctions.
  const std::vector<LocalFunction>& locals() const { return locals_; }
  Index begin(Index triangle) const { return begin_[triangle]; }
  Index count(Index triangle) const { return begin_[triangle + 1] - begin_[triangle]; }

 private:
  std::vector<RwgFunction> functions_;
  std::vector<LocalFunction> locals_;
  std::vector<Index> begin_;
};

}  // namespace curlew::ie
