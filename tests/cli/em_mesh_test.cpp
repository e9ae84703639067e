// SPDX-License-Identifier: BSD-3-Clause
// em-mesh as a user starts it: what it writes, what it prints, and its messages on wrong inputs.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/constants.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "mesh/check.hpp"
#include "mesh/mesh_file.hpp"
#include "mesh/quality.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

namespace fs = std::filesystem;

const char* const bricks = R"(
DefineConstant[ gap = {2, Name "Parameters/gap"} ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Box(2) = {1, 0, 0, gap, 1, 1};
If (gap < 5) Coherence; Else Field[1] = MathEval; Field[1].F = "1"; EndIf
Physical Volume("left") = {1};
Physical Volume("right") = {2};
Physical Surface("port1", 11) = Surface In BoundingBox{-0.1, -0.1, -0.1, 0.1, 1.1, 1.1};
)";

struct Ended {
  int status;
  std::string out, err;
};

class EmMesh : public testing::Test {
 protected:
  EmMesh() {
    std::string pattern = (fs::temp_directory_path() / "curlew-em-mesh-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    write("bricks.geo", bricks);
  }
  ~EmMesh() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Ended run(const std::string& arguments) const {
    const std::string command = "cd " + folder_.string() + " && " + test::program_dir() + "/em-mesh " +
                                arguments + " > out.txt 2> err.txt";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), io::read_text_file(path("out.txt")), io::read_text_file(path("err.txt"))};
  }
  /// The status, one line of error with a part, nothing printed, no mesh and no part of one.
  void expect_refusal(const std::string& arguments, const std::string& part, int status = 2) const {
    const Ended ended = run(arguments + " -q");
    EXPECT_EQ(ended.status, status) << arguments;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_EQ(ended.err.rfind("em-mesh: ", 0), 0u) << ended.err;
    EXPECT_NE(ended.err.find(part), std::string::npos) << ended.err;
    EXPECT_EQ(ended.out, "");
    for (const auto& entry : fs::directory_iterator(folder_))
      EXPECT_EQ(entry.path().string().find("out.h5"), std::string::npos) << entry.path();
  }

  fs::path folder_;
};

TEST_F(EmMesh, WritesAMeshAndShowsIt) {
  const Ended made = run("bricks.geo -o bricks.h5 --unit mm --size 0.5 --set-number gap=3");
  const Ended shown = run("--info bricks.h5 --frequency 60e9 --index right=2");

  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(shown.status, 0) << shown.err;
  for (const char* word : {"left", "right", "port1", "volume_m3", "area_m2", "min_shape"}) {
    EXPECT_NE(made.out.find(word), std::string::npos) << word;
    EXPECT_NE(shown.out.find(word), std::string::npos) << word;
  }
  EXPECT_NE(shown.out.find("max_edge_wavelengths"), std::string::npos);
  const auto mesh = mesh::read_mesh(path("bricks.h5"));
  EXPECT_NO_THROW(mesh::check_mesh(mesh));
  EXPECT_NEAR(mesh::report_quality(mesh).hi.x, 4e-3, 1e-12);
  EXPECT_EQ(io::H5File::open(path("bricks.h5")).string_attribute("program"), "em-mesh");
  const auto origin = mesh::read_mesh_origin(path("bricks.h5"));
  EXPECT_EQ(origin.unit, "mm");
  EXPECT_EQ(origin.size, 0.5);
  EXPECT_EQ(origin.parameters, (std::map<std::string, double>{{"gap", 3.0}}));
}

/// A ball from an eighth of it by curved cells: closed, with the volume and the surface of the ball.
TEST_F(EmMesh, MirrorsAnEighthOfABall) {
  write("eighth.geo",
        "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1, 0, Pi/2, Pi/2};\n"
        "Physical Volume(\"ball\") = {1};\nskin() = Boundary{ Volume{1}; };\n"
        "skin() -= {Surface In BoundingBox{-0.1, -0.1, -0.001, 1.1, 1.1, 0.001}};\n"
        "skin() -= {Surface In BoundingBox{-0.1, -0.001, -0.1, 1.1, 0.001, 1.1}};\n"
        "skin() -= {Surface In BoundingBox{-0.001, -0.1, -0.1, 0.001, 1.1, 1.1}};\n"
        "Physical Surface(\"sphere\") = {skin()};\n");
  const std::string command = "eighth.geo -o ball.h5 --unit m --size 0.4 --order 2 ";
  const Ended ended = run(command + "--mirror x --mirror y --mirror z");

  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto mesh = mesh::read_mesh(path("ball.h5"));
  EXPECT_NO_THROW(mesh::check_mesh(mesh));
  EXPECT_EQ(mesh::count_coincident_nodes(mesh), 0U);
  const auto report = mesh::report_quality(mesh);
  EXPECT_NEAR(report.volumes.at(0).volume, 4.18879, 0.01);
  EXPECT_NEAR(report.surfaces.at(0).area, 12.56637, 0.02);
  EXPECT_EQ(mesh::read_mesh_origin(path("ball.h5")).mirror, "xyz");
  expect_refusal("bricks.geo -o out.h5 --unit mm --size 0.5 --mirror x --mirror x", "is there twice");
  expect_refusal("bricks.geo -o out.h5 --unit mm --size 0.5 --mirror w", "must be x, y or z");
}

/// Facets of six cells around a circle cross those of a sphere that is smaller by a thirtieth: of triangles
/// alone, and in the mesh of the coat. Neither surface lies in the other, whatever the size.
TEST_F(EmMesh, ThinCoatsOfCoarseCellsDoNotCross) {
  const std::string spheres =
      "SetFactory(\"OpenCASCADE\");\nSphere(1) = {3, 2, 1, 0.3};\nSphere(2) = {3, 2, 1, 0.29};\n";
  write("skins.geo", spheres +
                         "Physical Surface(\"outer\") = Boundary{ Volume{1}; };\n"
                         "Physical Surface(\"inner\") = Boundary{ Volume{2}; };\n");
  write("coat.geo", spheres +
                        "BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }\n"
                        "Physical Volume(\"core\") = {2};\nPhysical Volume(\"coat\") = {3};\n");
  const std::string options = " -o coat.h5 --unit m --size 1 --order 1";
  ASSERT_EQ(run("skins.geo" + options).status, 0);
  const auto skins = mesh::read_mesh(path("coat.h5"));
  for (const auto& surface : skins.surfaces)
    for (const Index t : surface.entities) {
      Vec3<double> middle{-3, -2, -1};
      for (int v = 0; v < 3; ++v) middle += (1.0 / 3) * skins.nodes[std::size_t(skins.triangle(t)[v])];
      EXPECT_EQ(norm(middle) > 0.29, surface.name == "outer") << norm(middle);
    }
  const Ended ended = run("coat.geo" + options);
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(mesh::read_mesh(path("coat.h5")).volumes.size(), 2U);
}

/// A sphere that is stretched has no circles by which Gmsh knows its curvature well, and one that is
/// stretched along x, away from its poles, gets no triangles by Gmsh's default way.
TEST_F(EmMesh, AnEllipsoidOfCoarseCellsIsNotLost) {
  struct Ellipsoid {
    std::string axes;
    double size, volume, area;  // area by Thomsen's formula, to 1 %
  };
  for (const auto& e :
       {Ellipsoid{"1, 0.5, 0.25", 9, pi / 6, 3.97}, {"6, 1.4, 1.4", 0.8, 4 * pi / 3 * 11.76, 84.8}}) {
    const std::string body = "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\nDilate{ {0, 0, 0}, {" +
                             e.axes + "} } { Volume{1}; }\n";
    write("solid.geo", body + "Physical Volume(\"body\") = {1};\n");
    write("skin.geo", body + "Physical Surface(\"body\") = Boundary{ Volume{1}; };\n");
    for (const std::string name : {"solid", "skin"}) {
      const Ended ended = run(name + fmt::format(".geo -o e.h5 --unit m --size {}", e.size));
      ASSERT_EQ(ended.status, 0) << ended.err;
      const auto report = mesh::report_quality(mesh::read_mesh(path("e.h5")));
      if (name == "skin")
        EXPECT_NEAR(report.surfaces.at(0).area / e.area, 1, 0.025);
      else
        EXPECT_NEAR(report.volumes.at(0).volume / e.volume, 1, 0.02);
    }
  }
}

TEST_F(EmMesh, SizesByWavelengthAndRegion) {
  const Ended ended =
      run("bricks.geo -o b.h5 --unit m --wavelength-fraction 0.5 --frequency 299792458 --index left=4");

  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto volumes = mesh::report_quality(mesh::read_mesh(path("b.h5"))).volumes;
  EXPECT_LT(volumes.at(0).mean_edge, 0.125 * 1.6);
  EXPECT_GT(volumes.at(1).max_edge, 0.4);
}

TEST_F(EmMesh, WritesTheMeshForParaView) {
  ASSERT_EQ(run("bricks.geo --unit m --size 0.7 --order 2 --vtkhdf b.vtkhdf").status, 0);

  const auto file = io::H5File::open(path("b.vtkhdf"));
  const auto points = file.read<double>("VTKHDF/Points");
  const auto connectivity = file.read<std::int64_t>("VTKHDF/Connectivity");
  // VTK: the middles of edges 01, 12, 02, 03, 13, 23 follow the vertices. The first cell is a tetrahedron.
  const int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
  for (int e = 0; e < 6; ++e)
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(
          points[3 * connectivity[4 + e] + d],
          0.5 * (points[3 * connectivity[edges[e][0]] + d] + points[3 * connectivity[edges[e][1]] + d]),
          1e-12);
  EXPECT_TRUE(file.has("VTKHDF/CellData/volume"));
}

/// Files of newer versions of Gmsh set options that this one lacks.
TEST_F(EmMesh, OptionsThatGmshDoesNotKnowAreWarnedOf) {
  write("newer.geo",
        "SetFactory(\"OpenCASCADE\");\nMesh.NoSuchOption = 3;\nBox(1) = {0, 0, 0, 1, 1, 1};\n"
        "Physical Volume(\"box\") = {1};\n");
  const Ended ended = run("newer.geo -o newer.h5 --unit m --size 0.5");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("NoSuchOption"), std::string::npos) << ended.err;
  EXPECT_TRUE(std::filesystem::exists(path("newer.h5")));
}

TEST_F(EmMesh, WarnsOfFrequenciesInOtherUnits) {
  const Ended ended = run("bricks.geo -o b.h5 --unit mm --wavelength-fraction 0.1 --frequency 10");
  EXPECT_NE(ended.err.find("wavelengths large: check --unit, and --frequency in Hz"), std::string::npos)
      << ended.err;
}

TEST_F(EmMesh, WarnsOfVolumesThatDoNotShareTheirMesh) {
  const Ended ended = run("bricks.geo -o b.h5 --unit m --size 0.5 --set-number gap=6");

  EXPECT_EQ(ended.status, 0);
  EXPECT_NE(ended.err.find("nodes lie on others"), std::string::npos) << ended.err;
}

TEST_F(EmMesh, RefusesWrongInputsInOneLine) {
  write("empty.geo", "Physical Volume(\"a\") = {};\n");
  write("broken.geo", "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0;\n");
  write("nothing.msh",
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"a\"\n$EndPhysicalNames\n"
        "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n0\n$EndElements\n");
  write("cut.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 ");
  write("nan.msh",
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 nan\n$EndNodes\n"
        "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n");
  write("flat.msh",
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n$EndNodes\n"
        "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n");
  write("numbers.msh",
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4000000000 0 0 "
        "1\n$EndNodes\n"
        "$Elements\n1\n1 4 2 1 1 1 2 3 4000000000\n$EndElements\n");
  write("cut.h5", "\x89HDF\r\n");
  write("formula.geo",
        "SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 1, 1}; Physical Volume(\"a\") = {1};\n"
        "Field[1] = MathEval; Field[1].F = \"0.2 - -0*x\"; Background Field = 1;\n");
  write("wire.geo",
        "Point(1) = {0, 0, 0}; Point(2) = {0, 0, 1}; Line(1) = {1, 2}; Physical Curve(\"wire\") = {1};\n");
  write("ghost.geo",
        "SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 1, 1}; Physical Volume(\"a\") = {7};\n");
  write("corner.stl",
        "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 "
        "0\nendloop\nendfacet\nendsolid "
        "a\n");
  const std::string tail = " -o out.h5 --unit mm";
  write("iris.toml", "[mesh]\n");

  expect_refusal("iris.toml" + tail, "iris.toml: is a config, must be GEOMETRY|MESH.h5");
  expect_refusal("empty.geo -o none/out.h5 --unit mm",  // before the geometry is read
                 "none/out.h5: cannot be written (No such file or directory)", 3);
  expect_refusal("wire.geo" + tail, "a thin wire is a strip of four times its radius");
  expect_refusal("ghost.geo" + tail, "contain no volume and no surface of the geometry");
  expect_refusal("corner.stl --size 0.3" + tail, "is a finished mesh: the option has no effect");
  expect_refusal("bricks.geo --unit mm -o x.msh", "x.msh: em-mesh writes HDF5: name the file x.h5");
  expect_refusal("none.geo" + tail, "none.geo: no such file");
  expect_refusal("bricks.geo -o out.h5", "--unit is needed");
  expect_refusal("bricks.geo --unit mm", "--output FILE.h5 is needed");
  expect_refusal("bricks.geo -o out.h5 --unit parsec", "use one of m, cm");
  expect_refusal("bricks.geo --size 0" + tail, "--size 0: must be positive");
  expect_refusal("bricks.geo --size nan" + tail, "must be a finite number");
  expect_refusal("bricks.geo --order 3" + tail, "--order 3: 1 (straight) or 2 (curved)");
  expect_refusal("bricks.geo --wavelength-fraction 0.1" + tail, "needs --frequency");
  expect_refusal("bricks.geo --frequency -1 --wavelength-fraction 0.1" + tail, "must be positive");
  expect_refusal("bricks.geo --size 1 --frequency 1e9 --wavelength-fraction 0.1" + tail,
                 "exclude each other");
  expect_refusal("bricks.geo --set-number gap" + tail, "must be name=number");
  expect_refusal("bricks.geo --set-number gap=1x" + tail, "must be name=number");
  expect_refusal("bricks.geo --set-number gpa=1" + tail, "(known: gap)");
  expect_refusal("bricks.geo --set-number gap=0" + tail, "bricks.geo");
  expect_refusal("broken.geo" + tail, "line 2: syntax error");
  expect_refusal("empty.geo" + tail, "empty.geo");
  expect_refusal("formula.geo" + tail, "Gmsh: ");
  expect_refusal("bricks.geo --curves" + tail, "no physical curve");
  expect_refusal("bricks.geo --curves --size 1" + tail, "--size: is for meshes");
  expect_refusal("cut.msh --curves" + tail, "give the geometry");
  expect_refusal("nothing.msh" + tail, "nothing.msh");
  expect_refusal("numbers.msh" + tail, "renumber the nodes");
  expect_refusal("cut.msh" + tail, "truncated");
  expect_refusal("nan.msh" + tail, "nan.msh");
  expect_refusal("flat.msh" + tail, "1 of 1 cells have no volume");
  expect_refusal("--info cut.h5", "cut.h5");
  expect_refusal("bricks.geo -o /proc/none/out.h5 --unit mm", "/proc/none/out.h5", 3);
}

/// Gmsh 4.8 frees memory twice if a file ends in a line that includes what is no geometry.
TEST_F(EmMesh, ACrashOfGmshIsAWrongInput) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "Gmsh closes a file twice, which the sanitizer reports before it crashes";
#endif
  write("takes_in.geo", "Merge \"text\";");  // no line end
  write("text", "root:x\n");
  for (const char* more : {"", " --trust"}) {
    const Ended ended = run("takes_in.geo -o out.h5 --unit m" + std::string(more));
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_FALSE(fs::exists(folder_ / "out.h5"));
  }
}

/// Whether a process has a handler for the signal: loading the program takes time on shared cores.
bool catches(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:"))
      return (std::stoull(line.substr(7), nullptr, 16) >> unsigned(signal - 1) & 1U) != 0;
  return false;
}

TEST_F(EmMesh, EndsAtOnceWhenInterrupted) {
  const pid_t child = fork();
  if (child == 0) {
    const std::string geo = path("bricks.geo"), result = path("out.h5"),
                      program = test::program_dir() + "/em-mesh";
    execl(program.c_str(), "em-mesh", geo.c_str(), "-o", result.c_str(), "--unit", "m", "--size", "0.005",
          "-q", nullptr);
    _exit(127);
  }
  for (int wait = 0; wait < 2000 && !catches(child, SIGINT); ++wait) usleep(10000);
  usleep(100000);  // a mesh of that size takes minutes

  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);

  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(fs::exists(folder_ / "out.h5"));
}

TEST_F(EmMesh, RefusesMoreCellsThanAnyMemoryHolds) {
  const std::string meshes = test::source_dir() + "/meshes/";
  for (const char* geometry : {"wr90.geo --unit mm --size 1e-4", "sphere_surface.geo --unit m --size 1e-6",
                               "wr90.geo --unit m --wavelength-fraction 0.1 --frequency 1e10"}) {
    const Ended ended = run(meshes + geometry + " -o out.h5");
    EXPECT_EQ(ended.status, 3) << ended.err;
    EXPECT_NE(ended.err.find("check size, frequency and unit"), std::string::npos) << ended.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.h5"));
  }
}

TEST_F(EmMesh, GivesUpWhatDoesNotEndInTime) {
  const Ended ended = run("bricks.geo -o out.h5 --unit m --size 0.005 --time-limit 0.3");  // takes minutes

  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.err.find("bricks.geo: Gmsh did not finish within 0.3 s"), std::string::npos) << ended.err;
  EXPECT_FALSE(fs::exists(folder_ / "out.h5"));
}

/// Bodies with tips, at geometry order 2: middles of edges lie on the true surface too.
TEST_F(EmMesh, MeshesTipsOfBodiesOfRevolution) {
  const std::string ogive =
      test::source_dir() + "/meshes/ogive.geo -o m.h5 --unit in --set-number size=0.5 --set-number layer=0.5";
  for (const std::string extra : {" --order 2", " --order 2 --set-number distance=0.5"}) {
    ASSERT_EQ(run(ogive + extra).status, 0);
    const auto mesh = mesh::read_mesh(path("m.h5"));

    const auto report = mesh::report_quality(mesh);
    const double inch = 0.0254, radius = 13, arc = std::atan2(5.0, 12.0);  // [in], [rad]: half of the profile
    double volume = 0, area = 0;
    for (const auto& v : report.volumes) volume += v.volume;
    for (const auto& s : report.surfaces)
      if (s.name == "ogive") area = s.area;
    // Pappus: an arc turned around its chord. A parallel layer around a convex body holds more than area
    // times height.
    const double area_exact = 4 * pi * radius * (radius * std::sin(arc) - 12 * arc) * inch * inch;
    EXPECT_NEAR(area, area_exact, 2e-3 * area_exact);
    const bool has_middle = extra.find("distance") != std::string::npos;
    EXPECT_EQ(report.surfaces.size(), has_middle ? 3U : 2U);
    const double reach = 5 + (has_middle ? 1.0 : 0.5);
    EXPECT_GT(volume, area_exact * (reach - 5) * inch);
    EXPECT_NEAR(report.hi.x, reach * inch, 1e-9);
    EXPECT_NEAR(report.lo.x, -reach * inch, 1e-9);
  }
}

TEST_F(EmMesh, ScriptsThatEndGmshMakeNoMesh) {
  write(
      "exit.geo",
      "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nPhysical Volume(\"air\") = {1};\nExit;\n");

  const Ended ended = run("exit.geo -o m.h5 --unit m");

  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("Exit;"), std::string::npos) << ended.err;
  EXPECT_FALSE(fs::exists(path("m.h5")));
}

const char* const unit_box =
    "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nPhysical Volume(\"air\") = {1};\n";

TEST_F(EmMesh, RefusesScriptsThatStartPrograms) {
  write("command.geo", std::string(unit_box) + "SystemCall \"touch made_by_command\";\n");

  const Ended refused = run("command.geo -o m.h5 --unit m --size 1");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--trust"), std::string::npos) << refused.err;
  EXPECT_FALSE(fs::exists(path("m.h5")));
  EXPECT_FALSE(fs::exists(path("made_by_command")));

  EXPECT_EQ(run("command.geo -o m.h5 --unit m --size 1 --trust").status, 0);
  EXPECT_TRUE(fs::exists(path("made_by_command")));
}

/// A computed name hides the command from a search of the text: the kernel refuses it.
TEST_F(EmMesh, HiddenCommandsDoNotRun) {
  write("hidden.geo", std::string(unit_box) + "Merge StrCat(\"comm\", \"and.geo\");\n");
  write("command.geo", "SystemCall \"touch made_by_command\";\n");

  EXPECT_EQ(run("hidden.geo -o m.h5 --unit m --size 1").status, 2);
  EXPECT_FALSE(fs::exists(path("made_by_command")));
  EXPECT_EQ(run("hidden.geo -o m.h5 --unit m --size 1 --trust").status, 0);
  EXPECT_TRUE(fs::exists(path("made_by_command")));
}

/// Gmsh ignores the last command of a file without a newline at its end, also of included files.
TEST_F(EmMesh, ALastLineWithoutAnEndIsRead) {
  write("part.geo", "Physical Volume(\"left\") = {1}; Physical Volume(\"right\") = {2};");
  write("main.geo",
        "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nBox(2) = {2, 0, 0, 1, 1, 1};\n"
        "Include \"part.geo\";\na = 1; Physical Surface(\"walls\") = Surface{:};");

  ASSERT_EQ(run("main.geo -o m.h5 --unit m --size 1").status, 0);

  const auto mesh = mesh::read_mesh(path("m.h5"));
  EXPECT_EQ(mesh.volumes.size(), 2u);
  ASSERT_EQ(mesh.surfaces.size(), 1u);
  EXPECT_EQ(mesh.surfaces[0].name, "walls");
}

/// A pipe stands in for /dev/null, which a failing test would remove.
TEST_F(EmMesh, ReplacesNoDevice) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);

  expect_refusal("bricks.geo --unit m -o pipe", "pipe: is a device or a pipe");
  expect_refusal("bricks.geo --unit m --info --vtkhdf pipe", "pipe: is a device or a pipe");

  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(EmMesh, ScriptsWriteNothingOutsideOfTheOutputFolder) {
  if (syscall(__NR_landlock_create_ruleset, nullptr, 0, 1U) < 1)
    GTEST_SKIP() << "this kernel has no Landlock";
  fs::create_directories(path("out"));
  write("print.geo", std::string(unit_box) + "Printf(\"text\") > \"" + path("made_by_script") + "\";\n");

  run("print.geo -o out/m.h5 --unit m --size 1");
  EXPECT_FALSE(fs::exists(path("made_by_script")));
  EXPECT_EQ(run("print.geo -o out/m.h5 --unit m --size 1 --trust").status, 0);
  EXPECT_TRUE(fs::exists(path("made_by_script")));
}

}  // namespace
}  // namespace curlew::test
