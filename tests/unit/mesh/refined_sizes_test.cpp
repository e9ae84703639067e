// SPDX-License-Identifier: BSD-3-Clause
// Sizes of the next mesh that follow from errors of the last one.

#include "mesh/refined_sizes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/error.hpp"
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

/// Errors that fall by seven orders of magnitude over cells of orders 2 and 3 in turn, every fourth of which
/// keeps its order.
struct OrdersOfABox {
  Mesh mesh = make_box({.blocks = {6, 6, 6}});
  std::vector<double> errors;
  std::vector<std::int8_t> orders;
  std::vector<char> is_free;

  OrdersOfABox() {
    for (Index c = 0; c < mesh.num_cells(); ++c) {
      errors.push_back(std::pow(10, -7.0 * c / mesh.num_cells()));
      orders.push_back(std::int8_t(c % 2 == 0 ? 2 : 3));
      is_free.push_back(c % 4 < 3);
    }
  }
};

/// 2.9 times as many unknowns for a cell of order 3: 1.2 edges with 3, 2 faces with 6 and 3 of its own, as
/// against 2 and 2 of order 2.
TEST(RefinedSizes, OrdersRiseWhereTheErrorIsAndFallWhereThereIsNone) {
  const OrdersOfABox box;
  const auto next =
      refined_sizes_and_orders(box.mesh, box.errors, box.orders, box.is_free, 2, 9, 0.1, Widening::yes);
  const auto unknowns = [](int order) { return order == 2 ? 2 * 1.2 + 2 * 2 : 3 * 1.2 + 2 * 6 + 3; };
  double before = 0, after = 0, least_of_risen = 1, greatest_of_two = 0, least_of_three = 1,
         greatest_of_fallen = 0;
  for (std::size_t c = 0; c < box.errors.size(); ++c) {
    const double cut = cell_size(box.mesh, Index(c)) / next.sizes[c];
    const int order = box.orders[c], new_order = next.orders[c];
    before += unknowns(order);
    after += unknowns(new_order) * cut * cut * cut;
    if (order != new_order) {
      EXPECT_TRUE(box.is_free[c]);
      EXPECT_NEAR(cut, 1, 1e-12);
    }
    if (!box.is_free[c]) continue;
    double& least = order == 2 ? least_of_risen : least_of_three;
    double& greatest = order == 2 ? greatest_of_two : greatest_of_fallen;
    if (new_order == 3)
      least = std::min(least, box.errors[c]);
    else
      greatest = std::max(greatest, box.errors[c]);
  }
  EXPECT_NEAR(after, 2 * before, 0.02 * before);
  EXPECT_GT(least_of_risen, greatest_of_two);
  EXPECT_GT(least_of_three, greatest_of_fallen);
  EXPECT_GT(greatest_of_fallen, 0);
  // A cell falls where it would not rise again: at order 2 it has 1 / 0.087 times the error.
  EXPECT_LT(greatest_of_fallen / 0.087, 1.1 * least_of_risen);
}

/// Orders alone suffice where what they leave does, unless there is no room for so many unknowns.
TEST(RefinedSizes, OrdersRiseAloneWithinTheRoomThatThereIs) {
  OrdersOfABox box;
  box.orders.assign(box.orders.size(), 2), box.is_free.assign(box.is_free.size(), 1);
  for (const double room : {3.0, 2.5}) {
    const auto next =
        refined_sizes_and_orders(box.mesh, box.errors, box.orders, box.is_free, 2, room, 0.1, Widening::yes);
    const bool is_alone = room > 2.9;
    EXPECT_EQ(std::count(next.orders.begin(), next.orders.end(), 3) == box.mesh.num_cells(), is_alone);
    EXPECT_EQ(next.sizes.back() == cell_size(box.mesh, box.mesh.num_cells() - 1), is_alone);  // else wider
  }
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
  EXPECT_TRUE(read.orders.empty());
  EXPECT_EQ(read.sizes, field.sizes);
  const SizeAt size(read);
  for (const double x : {0.2, 0.37, 0.5, 0.81})
    EXPECT_NEAR(std::log(size({x, 0.43, 1}) / 0.1), 2 * x, 2.0 / 12);  // a cell's length
}

TEST(SizeField, OrdersGoThroughItsFileIfTheyAreRight) {
  SizeField field{make_box({.blocks = {1, 1, 1}}), {}};
  const auto count = std::size_t(field.mesh.num_cells());
  field.sizes.assign(count, 0.5);
  const std::string path = testing::TempDir() + "curlew_orders.h5";
  const auto read = [&](std::size_t number, int first) {
    field.orders.assign(number, 2), field.orders[0] = std::int8_t(first);
    auto file = io::H5File::create(path);
    write_size_field(field, file);
    file.close();
    return read_size_field(path).orders;
  };
  EXPECT_EQ(read(count, 3), field.orders);
  EXPECT_THROW(read(count, 4), InputError);
  EXPECT_THROW(read(count, 0), InputError);
  EXPECT_THROW(read(count - 1, 3), InputError);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace curlew::mesh
