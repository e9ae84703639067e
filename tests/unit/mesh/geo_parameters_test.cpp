// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/geo_parameters.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "mesh/length_unit.hpp"

namespace curlew::mesh {
namespace {

namespace fs = std::filesystem;

TEST(GeoParameters, AreThoseThatTheScriptDeclares) {
  const auto folder = fs::temp_directory_path() / "curlew_geo_parameters";
  fs::create_directories(folder);
  std::ofstream(folder / "main.geo") << R"(
// DefineConstant[ commented = 1 ];
/* DefineConstant[ commented2 = 1 ]; */
DefineConstant[ a = {1.5, Min 0, Max 5, Name "Group/a, b = 3", Choices{0="x", 1="y"}}, b_2 = Sqrt(4), c ];
DefineConstant [d={2}];
If (!Exists(e)) e = 1; EndIf
plain = 3;
Include "inner.geo";
Merge "missing.step";
)";
  std::ofstream(folder / "inner.geo") << "DefineConstant[f = 1];\nInclude \"main.geo\";\n";

  const auto names = geo_parameters((folder / "main.geo").string());
  const auto files = geo_files((folder / "main.geo").string());

  EXPECT_EQ(names, (std::set<std::string>{"a", "b_2", "c", "d", "e", "f"}));
  EXPECT_EQ(files,
            (std::vector<std::string>{(folder / "main.geo").string(), (folder / "inner.geo").string()}));
  EXPECT_THROW(geo_parameters((folder / "missing.geo").string()), InputError);
  fs::remove_all(folder);
}

TEST(GeoParameters, SeesWhetherPointsHaveSizes) {
  const auto path = (fs::temp_directory_path() / "curlew_point_sizes.geo").string();
  const auto has_sizes = [&](const std::string& text) {
    std::ofstream(path) << text;
    return geo_sizes_points(path);
  };

  EXPECT_FALSE(has_sizes("Point(1) = {0, 0, 0}; Mesh.MeshSizeMax = 1;"));
  EXPECT_TRUE(has_sizes("Point(newp) = {0, -a / 2, 0, h};"));
  EXPECT_TRUE(has_sizes("MeshSize { PointsOf { Volume{1}; } } = 0.1;"));
  EXPECT_TRUE(has_sizes("Characteristic Length {1, 2} = 0.1;"));
  EXPECT_FALSE(has_sizes("// MeshSize {1} = 2;"));
  EXPECT_FALSE(has_sizes("Physical Point (\"corners\") = {1, 2, 3, 4};"));
  EXPECT_TRUE(has_sizes("Physical Point(1) = {1}; Point(5) = {0, 0, 0, 1};"));
  fs::remove(path);
}

TEST(GeoParameters, TakeLongLinesAndOddNames) {
  const auto folder = fs::temp_directory_path() / "curlew_geo_long";
  fs::create_directories(folder);
  const std::string path = (folder / "main.geo").string(), letters(1'000'000, 'a');
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };

  write("DefineConstant[long" + letters + "];\nPoint(" + letters + ") = {" + letters + ", 0, 0, 1};\n");
  EXPECT_EQ(geo_parameters(path), (std::set<std::string>{"long" + letters}));
  EXPECT_TRUE(geo_sizes_points(path));
  write("Exists(" + letters + "Point(" + letters);
  EXPECT_FALSE(geo_sizes_points(path));
  // a name too long for the system; itself under ever longer names
  fs::create_directory_symlink(".", folder / "link");
  write("Include \"" + letters + "\"; Include \"./main.geo\"; Merge \"link/main.geo\";");
  EXPECT_EQ(geo_files(path), (std::vector<std::string>{path}));
  fs::remove_all(folder);
}

TEST(GeoParameters, SeeCommandsThatStartPrograms) {
  const auto path = (fs::temp_directory_path() / "curlew_commands.geo").string();
  const auto runs = [&](const std::string& text) {
    std::ofstream(path) << text;
    return geo_runs_commands(path);
  };

  EXPECT_TRUE(runs("a = 1; SystemCall \"ls\";"));
  EXPECT_TRUE(runs("NonBlockingSystemCall(\"ls\");"));
  EXPECT_TRUE(runs("OnelabRun(\"a\")"));
  EXPECT_FALSE(runs("mySystemCall = 1; SystemCalls = 2; // SystemCall \"ls\";"));
  fs::remove(path);
}

TEST(LengthUnit, KnowsItsWords) {
  EXPECT_EQ(metres_per_unit("mm"), 1e-3);
  EXPECT_EQ(metres_per_unit("inch"), 0.0254);
  EXPECT_THROW(metres_per_unit("MM"), InputError);
  EXPECT_THROW(metres_per_unit(""), InputError);
}

}  // namespace
}  // namespace curlew::mesh
