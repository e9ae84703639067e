// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/ordering.hpp"

#include <gtest/gtest.h>

#include <set>

#include "mesh/box.hpp"
#include "mesh/check.hpp"
#include "mesh/quality.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {
namespace {

TEST(SortVertices, MiddleNodesFollowTheirEdges) {
  // A cell whose middle nodes are numbered 10 * a + b after the vertices a, b (in the order given) of their
  // edges.
  Mesh mesh;
  mesh.geometry_order = 2;
  mesh.nodes.resize(100);
  mesh.cells = {7, 2, 9, 4, 27, 79, 47, 29, 24, 49};
  mesh.triangles = {9, 2, 4, 29, 49, 24};

  sort_vertices(mesh);

  EXPECT_EQ(mesh.cells, (std::vector<Index>{2, 4, 7, 9, 24, 27, 29, 47, 49, 79}));
  EXPECT_EQ(mesh.triangles, (std::vector<Index>{2, 4, 9, 24, 29, 49}));
}

TEST(OrderAlongCurve, KeepsTheMeshAndBringsNeighboursTogether) {
  Mesh mesh = make_box({.hi = {2, 1, 1}, .blocks = {6, 4, 4}, .geometry_order = 2, .shuffle_seed = 9});
  // A region of half the cells, known by its volume.
  for (Index c = 0; c < mesh.num_cells(); ++c)
    if (mesh.nodes[mesh.cell(c)[0]].x + mesh.nodes[mesh.cell(c)[1]].x + mesh.nodes[mesh.cell(c)[2]].x +
            mesh.nodes[mesh.cell(c)[3]].x <
        4) {
      if (mesh.volumes.size() == 1) mesh.volumes.push_back({"left", {}});
      mesh.volumes[1].entities.push_back(c);
    }
  const auto before = report_quality(mesh);

  order_along_curve(mesh);

  const auto after = report_quality(mesh);
  EXPECT_NO_THROW(check_mesh(mesh));
  EXPECT_NEAR(after.volumes[1].volume, before.volumes[1].volume, 1e-13);
  EXPECT_NEAR(after.surfaces[0].area, before.surfaces[0].area, 1e-13);
  double step = 0;
  for (std::size_t i = 1; i < mesh.nodes.size(); ++i)
    step += norm(mesh.nodes[i] - mesh.nodes[i - 1]) / double(mesh.nodes.size());
  EXPECT_LT(step, 0.4);  // half blocks are 0.15 by 0.125; a random order gives about 0.8
}

}  // namespace
}  // namespace curlew::mesh
