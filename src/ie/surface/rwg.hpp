// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rao-Wilton-Glisson functions on triangles: f = l/(2A) (r - p) towards the edge on one triangle and away
// from it on the other; div f = +-l/A. The unknown is the current density [A/m] across the edge. Source: Rao,
// Wilton, Glisson (1982), IEEE Trans. Antennas Propag. 30(3), 409. An edge of m triangles carries m - 1
// functions, each from its first triangle to one of the others: currents into a junction sum to zero. Where
// surfaces of several media meet, a function may have three triangles or more (ie/surface/junctions.hpp).

#include <vector>

#include "base/macros.hpp"
#include "ie/surface/surface_mesh.hpp"

namespace curlew::ie {

/// A function on one of its triangles: scale (r - corner(vertex))/(2A), divergence scale/A.
struct FunctionPart {
  Index triangle;
  int vertex;
  double scale;  ///< +length or -length [m]
};

struct RwgFunction {
  Index plus, minus;              ///< triangles: the current flows from plus to minus
  int plus_vertex, minus_vertex;  ///< corners opposite the edge, 0..2
  Index a, b;                     ///< nodes of the edge, ascending
  double length;                  ///< of the edge [m]
  Index num_parts = 2;            ///< triangles; above two, plus and minus are the first two of them
  Index first_part = -1;          ///< of three or more, in RwgSpace::parts()

  /// @param parts of the space, on host or device
  CURLEW_HD FunctionPart part(Index i, const FunctionPart* parts) const {
    if (num_parts > 2) return parts[first_part + i];
    return i == 0 ? FunctionPart{plus, plus_vertex, length} : FunctionPart{minus, minus_vertex, -length};
  }
};

/// The share of a function on one triangle: f = scale (r - corner(vertex))/(2A), div f = scale/A.
struct LocalFunction {
  Index function;
  int vertex;
  double scale;  ///< +length or -length [m]
};

class RwgSpace {
 public:
  /// Space of surfaces in one medium. @throws InputError if there is no edge with two triangles
  explicit RwgSpace(const SurfaceMesh& mesh);
  /// Space of given functions. @param parts of those with more than two @throws InputError if there is no
  /// function
  RwgSpace(const SurfaceMesh& mesh, std::vector<RwgFunction> functions, std::vector<FunctionPart> parts);

  Index size() const { return Index(functions_.size()); }
  const std::vector<RwgFunction>& functions() const { return functions_; }
  const std::vector<FunctionPart>& parts() const { return parts_; }
  FunctionPart part(Index function, Index i) const { return functions_[function].part(i, parts_.data()); }
  /// Calls visit(part) for each triangle of a function.
  template <class Visit>
  void for_each_part(Index function, Visit&& visit) const {
    for (Index i = 0; i < functions_[function].num_parts; ++i) visit(part(function, i));
  }
  /// Largest number of parts of a function.
  Index most_parts() const;
  /// Functions on a triangle: [begin(t), begin(t + 1)) of locals(); at most 3 without junctions.
  const std::vector<LocalFunction>& locals() const { return locals_; }
  Index begin(Index triangle) const { return begin_[triangle]; }
  Index count(Index triangle) const { return begin_[triangle + 1] - begin_[triangle]; }

 private:
  std::vector<RwgFunction> functions_;
  std::vector<FunctionPart> parts_;
  std::vector<LocalFunction> locals_;
  std::vector<Index> begin_;
};

/// The function from one triangle to another across the edge that they share.
struct EdgeSide;
RwgFunction pair_function(const SurfaceMesh& mesh, const EdgeSide& plus, const EdgeSide& minus);

}  // namespace curlew::ie
