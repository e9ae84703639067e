// SPDX-License-Identifier: BSD-3-Clause
// Sizes of the next mesh that follow from errors of the last one.

#include "mesh/refined_sizes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "io/hdf5.hpp"
#include "mesh/box.hpp"

namespace curlew::mesh {
namespace {

TEST(RefinedSizes, GrowAsAskedCutWhereTheErrorIsAndWidenWhereThereIsNone) {
  const Mesh mesh = make_box({.blocks = {6, 6, 6}});
  std::vector<double> errors(std::size_t(mesh.num_cells()));
  for (std::size_t c = 0; c < errors.size(); ++c) errors[c] = std::exp(-0.01 * double(c));
  const auto sizes = refined_sizes(mesh, errors, 2, MeshUse::volumes, Widening::yes);
  double cells = 0;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const double cut = cell_size(mesh, Index(c)) / sizes[c];
    cells += cut * cut * cut;
    EXPECT_GE(cut, 0.75 - 1e-12);
  }
  EXPECT_NEAR(cells, 2.0 * mesh.num_cells(), 1e-3 * mesh.num_cells());
  EXPECT_LT(sizes.front(), 0.5 * sizes.back());
  EXPECT_NEAR(sizes.back(), cell_size(mesh, mesh.num_cells() - 1) / 0.75, 1e-9);
  const auto whole = refined_sizes(mesh, std::vector<double>(errors.size(), 0), 2);  // nothing to cut for
  EXPECT_EQ(whole[7], cell_size(mesh, 7));
}

/// The same of triangles: the surface of a box alone.
TEST(RefinedSizes, OfTrianglesGrowAsTheirEdgesCutTwice) {
  Mesh mesh = make_box({.blocks = {6, 6, 6}});
  mesh.cells.clear(), mesh.volumes.clear();
  std::vector<double> errors(std::size_t(mesh.num_triangles()));
  for (std::size_t t = 0; t < errors.size(); ++t) errors[t] = std::exp(-0.01 * double(t));
  const auto sizes = refined_sizes(mesh, errors, 2, MeshUse::surfaces);
  double triangles = 0;
  for (std::size_t t = 0; t < sizes.size(); ++t)
    triangles += std::pow(triangle_size(mesh, Index(t)) / sizes[t], 2);
  EXPECT_NEAR(triangles, 2.0 * mesh.num_triangles(), 1e-3 * mesh.num_triangles());
  EXPECT_LT(sizes.front(), 0.5 * sizes.back());
}

/// A cell of a layer ten times as tall as wide is as large as it is wide, however many of its vertices lie
/// above the others; one as long as wide is as large as its edges.
TEST(CellSize, OfTallCellsIsTheirWidth) {
  const auto size_of = [](std::vector<Vec3<double>> nodes) {
    Mesh mesh;
    mesh.nodes = std::move(nodes);
    mesh.cells = {0, 1, 2, 3};
    return cell_size(mesh, 0);
  };
  EXPECT_NEAR(size_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 10}}), 1.1, 0.05);
  EXPECT_NEAR(size_of({{0, 0, 0}, {1, 0, 0}, {0, 0, 10}, {0, 1, 10}}), 1.1, 0.05);
  EXPECT_NEAR(size_of({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}), std::sqrt(8), 1e-12);
}

/// A size that grows by a factor across a box: between the values of the vertices around, and the nearest
/// one's beyond the mesh.
TEST(SizeAt, FollowsTheCellsAndGoesOnOutside) {
  SizeField field{make_box({.blocks = {12, 4, 4}}), {}};
  for (Index c = 0; c < field.mesh.num_cells(); ++c) {
    Vec3<double> middle{};
    for (int i = 0; i < 4; ++i) middle += 0.25 * field.mesh.nodes[std::size_t(field.mesh.cell(c)[i])];
    field.sizes.push_back(0.1 * std::exp(2 * middle.x));
  }
  const SizeAt size(field);
  for (const double x : {0.2, 0.37, 0.5, 0.81})
    EXPECT_NEAR(std::log(size({x, 0.43, 0.61}) / 0.1), 2 * x, 2.0 / 12);  // a cell's length
  EXPECT_NEAR(size({1.3, 0.5, 0.5}), size({1, 0.5, 0.5}), 0.02);
}

/// Of triangles through the file that em-mesh reads: sizes that grow along x, on the surface of a box.
TEST(SizeField, OfTrianglesGoesThroughItsFile) {
  SizeField field{make_box({.blocks = {12, 4, 4}}), {}, MeshUse::surfaces};
  for (Index t = 0; t < field.mesh.num_triangles(); ++t) {
    Vec3<double> middle{};
    for (int i = 0; i < 3; ++i)
      middle += (1.0 / 3) * field.mesh.nodes[std::size_t(field.mesh.triangle(t)[i])];
    field.sizes.push_back(0.1 * std::exp(2 * middle.x));
  }
  const std::string path = testing::TempDir() + "curlew_triangle_sizes.h5";
  {
    auto file = io::H5File::create(path);
    write_size_field(field, file);
    file.close();
  }
  const SizeField read = read_size_field(path);
  std::remove(path.c_str());
  EXPECT_EQ(read.use, MeshUse::surfaces);
  EXPECT_EQ(read.sizes, field.sizes);
  const SizeAt size(read);
  for (const double x : {0.2, 0.37, 0.5, 0.81})
    EXPECT_NEAR(std::log(size({x, 0.43, 1}) / 0.1), 2 * x, 2.0 / 12);  // a cell's length
}

}  // namespace
}  // namespace curlew::mesh
