// SPDX-License-Identifier: BSD-3-Clause
// The mesh that a config names: finished, or converted by em-mesh and kept.
#include "run/mesh_input.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "curlew/build.hpp"
#include "mesh/box.hpp"
#include "mesh/mesh_file.hpp"
#include "mesh/quality.hpp"

#include "toy_program.hpp"

namespace curlew::test {
namespace {

namespace fs = std::filesystem;

const char* const bricks = R"(
DefineConstant[ gap = {2, Name "Parameters/gap"} ];
SetFactory("OpenCASCADE");
If (gap > 9) Error("gap = %g is too wide", gap); EndIf
Box(1) = {0, 0, 0, 1, 1, 1};
Box(2) = {1, 0, 0, gap, 1, 1};
Coherence;
Physical Volume("left") = {1};
Physical Volume("right") = {2};
)";

const run::AppInfo probe{"probe", "Loads a mesh.", "probe a.toml"};

/// A program that loads a mesh and prints its size.
class MeshInput : public testing::Test {
 protected:
  MeshInput() { io::write_text_file(place_.folder / "bricks.geo", bricks); }

  void config(const std::string& text) { io::write_text_file(place_.config, text); }
  Ended run(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {place_.config, "--output", place_.out});
    return run_toy(
        options,
        [this](const io::Config& config, run::Run& run) {
          mesh_ = run::load_mesh(config, run);
          config.allow({"material", "frequency"});
          config.check_unknown_keys();
          run.results()["cells"] = mesh_.num_cells();
        },
        probe);
  }
  /// Status 2 and one line with a part.
  void expect_refusal(const std::string& text, const std::string& part) {
    config(text);
    const Ended ended = run({"-q"});
    EXPECT_EQ(ended.status, 2) << text;
    EXPECT_NE(ended.err.find(part), std::string::npos) << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_EQ(ended.err.find("a.toml:"), ended.err.rfind("a.toml:")) << ended.err;
  }
  std::vector<std::string> kept() { return listing(place_.folder / ".mesh-cache"); }

  Workplace place_;
  mesh::Mesh mesh_;
};

TEST_F(MeshInput, SaysHowFarEdgesOfFlattenedCellsLieOffTheirSurface) {
  mesh::write_mesh(mesh::make_box({.blocks = {2, 2, 2}}), place_.folder / "box.h5", {},
                   {.off_surface = 0.0125});
  config("[mesh]\nfile = \"box.h5\"\n");

  const Ended ended = run();

  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("lie up to 0.013 m off the surface"), std::string::npos) << ended.err;
}

TEST_F(MeshInput, ReadsAFinishedMesh) {
  mesh::write_mesh(mesh::make_box({.blocks = {2, 2, 2}}), place_.folder / "box.h5", {});
  config("[mesh]\nfile = \"box.h5\"\n");

  EXPECT_EQ(run().status, 0);

  EXPECT_EQ(mesh_.num_cells(), 48);
  EXPECT_EQ(mesh_.name, "box.h5");
  EXPECT_EQ(read_json(place_.out + "/summary.json")["sizes"]["cells"], 48);
}

TEST_F(MeshInput, RefusesWrongFiles) {
  mesh::Mesh flat = mesh::make_box({.blocks = {1, 1, 1}});
  for (auto& x : flat.nodes) x.z = 0;
  mesh::write_mesh(flat, place_.folder / "flat.h5", {});
  mesh::write_mesh(mesh::make_box({.blocks = {9, 9, 9}}), place_.folder / "cut.h5", {});
  fs::resize_file(place_.folder / "cut.h5", 20000);

  expect_refusal("[mesh]\nfile = \"none.geo\"\n", "a.toml:2: mesh: ");
  expect_refusal("[mesh]\nfile = \"flat.h5\"\n", "6 of 6 cells have no volume");
  expect_refusal("[mesh]\nfile = \"cut.h5\"\n", "cut.h5");
  expect_refusal("[mesh]\nfile = \"flat.h5\"\nunit = \"mm\"\n",
                 "a.toml:3: mesh: " + std::string(place_.folder / "flat.h5") +
                     " is a finished mesh, whose unit is not known (given: mm)");
  expect_refusal("[mesh]\nfile = \"bricks.geo\"\n", "unit is missing");
  expect_refusal("[mesh]\nfile = \"bricks.geo\"\nunit = \"furlong\"\n", "use one of m, cm");
  expect_refusal("[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\nsize = 1\nwavelength_fraction = 0.1\n",
                 "not both");
  expect_refusal("[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\nwavelength_fraction = 0.1\n",
                 "needs [frequency]");
  expect_refusal("[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\nszie = 1\n", "szie");
}

/// In the place of a geometry: keys that agree with the file change nothing, others are named.
TEST_F(MeshInput, KeysOfAGeometryMustAgreeWithAFinishedMesh) {
  mesh::write_mesh(mesh::make_box({.blocks = {1, 1, 1}}), place_.folder / "box.h5", {},
                   {.unit = "mm", .size = 0.5, .parameters = {{"gap", 2.5}}});
  const std::string file = "[mesh]\nfile = \"box.h5\"\n";
  config(file + "unit = \"mm\"\nsize = 0.5\norder = 1\nparameters = { gap = 2.5 }\n");

  const Ended ended = run();

  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(mesh_.num_cells(), 6);
  const std::string line = "box.h5 is a finished mesh with the same unit, order, size, gap";
  EXPECT_NE(ended.err.find(line), std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("finished"), ended.err.rfind("finished")) << ended.err;
  expect_refusal(file + "unit = \"m\"\n", "a.toml:3: mesh: unit = m, but ");
  expect_refusal(file + "unit = \"m\"\n", "with unit = mm");
  expect_refusal(file + "size = 0.25\n", "with size = 0.5");
  expect_refusal(file + "order = 2\n", "with order = 1");
  expect_refusal(file + "parameters = { gap = 3 }\n", "with gap = 2.5");
  expect_refusal(file + "parameters = { width = 3 }\n", "whose width is not known (given: 3)");
  // 5 mm, 10 mm and 2.5 mm of wavelength: as made, finer than requested, coarser.
  const auto at = [&](const char* frequency) {
    return file + "wavelength_fraction = 0.1\n[frequency]\nvalues = [" + frequency + "]\n";
  };
  config(at("60e9"));
  EXPECT_NE(run().err.find("with the same wavelength_fraction:"), std::string::npos);
  config(at("30e9"));
  EXPECT_NE(run().err.find("with the same wavelength_fraction or finer:"), std::string::npos);
  expect_refusal(at("120e9"), "wavelength_fraction asks for cells of 0.0002498 m, but ");
  expect_refusal(at("120e9"), "with size = 0.5 mm");
  expect_refusal(file + "size = 0.5\nwavelength_fraction = 0.1\n", "not both");
}

TEST_F(MeshInput, ATimeLimitBesideAFinishedMeshIsWarnedOf) {
  mesh::write_mesh(mesh::make_box({.blocks = {1, 1, 1}}), place_.folder / "box.h5", {});
  const std::string file = "[mesh]\nfile = \"box.h5\"\n";
  config(file + "time_limit = 60\n");

  const Ended ended = run();

  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("box.h5 is a finished mesh: time_limit has no effect"), std::string::npos)
      << ended.err;
  config(file);
  EXPECT_EQ(run().err.find("time_limit"), std::string::npos);
  expect_refusal(file + "time_limit = -1\n", "a.toml:3: mesh: ");
}

#ifdef CURLEW_HAVE_GMSH

TEST_F(MeshInput, ConvertsOnceAndKeepsTheMeshByContent) {
  config("[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\nsize = 0.5\n");

  EXPECT_EQ(run().status, 0);
  const auto first = mesh_.cells;
  const auto names = kept();
  ASSERT_EQ(names.size(), 1u);
  const auto written = fs::last_write_time(fs::path(place_.folder / ".mesh-cache") / names[0]);
  EXPECT_EQ(run().status, 0);

  EXPECT_EQ(mesh_.cells, first);
  EXPECT_EQ(kept(), names);
  EXPECT_EQ(fs::last_write_time(fs::path(place_.folder / ".mesh-cache") / names[0]), written);
  EXPECT_EQ(mesh_.name, "bricks.geo");
  EXPECT_NEAR(mesh::report_quality(mesh_).hi.x, 3e-3, 1e-12);
}

TEST_F(MeshInput, AnotherGeometryOrOptionIsAnotherMesh) {
  config("[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\nsize = 0.5\n");
  run();
  run({"--set", "mesh.unit=cm"});
  run({"--set", "mesh.order=2"});
  run({"--set", "mesh.size=0.4"});
  run({"--set", "mesh.parameters.gap=1"});
  EXPECT_EQ(kept().size(), 5u);

  io::write_text_file(place_.folder / "bricks.geo", std::string(bricks) + "// changed\n");
  run();

  EXPECT_EQ(kept().size(), 6u);
}

TEST_F(MeshInput, ADamagedMeshInTheCacheIsMadeAgain) {
  config("[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\nsize = 0.5\n");
  run();
  fs::resize_file(fs::path(place_.folder / ".mesh-cache") / kept().at(0), 1000);

  EXPECT_EQ(run().status, 0);
  EXPECT_EQ(run().status, 0);
}

/// All ways in which a script names a file; that file contains the length of the box in millimetres.
TEST_F(MeshInput, AMeshKnowsTheFilesThatTheScriptHasRead) {
  const std::string box =
      "SetFactory(\"OpenCASCADE\");\n%\nBox(1) = {0, 0, 0, 1, 1, L};\nPhysical Volume(\"air\") = {1};\n";
  const struct {
    const char *script, *file, *short_one, *long_one;
  } ways[] = {
      {"v() = ListFromFile(\"dims.txt\"); L = v(0);", "dims.txt", "2\n", "3\n"},
      {"f = \"part\"; Merge StrCat(f, \".geo\");", "part.geo", "L = 2;\n", "L = 3;\n"},
      {"L = 2; If (FileExists(StrCat(CurrentDirectory, \"/flag\"))) L = 3; EndIf", "flag", "", "there"},
  };
  config("[mesh]\nfile = \"box.geo\"\nunit = \"mm\"\nsize = 1\n");
  const auto length = [&] {
    const Ended ended = run();
    EXPECT_EQ(ended.status, 0) << ended.err;
    return 1e3 * mesh::report_quality(mesh_).hi.z;
  };
  for (const auto& way : ways) {
    io::write_text_file(place_.folder / "box.geo", std::string(box).replace(box.find('%'), 1, way.script));
    const std::string file = place_.folder / way.file;
    if (*way.short_one != 0) io::write_text_file(file, way.short_one);
    EXPECT_NEAR(length(), 2, 1e-9) << way.script;
    io::write_text_file(file, way.long_one);
    EXPECT_NEAR(length(), 3, 1e-9) << way.script;
    const auto written = fs::last_write_time(fs::path(place_.folder / ".mesh-cache") / kept().at(0));
    EXPECT_NEAR(length(), 3, 1e-9) << way.script;
    EXPECT_EQ(fs::last_write_time(fs::path(place_.folder / ".mesh-cache") / kept().at(0)), written);
    fs::remove_all(place_.folder / ".mesh-cache");
  }
}

TEST_F(MeshInput, AScriptSeesNoEnvironment) {
  io::write_text_file(place_.folder / "bricks.geo", std::string(bricks) + "s = GetEnv(\"HOME\");\n");

  expect_refusal("[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\nsize = 1\n", "GetEnv");
}

/// In a folder like /tmp: meshes that other users may have made or changed.
TEST_F(MeshInput, AKeptMeshThatOthersCanWriteIsMadeAgain) {
  config("[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\nsize = 0.5\n");
  run();
  const fs::path cache = std::string(place_.folder / ".mesh-cache"), mesh = cache / kept().at(0);
  mesh::write_mesh(mesh::make_box({.blocks = {1, 1, 1}}), mesh.string(), {}, {.read_files = "present /\n"});
  fs::permissions(mesh, fs::perms::others_write, fs::perm_options::add);

  EXPECT_NE(run().err.find("other users may have written it"), std::string::npos);

  EXPECT_GT(mesh_.num_cells(), 6);
  EXPECT_EQ(fs::status(mesh).permissions() & fs::perms::others_write, fs::perms::none);
  fs::permissions(cache, fs::perms::others_write, fs::perm_options::add);
  run();
  EXPECT_EQ(fs::status(cache).permissions() & fs::perms::others_write, fs::perms::none);
}

TEST_F(MeshInput, SizesFollowTheWavelengthInEachRegion) {
  config(
      "[mesh]\nfile = \"bricks.geo\"\nunit = \"m\"\nwavelength_fraction = 0.5\n"
      "[frequency]\nvalues = [100e6, 299792458.0]\n"
      "[[material]]\nregion = \"left\"\nepsilon_r = [15.9, -1.0]\n[[material]]\nregion = \"right\"\n");

  EXPECT_EQ(run().status, 0);

  const auto volumes =
      mesh::report_quality(mesh_).volumes;  // half a metre on the right, an eighth on the left
  EXPECT_LT(volumes.at(0).mean_edge, 0.125 * 1.6);
  EXPECT_GT(volumes.at(1).max_edge, 0.4);
}

/// Neither size nor fraction, as in a first config: Gmsh would take a tenth of the whole
/// everywhere.
TEST_F(MeshInput, SizesFollowTheWavelengthWhereNoneIsStated) {
  const std::string geometry = "[mesh]\nfile = \"bricks.geo\"\nunit = \"m\"\n",
                    media = "[[material]]\nregion = \"left\"\nepsilon_r = [15.9, -1.0]\n";
  config(geometry + "[frequency]\nvalues = [299792458.0]\n" + media);
  EXPECT_EQ(run().status, 0);
  EXPECT_LT(mesh::report_quality(mesh_).volumes.at(0).mean_edge, 0.0625 * 1.6);

  const std::string still = geometry + media;  // no wavelength: as in the geometry
  config(still);
  EXPECT_EQ(run().status, 0);
  const auto cells = mesh_.num_cells();
  config(geometry + "[frequency]\nvalues = [0.0]\n" + media);
  EXPECT_EQ(run().status, 0);
  EXPECT_EQ(mesh_.num_cells(), cells);
}

TEST_F(MeshInput, ADryRunMeshesAndKeepsNothing) {
  config("[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\nsize = 0.5\n");

  const Ended ended = run({"--dry-run"});

  EXPECT_EQ(ended.status, 0);
  EXPECT_NE(ended.out.find("cells"), std::string::npos);
  EXPECT_FALSE(fs::exists(place_.folder / ".mesh-cache"));
  EXPECT_FALSE(fs::exists(place_.out));
}

TEST_F(MeshInput, PassesOnWhatEmMeshComplainsAbout) {
  const std::string head = "[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\n";
  expect_refusal(head + "parameters = { gpa = 1 }\n", "a.toml:2: mesh: ");
  expect_refusal(head + "parameters = { gpa = 1 }\n",
                 "parameter \"gpa\" is in no DefineConstant (known: gap)");
  expect_refusal(head + "parameters = { gap = 10 }\n", "gap = 10 is too wide");
  expect_refusal(
      head + "wavelength_fraction = 0.1\n[frequency]\nvalues = [1e9]\n[[material]]\nregion = \"rihgt\"\n",
      "(volumes: left, right)");
  io::write_text_file(place_.folder / "bricks.geo", "Box(");
  expect_refusal(head, "syntax error");
  EXPECT_FALSE(fs::exists(place_.folder / ".mesh-cache") && !kept().empty());
}

/// The size asks for more cells than the time limit allows: refusals come before meshing.
TEST_F(MeshInput, ARegionThatIsNotThereIsRefusedBeforeMeshing) {
  const std::string head =
      "[mesh]\nfile = \"bricks.geo\"\nunit = \"m\"\nsize = 0.006\ntime_limit = 2\n[frequency]\nvalues = "
      "[1e9]\n";
  const std::string volumes = "[[material]]\nregion = [\"left\", \"right\"]\n";

  expect_refusal(head + "[[material]]\nregion = [\"left\", \"rihgt\"]\n",
                 "a.toml:9: material 1: region \"rihgt\" is not in bricks.geo (volumes: left, right)");
  expect_refusal(head + volumes + "[[boundary]]\nregion = \"left\"\n",
                 "a.toml:11: boundary 1: region \"left\" is not in bricks.geo (surfaces: )");
  expect_refusal(head + volumes + "[[port]]\nregion = \"port\"\n",
                 "a.toml:11: port 1: region \"port\" is not in bricks.geo (surfaces: )");
  io::write_text_file(
      place_.folder / "sheet.geo",
      "SetFactory(\"OpenCASCADE\");\nRectangle(1) = {0, 0, 0, 1, 1};\nPhysical Surface(\"sheet\") = {1};\n");
  expect_refusal(
      "[mesh]\nfile = \"sheet.geo\"\nunit = \"m\"\n[frequency]\nvalues = [1e9]\n[[material]]\nregion = "
      "\"air\"\n",
      "a.toml:7: material 1: region \"air\" is not in sheet.geo (volumes: none, only surfaces: mesh a "
      "volume, or use "
      "ie-solve)");
  config(head + "[[material]]\nregion = \"none\"\n");
  EXPECT_EQ(run({"--dry-run", "-q"}).status, 2);
  config(head + volumes);
  EXPECT_EQ(run({"-q"}).status, 1);  // the names are right: it meshes, for longer than it may
}

TEST_F(MeshInput, PointsOfASweepShareTheirMeshes) {
  config("[mesh]\nfile = \"bricks.geo\"\nunit = \"mm\"\nsize = 0.5\n[frequency]\nvalues = [1e9]\n");

  const Ended ended = run({"--sweep", "mesh.parameters.gap=1,2,10", "--sweep", "frequency.values=1e9,2e9"});

  EXPECT_EQ(ended.status, 2);  // gap = 10 fails, the others are there
  EXPECT_EQ(listing(place_.out + "/.mesh-cache").size(), 2u);
}

#endif

}  // namespace
}  // namespace curlew::test
