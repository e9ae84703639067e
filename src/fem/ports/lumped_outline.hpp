// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The outline of a planar face and the conductors along it.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

struct OutlineEdge {
  Index edge;  ///< of the topology
  std::array<Index, 2> nodes;
  std::array<Vec3<double>, 2> ends;  ///< [m]
  int conductor = -1;  ///< from 0; edges of one conductor are connected along the outline; -1 for none

  double length() const { return norm(ends[1] - ends[0]); }
};

struct LumpedOutline {
  std::vector<OutlineEdge> edges;
  int num_conductors = 0;
  Vec3<double> normal;  ///< unit
  double area = 0;      ///< [m²]
};

/// @throws InputError naming the face if the face is not planar, in several pieces or crossed by a conductor
LumpedOutline lumped_outline(const std::string& name, const Model& model, const NedelecSpace& space,
                             std::span<const Index> triangles);

}  // namespace curlew::fem
