// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A guide between two ports, partly filled: the device of the tests of this folder.

#include <array>

#include "fem/model/model.hpp"
#include "mesh/box.hpp"
#include "mesh/topology.hpp"

namespace curlew::fem {

constexpr double guide_width = 22.86e-3, guide_height = 10.16e-3, guide_length = 20e-3;  // WR-90

/// Along z, with the region "filling" at the points that `is_filled` names.
struct FilledGuide {
  mesh::Mesh mesh;
  mesh::Topology topology;

  template <class Filled>
  FilledGuide(std::array<int, 3> blocks, Filled is_filled) {
    mesh = mesh::make_box(
        {.hi = {guide_width, guide_height, guide_length}, .blocks = blocks, .shuffle_seed = 7});
    mesh::Region air{"air", {}}, filling{"filling", {}};
    for (Index c = 0; c < mesh.num_cells(); ++c) {
      Vec3<double> middle{};
      for (int i = 0; i < 4; ++i) middle += 0.25 * mesh.nodes[std::size_t(mesh.cell(c)[i])];
      (is_filled(middle) ? filling : air).entities.push_back(c);
    }
    mesh.volumes = {air, filling};
    topology = mesh::build_topology(mesh);
  }
};

inline bool is_block(Vec3<double> x) {
  return x.z > 0.3 * guide_length && x.z < 0.6 * guide_length && x.x < 0.5 * guide_width;
}
/// From port to port: their modes are hybrid ones, which are not orthogonal to each other.
inline bool is_floor(Vec3<double> x) {
  return x.y < 0.5 * guide_height;
}

inline Model guide_model(int order, Complex filling) {
  Model model;
  model.order = order;
  model.materials = {{.regions = {"air"}}, {.regions = {"filling"}, .epsilon_r = filling}};
  model.boundaries = {{.regions = {"x0", "x1", "y0", "y1"}, .condition = pec_condition()}};
  model.ports = {{.region = "z0", .excite = true}, {.region = "z1"}};
  return model;
}

}  // namespace curlew::fem
