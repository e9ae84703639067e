// SPDX-License-Identifier: BSD-3-Clause
#include "io/near_field_files.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "temp_folder.hpp"

namespace curlew::io {
namespace {

std::vector<NearFieldRequest> read(const std::string& tables) {
  return read_near_fields(Config::parse(tables), 1e-3);
}

TEST(NearFieldFiles, RequestsAreInMetres) {
  const auto all = read(
      "[[output.near_field]]\npositions = [[1, 2, 3], [4, 5, 6]]\n"
      "[[output.near_field]]\nname = \"axis\"\npositions = [[0, 0, 1], [0, 0, 3]]\npoints "
      "= 5\n"
      "[[output.near_field]]\nname = \"cut\"\npositions = [[1, 1, 0], [3, 1, 0], [1, 1, 4]]\n"
      "points = [3, 2]\n"
      "[[output.near_field]]\nname = \"box\"\npositions = [[0, 0, 0], [1, 2, 3]]\npoints = "
      "[2, 1, 3]\n");

  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name, "1");
  EXPECT_NEAR(all[0].grid.points[1].y, 5e-3, 1e-15);
  EXPECT_EQ(all[1].grid.num_cells(), 4U);
  EXPECT_NEAR(all[1].grid.points[3].z, 2.5e-3, 1e-15);
  EXPECT_EQ(all[2].grid.points.size(), 6U);
  EXPECT_NEAR(all[2].grid.points.back().x, 3e-3, 1e-15);
  EXPECT_NEAR(all[2].grid.points.back().z, 4e-3, 1e-15);
  EXPECT_EQ(all[3].grid.points.size(), 6U);
  EXPECT_NEAR(all[3].grid.points.back().z, 3e-3, 1e-15);
}

TEST(NearFieldFiles, BadRequestsNameTheKey) {
  const std::pair<const char*, const char*> cases[] = {
      {"positions = []", "positions"},
      {"positions = [[0, 0, 0]]\npoints = 3", "two ends of a line"},
      {"positions = [[0, 0, 0], [1, 0, 0]]\npoints = 0", "1 or more"},
      {"positions = [[0, 0, 0], [1, 0, 0]]\npoints = [2, 2]", "1 or 3 whole numbers"},
      {"positions = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]\npoints = [2, 2]", "span a plane"},
      {"positions = [[0, 0, 0]]\nname = \"a/b\"", "a/b"}};
  for (const auto& [keys, says] : cases) {
    try {
      read(std::string("[[output.near_field]]\n") + keys + "\n");
      ADD_FAILURE() << keys;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  }
  const std::string one = "[[output.near_field]]\nname = \"a\"\npositions = [[0, 0, 0]]\n";
  EXPECT_THROW(read(one + one), InputError);
}

TEST(NearFieldFiles, ValuesGoToTheirOwnFile) {
  const test::TempFolder folder;
  const auto requests = read(
      "[[output.near_field]]\nname = \"a\"\npositions = [[1, 0, 0]]\n"
      "[[output.near_field]]\nname = \"b\"\npositions = [[2, 0, 0], [3, 0, 0]]\n");
  const std::vector<NearFieldOrigin> origins{NearFieldOrigin::elements, NearFieldOrigin::none,
                                             NearFieldOrigin::currents};
  NearFieldFiles files(requests, origins, [&](const auto& name) { return folder / name; }, {"test", "", ""});
  NearFieldValues values{{{1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {{3, 4}, 0.0, 0.0}}, {3, Vec3<Complex>{}}};
  values.h[2].z = Complex(5, 6);

  files.begin_step(1e9);
  files.add("port1", "total", "", values);
  files.close();

  const CsvTable a = read_csv(folder / "near_a.csv"), b = read_csv(folder / "near_b.csv");
  EXPECT_EQ(a.num_rows, 1U);
  EXPECT_EQ(a.numbers("re_ex")[0], 1);
  EXPECT_EQ(b.numbers("im_ex")[1], 4);
  EXPECT_EQ(b.numbers("im_hz")[1], 6);
  EXPECT_EQ(b.text.at("origin")[0], "none");
  EXPECT_EQ(b.text.at("origin")[1], "currents");
  EXPECT_EQ(b.text.at("excitation")[0], "port1");
}

}  // namespace
}  // namespace curlew::io
