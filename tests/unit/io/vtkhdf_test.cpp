// SPDX-License-Identifier: BSD-3-Clause
#include "io/vtkhdf.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"
#include "temp_folder.hpp"
#include "test_paths.hpp"

namespace curlew::io {
namespace {

const Provenance origin{"test", "a.toml", "x = 1"};

/// Two tetrahedra, a quadratic one, a triangle and a quadratic triangle; points apart from each other.
VtkGrid sample_grid() {
  VtkGrid grid;
  for (int i = 0; i < 14; ++i) grid.points.push_back({0.1 * i, 0.01 * i * i, i % 3 * 1.0});
  const std::array<std::int64_t, 10> points{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  grid.add_cell(VtkCell::tetrahedron, points.data(), 4);
  grid.add_cell(VtkCell::tetrahedron, points.data() + 1, 4);
  grid.add_cell(VtkCell::quadratic_tetrahedron, points.data(), 10);
  grid.add_cell(VtkCell::triangle, points.data(), 3);
  grid.add_cell(VtkCell::quadratic_triangle, points.data(), 6);
  return grid;
}

/// E = (f + i, j f, 0) at point i in step f; epsilon_r = cell number.
void write_sample(const std::string& path) {
  const VtkGrid grid = sample_grid();
  VtkHdfWriter writer(path, grid, origin);
  writer.static_cell_array("epsilon_r", {0, 1, 2, 3, 4}, 1, {"1", "relative permittivity"});
  for (const double f : {1e9, 2e9, 3e9}) {
    writer.begin_step(f);
    std::vector<Complex> field;
    for (std::size_t i = 0; i < grid.points.size(); ++i)
      field.insert(field.end(), {Complex(f + double(i), 0), Complex(0, f), 0});
    writer.point_array("E", field, 3, {"V/m", "electric field"});
    writer.cell_array("order", std::vector<double>(grid.num_cells(), f / 1e9), 1, {"1", "order"});
  }
  writer.close();
}

TEST(VtkHdf, OpensInVtksOwnReader) {
  const test::TempFolder folder;
  write_sample(folder / "a.vtkhdf");

  const int status = std::system(
      (test::python() + " " + test::source_dir() + "/tests/unit/io/check_vtkhdf.py " + (folder / "a.vtkhdf"))
          .c_str());

  constexpr int skipped = 77;
  if (WEXITSTATUS(status) == skipped) GTEST_SKIP() << "Python's vtk is not installed (scripts/setup)";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(VtkHdf, HoldsWhatTheFormatAsksFor) {
  const test::TempFolder folder;
  write_sample(folder / "a.vtkhdf");
  const H5File file = H5File::open(folder / "a.vtkhdf");
  const H5Group root = file.group("VTKHDF");

  EXPECT_EQ(root.string_attribute("Type"), "UnstructuredGrid");
  EXPECT_EQ(root.read<std::int64_t>("Offsets"), (std::vector<std::int64_t>{0, 4, 8, 18, 21, 27}));
  EXPECT_EQ(root.read<std::uint8_t>("Types"), (std::vector<std::uint8_t>{10, 10, 24, 5, 22}));
  EXPECT_EQ(root.shape("PointData/E_re"), (Shape{42, 3}));
  EXPECT_EQ(root.shape("PointData/E_abs"), (Shape{42}));
  EXPECT_EQ(root.read<double>("Steps/Values"), (std::vector<double>{1e9, 2e9, 3e9}));
  EXPECT_EQ(root.read<std::int64_t>("Steps/PointDataOffsets/E_im"), (std::vector<std::int64_t>{0, 14, 28}));
  EXPECT_EQ(root.read<std::int64_t>("Steps/CellDataOffsets/epsilon_r"), (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_DOUBLE_EQ(root.read<double>("PointData/E_abs")[14 + 5], std::hypot(2e9 + 5, 2e9));
  EXPECT_EQ(root.string_attribute("unit", "PointData/E_re"), "V/m");
  EXPECT_EQ(file.string_attribute("program"), "test");
}

TEST(VtkHdf, ArraysMustBeCompleteAndOfTheRightLength) {
  const test::TempFolder folder;
  VtkHdfWriter writer(folder / "a.vtkhdf", sample_grid(), origin);
  const About about{"1", "x"};
  const std::vector<double> cells(5, 0.0), points(14, 0.0);

  EXPECT_THROW(writer.point_array("early", points, 1, about), std::logic_error);
  EXPECT_THROW(writer.static_cell_array("short", points, 1, about), std::logic_error);
  writer.begin_step(1);
  writer.cell_array("c", cells, 1, about);
  EXPECT_THROW(writer.cell_array("c", cells, 1, about), std::logic_error);
}

TEST(VtkHdf, AnArrayMissingInAStepIsFound) {
  const test::TempFolder folder;
  VtkHdfWriter writer(folder / "a.vtkhdf", sample_grid(), origin);
  writer.begin_step(1);
  writer.cell_array("c", std::vector<double>(5, 0.0), 1, {"1", "x"});
  writer.begin_step(2);

  EXPECT_THROW(writer.close(), std::logic_error);
}

TEST(RegularGrid, CellsByDimension) {
  const std::array<Vec3<double>, 3> steps{{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};

  const VtkGrid line = regular_grid({0, 0, 0}, steps, {3, 1, 1}),
                quad = regular_grid({0, 0, 0}, steps, {1, 2, 2}),
                box = regular_grid({1, 1, 1}, steps, {3, 2, 2}),
                point = regular_grid({1, 1, 1}, steps, {1, 1, 1});

  EXPECT_EQ(line.types, (std::vector<VtkCell>{VtkCell::line, VtkCell::line}));
  EXPECT_EQ(line.connectivity, (std::vector<std::int64_t>{0, 1, 1, 2}));
  EXPECT_EQ(quad.connectivity, (std::vector<std::int64_t>{0, 1, 3, 2}));
  EXPECT_EQ(box.types.size(), 2U);
  EXPECT_EQ(std::vector<std::int64_t>(box.connectivity.begin(), box.connectivity.begin() + 8),
            (std::vector<std::int64_t>{0, 1, 4, 3, 6, 7, 10, 9}));
  EXPECT_EQ(box.points.back(), (Vec3<double>{3, 3, 4}));
  EXPECT_EQ(point.types, (std::vector<VtkCell>{VtkCell::vertex}));
}

}  // namespace
}  // namespace curlew::io
