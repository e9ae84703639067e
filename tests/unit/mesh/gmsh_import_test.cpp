// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_import.hpp"

#include <gmsh.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "mesh/check.hpp"
#include "mesh/gmsh_join.hpp"
#include "mesh/quality.hpp"
#include "mesh/topology.hpp"
#include "test_paths.hpp"

namespace curlew::mesh {
namespace {

namespace fs = std::filesystem;

/// A folder for the files of one test.
class Import : public testing::Test {
 protected:
  Import() { fs::create_directories(folder_); }
  ~Import() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  /// The one-line message of an import that must fail.
  static std::string complaint(const std::string& path, const ImportOptions& options) {
    try {
      check_mesh(import_gmsh(path, options));
    } catch (const InputError& e) {
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
      return e.what();
    }
    return "";
  }
  fs::path folder_ =
      fs::temp_directory_path() /
      (std::string("curlew_import_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << text << "\" lacks \"" << part << "\"";
}

/// Two bricks that share a face; the second is as long as the parameter says.
const char* const bricks = R"(
DefineConstant[ gap = {2, Name "Parameters/gap"}, unused = 1 ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Box(2) = {1, 0, 0, gap, 1, 1};
Coherence;
Physical Volume("left") = {1};
Physical Volume("right") = {2};
Physical Surface("port1", 11) = Surface In BoundingBox{-0.1, -0.1, -0.1, 0.1, 1.1, 1.1};
Physical Surface("ends", 12) = {Surface In BoundingBox{-0.1, -0.1, -0.1, 0.1, 1.1, 1.1}, Surface In BoundingBox{gap + 0.9, -0.1, -0.1, gap + 1.1, 1.1, 1.1}};
Physical Volume("all") = {1, 2};
)";

const char* const ball = R"(
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 1};
Physical Volume("ball") = {1};
Physical Surface("wall") = {1};
)";

double volume_of(const Mesh& mesh, const std::string& name) {
  for (const auto& region : report_quality(mesh).volumes)
    if (region.name == name) return region.volume;
  return -1;
}
double area_of(const Mesh& mesh, const std::string& name) {
  for (const auto& region : report_quality(mesh).surfaces)
    if (region.name == name) return region.area;
  return -1;
}

TEST_F(Import, TakesGroupsParametersAndUnit) {
  const auto geo = write("bricks.geo", bricks);

  const Mesh mesh = import_gmsh(geo, {.unit = "mm", .size = 0.5, .parameters = {{"gap", 3}}});

  EXPECT_NO_THROW(check_mesh(mesh));
  EXPECT_NEAR(volume_of(mesh, "left"), 1e-9, 1e-20);
  EXPECT_NEAR(volume_of(mesh, "right"), 3e-9, 1e-20);
  EXPECT_NEAR(volume_of(mesh, "all"), 4e-9, 1e-20);
  EXPECT_NEAR(area_of(mesh, "port1"), 1e-6, 1e-17);
  EXPECT_NEAR(area_of(mesh, "ends"), 2e-6, 1e-17);
  EXPECT_EQ(count_coincident_nodes(mesh), 0u);
}

TEST_F(Import, SizeBoundsTheCellsAndRegionsHaveTheirOwn) {
  const auto geo = write("bricks.geo", bricks);

  const auto coarse = report_quality(import_gmsh(geo, {.unit = "m", .size = 0.5})).volumes;
  const auto fine = report_quality(import_gmsh(geo, {.unit = "m", .size = 0.25})).volumes;
  const auto mixed =
      report_quality(import_gmsh(geo, {.unit = "cm", .region_sizes = {{"left", 0.001}, {"right", 0.005}}}))
          .volumes;

  EXPECT_GT(fine.at(2).cells, 2 * coarse.at(2).cells);
  EXPECT_LT(fine.at(2).mean_edge, 0.25 * 1.3);
  ASSERT_EQ(mixed.at(0).name, "left");
  EXPECT_LT(mixed.at(0).mean_edge, 1.3 * 0.001);
  EXPECT_GT(mixed.at(1).max_edge, 0.003);
  EXPECT_LT(mixed.at(1).max_edge, 1.8 * 0.005);
}

TEST_F(Import, ASizeGreaterThanGmshsDefaultCounts) {
  const std::string cube =
      "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nPhysical Volume(\"v\") = {1};\n";

  const Mesh plain = import_gmsh(write("plain.geo", cube), {.unit = "m", .size = 1});
  const Mesh sized = import_gmsh(write("sized.geo", cube + "MeshSize{PointsOf{Volume{1};}} = 0.25;"),
                                 {.unit = "m", .size = 1});
  const Mesh limited =
      import_gmsh(write("limited.geo", cube + "Mesh.MeshSizeMax = 0.25;"), {.unit = "m", .size = 1});

  EXPECT_LT(plain.num_cells(), 40);
  EXPECT_GT(sized.num_cells(), 200);
  EXPECT_GT(limited.num_cells(), 200);  // a size in the geometry is a limit as well
}

TEST_F(Import, CurvedCellsFollowTheSphereAndStraightOnesDoNot) {
  const auto geo = write("ball.geo", ball);

  const Mesh straight = import_gmsh(geo, {.unit = "m", .size = 0.6, .order = 1});
  const Mesh curved = import_gmsh(geo, {.unit = "m", .size = 0.6});  // by itself where the geometry bends

  const double exact = 4 * pi / 3;
  EXPECT_NO_THROW(check_mesh(curved));
  EXPECT_EQ(curved.num_cells(), straight.num_cells());
  EXPECT_GT(std::abs(volume_of(straight, "ball") - exact) / exact, 0.03);
  EXPECT_LT(std::abs(volume_of(curved, "ball") - exact) / exact, 0.003);
  // The middle nodes belong to the edges stated in mesh.hpp: those of boundary triangles lie on the sphere.
  for (Index t = 0; t < curved.num_triangles(); ++t)
    for (int e = 0; e < 3; ++e) {
      const Index* n = curved.triangle(t);
      const auto middle = curved.nodes[n[3 + e]];
      const auto straight_middle = 0.5 * (curved.nodes[n[triangle_edge_vertices[e][0]]] +
                                          curved.nodes[n[triangle_edge_vertices[e][1]]]);
      EXPECT_NEAR(norm(middle), 1, 1e-6);
      EXPECT_LT(norm(middle - straight_middle), 0.2);
    }
}

/// Two cells of six around a circle fold over here. They alone lose their curves: without these the ball
/// would be smaller by 4 %.
TEST_F(Import, AFewFoldedCellsDoNotStraightenTheOthers) {
  const auto geo = write("balls.geo", R"(
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 0.05};
Sphere(2) = {0, 0, 0, 0.1};
BooleanFragments{ Volume{1:2}; Delete; }{}
Physical Volume("body") = {1};
Physical Volume("air") = {2};
)");

  const Mesh mesh = import_gmsh(geo, {.unit = "m", .region_sizes = {{"body", 0.022334}, {"air", 0.0499655}}});

  EXPECT_EQ(mesh.geometry_order, 2);
  EXPECT_NO_THROW(check_mesh(mesh));
  const double exact = 4 * pi / 3 * std::pow(0.05, 3);
  EXPECT_NEAR(volume_of(mesh, "body"), exact, 0.005 * exact);
}

TEST_F(Import, ReadsMsh2) {
  // By hand: one tetrahedron a group, node numbers with gaps; the same triangle is in two groups.
  const auto msh2 = write("two.msh", R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
4
2 1 "port1"
2 2 "walls"
3 3 "air"
3 4 "slab"
$EndPhysicalNames
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
7 0 0 1
9 1 1 1
$EndNodes
$Elements
5
1 2 2 1 1 1 2 3
2 2 2 2 1 1 2 3
3 2 2 2 2 9 3 7
4 4 2 3 1 1 2 3 7
5 4 2 4 2 9 3 2 7
$EndElements
)");

  const Mesh mesh = import_gmsh(msh2, {.unit = "inch"});

  EXPECT_NO_THROW(check_mesh(mesh));
  EXPECT_EQ(mesh.num_cells(), 2);
  EXPECT_EQ(mesh.num_triangles(), 2);
  EXPECT_EQ(mesh.geometry_order, 1);
  ASSERT_EQ(mesh.surfaces.size(), 2u);
  EXPECT_EQ(mesh.surfaces[0].entities.size(), 1u);
  EXPECT_EQ(mesh.surfaces[1].entities.size(), 2u);
  EXPECT_NEAR(volume_of(mesh, "air"), std::pow(0.0254, 3) / 6, 1e-18);
  EXPECT_NEAR(volume_of(mesh, "slab"), std::pow(0.0254, 3) / 3, 1e-18);
}

/// The bricks meshed by Gmsh itself and written as .msh.
void save_bricks(const std::string& geo, const std::string& msh, double version, int order, double size) {
  gmsh::initialize();
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::open(geo);
  gmsh::option::setNumber("Mesh.MeshSizeMax", size);
  gmsh::option::setNumber("Mesh.MshFileVersion", version);
  gmsh::model::mesh::generate(3);
  gmsh::model::mesh::setOrder(order);
  gmsh::write(msh);
  gmsh::finalize();
}

TEST_F(Import, ReadsQuadraticMshAndKeepsItsOrderUnlessAskedOtherwise) {
  const auto saved = (folder_ / "saved.msh").string();
  save_bricks(write("bricks.geo", bricks), saved, 4.1, 2, 0.5);

  const Mesh read = import_gmsh(saved, {.unit = "m"});
  const Mesh linear = import_gmsh(saved, {.unit = "m", .order = 1});

  EXPECT_EQ(read.geometry_order, 2);
  EXPECT_EQ(linear.geometry_order, 1);
  EXPECT_EQ(read.num_cells(), linear.num_cells());
  EXPECT_NO_THROW(check_mesh(read));
  EXPECT_NO_THROW(check_mesh(linear));
  EXPECT_NEAR(volume_of(read, "all"), volume_of(linear, "left") + volume_of(linear, "right"), 1e-12);
}

TEST_F(Import, StepKnowsItsUnitAndGetsAGroupForEveryVolume) {
  const std::string step = test::source_dir() + "/tests/data/two_bricks.step";  // 30 x 10 x 10 mm

  for (const char* unit : {"mm", "m", "inch"}) {
    const Mesh mesh = import_gmsh(step, {.unit = unit,
                                         .size = 0.006 / (std::string(unit) == "mm" ? 1e-3
                                                          : unit[0] == 'm'          ? 1
                                                                                    : 0.0254)});
    EXPECT_NO_THROW(check_mesh(mesh));
    ASSERT_EQ(mesh.volumes.size(), 2u);
    EXPECT_NEAR(volume_of(mesh, "volume_1") + volume_of(mesh, "volume_2"), 3e-6, 1e-15) << unit;
    EXPECT_EQ(mesh.surfaces.size(), 11u);
    EXPECT_EQ(count_coincident_nodes(mesh), 0u);
  }
}

/// Bodies of 20 x 10 x 10 and 10 x 10 x 10 mm as CAD programs name them; a name for two bodies is one region.
TEST_F(Import, BodiesOfAStepFileHaveItsNames) {
  const std::string text = io::read_text_file(test::source_dir() + "/tests/data/two_bricks.step");
  const auto named = [&](const std::string& first, const std::string& second) {
    std::string of_cad = text;
    for (const auto& [number, name] : {std::pair{".1'", first}, {".2'", second}})
      for (const std::string made_up = std::string("'Open CASCADE STEP translator 7.6 1") + number;;) {
        const auto at = of_cad.find(made_up);
        if (at == std::string::npos) break;
        of_cad.replace(at, made_up.size(), "'" + name + "'");
      }
    return import_gmsh(write("named.step", of_cad), {.unit = "mm", .size = 6});
  };

  const Mesh board = named("FR4 board", "air");
  ASSERT_EQ(board.volumes.size(), 2u);
  EXPECT_NEAR(volume_of(board, "FR4 board"), 2e-6, 1e-15);
  EXPECT_NEAR(volume_of(board, "air"), 1e-6, 1e-15);
  EXPECT_NEAR(volume_of(named("brick", "brick"), "brick"), 3e-6, 1e-15);
  EXPECT_NEAR(volume_of(named("SOLID", "air"), "volume_1"), 2e-6, 1e-15);
}

TEST_F(Import, AStepFileInAScriptHasTheUnitOfTheScript) {
  const std::string take_in = "Merge \"" + test::source_dir() + "/tests/data/two_bricks.step\";\n";
  const std::string groups = "Coherence;\nPhysical Volume(\"bricks\") = {Volume{:}};\n";
  const auto script = write("take_in.geo", "SetFactory(\"OpenCASCADE\");\n" + take_in + groups);

  for (const char* unit : {"mm", "m", "inch"})
    EXPECT_NEAR(volume_of(import_gmsh(script, {.unit = unit}), "bricks"), 3e-6, 1e-15) << unit;

  EXPECT_TRUE(contains(complaint(script, {.unit = "nm"}), "\"nm\" is not offered"));
  const auto other = write(
      "other.geo", "SetFactory(\"OpenCASCADE\");\nGeometry.OCCTargetUnit = \"MM\";\n" + take_in + groups);
  EXPECT_TRUE(contains(complaint(other, {.unit = "m"}), "another unit than m"));
}

/// The geometry of a script written as a .brep, which has no groups.
std::string save_brep(const std::string& geo, const std::string& brep) {
  gmsh::initialize();
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::open(geo);
  gmsh::write(brep);
  gmsh::finalize();
  return brep;
}

/// Length of the edges that bound one triangle alone.
double rim_of(const Mesh& mesh) {
  std::map<std::pair<Index, Index>, int> uses;
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    for (int e = 0; e < 3; ++e) {
      const Index* corners = mesh.triangle(t);
      ++uses[std::minmax(corners[e], corners[(e + 1) % 3])];
    }
  double length = 0;
  for (const auto& [ends, count] : uses)
    if (count == 1)
      length += norm(mesh.nodes[std::size_t(ends.first)] - mesh.nodes[std::size_t(ends.second)]);
  return length;
}

TEST_F(Import, SheetsOfAStepFileShareTheEdgesInWhichTheyMeet) {
  // Three right triangles, each with separate edges in the file.
  const Mesh mesh = import_gmsh(test::source_dir() + "/meshes/trihedral.step", {.unit = "cm", .size = 15});

  EXPECT_EQ(mesh.num_cells(), 0);
  for (const char* sheet : {"surface_1", "surface_2", "surface_3"})
    EXPECT_NEAR(area_of(mesh, sheet), 0.9 * 0.9 / 2, 1e-12) << sheet;
  EXPECT_NEAR(rim_of(mesh), 3 * std::sqrt(2) * 0.9, 1e-9);
  EXPECT_EQ(count_coincident_nodes(mesh), 0u);
}

/// One strip goes 3 cm through the other: areas are those of the rectangles, and rims end where they cross.
TEST_F(Import, SheetsOfAScriptThatCrossAreJoined) {
  const std::string strips = R"(
SetFactory("OpenCASCADE");
Rectangle(1) = {-0.5, -0.05, 0, 1, 0.1};
Rectangle(2) = {-0.05, -0.03, 0, 0.1, 0.53};
Rotate {{1, 0, 0}, {0, 0, 0}, Pi/2} { Surface{2}; }
Physical Surface("flat", 7) = {1};
Physical Surface("upright") = {2};
)";
  const Mesh mesh = import_gmsh(write("t.geo", strips), {.unit = "m", .size = 0.04});
  const Mesh apart = import_gmsh(write("f.geo", strips + "Field[1] = MathEval; Field[1].F = \"1\";\n"),
                                 {.unit = "m", .size = 0.04});

  EXPECT_NEAR(area_of(mesh, "flat"), 0.1, 1e-12);
  EXPECT_NEAR(area_of(mesh, "upright"), 0.053, 1e-12);
  EXPECT_NEAR(rim_of(mesh), 2 * (1 + 0.1) + 2 * (0.1 + 0.53), 1e-9);
  EXPECT_TRUE(are_joined(mesh, true));
  EXPECT_FALSE(are_joined(apart, true)) << "fields name entities by their numbers";
}

/// A patch on a board in air, which the script has not embedded: it consists of faces of cells.
TEST_F(Import, ASheetOnASolidOfAScriptIsJoined) {
  const auto script = write("board.geo", R"(
SetFactory("OpenCASCADE");
Box(1) = {-1, -1, 0, 2, 2, 0.3};
Box(2) = {-2, -2, -2, 4, 4, 4};
BooleanDifference(3) = { Volume{2}; Delete; }{ Volume{1}; };
Rectangle(100) = {-0.4, -0.4, 0.3, 0.8, 0.8};
Physical Volume("board") = {1};
Physical Volume("air") = {3};
Physical Surface("patch") = {100};
Physical Surface("outer") = CombinedBoundary{ Volume{1, 3}; };
)");

  const Mesh mesh = import_gmsh(script, {.unit = "m", .size = 1});

  EXPECT_NO_THROW(check_mesh(mesh));
  EXPECT_NO_THROW(build_topology(mesh));
  EXPECT_NEAR(volume_of(mesh, "board"), 1.2, 1e-12);
  EXPECT_NEAR(volume_of(mesh, "air"), 64 - 1.2, 1e-9);
  EXPECT_NEAR(area_of(mesh, "patch"), 0.64, 1e-12);
  EXPECT_NEAR(area_of(mesh, "outer"), 96, 1e-9);
}

TEST_F(Import, RegionsThatOverlapAreNamed) {
  for (const char* place : {"0.5, 0, 0, 1, 1, 1", "0.2, 0.2, 0.2, 0.3, 0.3, 0.3"}) {
    const auto script =
        write("overlap.geo", "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nBox(2) = {" +
                                 std::string(place) +
                                 "};\nPhysical Volume(\"one\") = {1};\nPhysical Volume(\"other\") = {2};\n");

    EXPECT_TRUE(
        contains(complaint(script, {.unit = "m", .size = 1}), "regions \"one\" and \"other\" overlap: cut"));
    EXPECT_EQ(complaint(script, {.unit = "m", .size = 1, .for_surfaces = true}), "");
  }
}

TEST_F(Import, ASheetInOneSolidConsistsOfFacesOfItsCells) {
  const auto brep = save_brep(write("sheet.geo", R"(
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Rectangle(20) = {0.25, 0.25, 0.5, 0.5, 0.5};
)"),
                              (folder_ / "sheet.brep").string());

  const Mesh mesh = import_gmsh(brep, {.unit = "m", .size = 0.3});

  EXPECT_NO_THROW(check_mesh(mesh));  // which wants every triangle to be a face of a cell
  EXPECT_NEAR(volume_of(mesh, "volume_1"), 1, 1e-12);
  double sheets = 0;
  for (const auto& region : report_quality(mesh).surfaces) sheets += region.area;
  EXPECT_NEAR(sheets, 6 + 0.25, 1e-12);
}

TEST_F(Import, CurvesAloneAreNoMesh) {
  const auto brep = save_brep(write("line.geo", R"(
SetFactory("OpenCASCADE");
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Line(1) = {1, 2};
)"),
                              (folder_ / "line.brep").string());

  EXPECT_TRUE(contains(complaint(brep, {.unit = "m"}), "has no volume and no surface"));
}

/// The corner of the unit cube that x + y + z <= 1 cuts off, as triangles with separate corners.
constexpr const char* corner_stl = R"(solid corner
facet normal 0 0 -1
outer loop
vertex 0 0 0
vertex 0 1 0
vertex 1 0 0
endloop
endfacet
facet normal 0 -1 0
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 0 1
endloop
endfacet
facet normal -1 0 0
outer loop
vertex 0 0 0
vertex 0 0 1
vertex 0 1 0
endloop
endfacet
facet normal 1 1 1
outer loop
vertex 1 0 0
vertex 0 1 0
vertex 0 0 1
endloop
endfacet
endsolid corner
)";
constexpr const char* corner_ply = R"(ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 4
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
0 0 1
3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3
)";

TEST_F(Import, TrianglesOfStlAndPlyFilesMeetAtTheirCorners) {
  for (const auto& [name, text] : {std::pair{"corner.stl", corner_stl}, {"corner.ply", corner_ply}}) {
    const Mesh mesh = import_gmsh(write(name, text), {.unit = "mm"});
    EXPECT_NO_THROW(check_mesh(mesh, MeshUse::surfaces)) << name;
    ASSERT_EQ(mesh.surfaces.size(), 1u) << name;
    EXPECT_TRUE(mesh.surfaces[0].name.starts_with("surface_")) << mesh.surfaces[0].name;
    EXPECT_EQ(mesh.num_triangles(), 4) << name;
    ASSERT_EQ(mesh.nodes.size(), 4u) << name;
    double area = 0;
    for (Index t = 0; t < mesh.num_triangles(); ++t) {
      const auto corner = [&](int i) { return mesh.nodes[std::size_t(mesh.triangle(t)[i])]; };
      area += 0.5 * norm(cross(corner(1) - corner(0), corner(2) - corner(0)));
    }
    EXPECT_NEAR(area, 1e-6 * (1.5 + 0.5 * std::sqrt(3.0)), 1e-15) << name;
  }
}

TEST_F(Import, PropertyNumbersOfANastranFileAreRegions) {
  // Two tetrahedra of properties 5 and 7 with the face x = 0 between them, of property 9.
  const std::string text = R"(BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,0.,1.,0.
GRID,3,,0.,0.,1.
GRID,4,,2.,0.,0.
GRID,5,,-1.,0.,0.
CTETRA,1,5,1,2,3,4
CTETRA,2,7,1,3,2,5
CTRIA3,3,9,1,2,3
ENDDATA
)";

  const Mesh mesh = import_gmsh(write("two.bdf", text), {.unit = "m"});

  EXPECT_NO_THROW(check_mesh(mesh));
  EXPECT_EQ(mesh.num_cells(), 2);
  ASSERT_EQ(mesh.volumes.size(), 2u);
  EXPECT_NEAR(volume_of(mesh, "volume_5"), 2.0 / 6, 1e-14);
  EXPECT_NEAR(volume_of(mesh, "volume_7"), 1.0 / 6, 1e-14);
  ASSERT_EQ(mesh.surfaces.size(), 1u);
  EXPECT_EQ(mesh.surfaces[0].name, "surface_9");
}

TEST_F(Import, DamagedMeshesOfOtherProgramsAreNamed) {
  const ImportOptions metres{.unit = "m"};
  for (const char* name : {"a.stl", "b.ply", "c.bdf", "d.unv", "e.mesh"})
    for (const char* text : {"", "solid", "ply\nformat ascii 1.0\n", "no mesh at all\n"})
      EXPECT_TRUE(contains(complaint(write(name, text), metres), name)) << name << ": " << text;
}

TEST_F(Import, NumbersFollowSpace) {
  const Mesh mesh = import_gmsh(write("bricks.geo", bricks), {.unit = "m", .size = 0.15});
  const Topology topology = build_topology(mesh);

  double mean = 0;
  for (const auto& [a, b] : topology.edges) mean += double(b - a) / topology.num_edges();

  EXPECT_LT(mean, 0.1 * double(mesh.nodes.size()));  // a random numbering gives a third
}

TEST_F(Import, SaysInOneLineWhatIsWrong) {
  const ImportOptions metres{.unit = "m"};
  EXPECT_TRUE(contains(complaint((folder_ / "none.geo").string(), metres), "no such file"));
  EXPECT_TRUE(contains(complaint(write("a.obj", "v 0 0 0"), metres), "not a geometry or mesh format"));
  EXPECT_TRUE(
      contains(complaint(write("b.geo", "SetFactory(\"OpenCASCADE\");\nBox(1) = {0,0,0,1,1,1;\n"), metres),
               "line 2: syntax error"));
  EXPECT_TRUE(
      contains(complaint(write("c.geo", "SetFactory(\"OpenCASCADE\");\nBox(1) = {0,0,0,1,1,1};\n"), metres),
               "no physical volume"));
  EXPECT_TRUE(contains(complaint(write("d.geo", bricks), {.unit = "furlong"}),
                       "\"furlong\" is not known: use one of m, cm"));
  EXPECT_TRUE(contains(complaint(write("d.geo", bricks), {.unit = "m", .parameters = {{"gpa", 1}}}),
                       "\"gpa\" is in no DefineConstant (known: gap, unused)"));
  EXPECT_TRUE(contains(complaint(write("d.geo", bricks), {.unit = "m", .region_sizes = {{"rihgt", 1}}}),
                       "(volumes: left, right, all)"));
  EXPECT_TRUE(contains(complaint(write("d.geo", bricks), {.unit = "m", .size = -1.0}), "must be positive"));
  EXPECT_TRUE(contains(complaint(write("d.geo", bricks), {.unit = "m", .order = 3}), "geometry order 3"));
  EXPECT_TRUE(contains(complaint(write("e.msh", "hello"), metres), "truncated"));
  EXPECT_TRUE(contains(
      complaint(
          write("f.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n$Elements\n0\n$EndElements\n"),
          metres),
      "no physical volume"));
  EXPECT_TRUE(contains(complaint(write("g.step", "ISO-10303-21;\n"), metres), "g.step"));
}

TEST_F(Import, TruncatedMshIsAnErrorWhereverItEnds) {
  const auto geo = write("bricks.geo", bricks);
  for (const double version : {2.2, 4.1}) {
    const auto whole = folder_ / "whole.msh", cut = folder_ / "cut.msh";
    save_bricks(geo, whole.string(), version, 1, 0.7);
    ASSERT_EQ(complaint(whole.string(), {.unit = "m"}), "");

    for (const double part : {0.999, 0.9, 0.6, 0.3, 0.05, 0.0}) {
      fs::copy_file(whole, cut, fs::copy_options::overwrite_existing);
      fs::resize_file(cut, std::uintmax_t(part * double(fs::file_size(whole))));
      EXPECT_NE(complaint(cut.string(), {.unit = "m"}), "") << version << " " << part;
    }
  }
}

TEST_F(Import, AFrontalMeshIsMadeWithoutNetgen) {
  const auto frontal = write("frontal.geo", std::string(bricks) + "Mesh.Algorithm3D = 4;\n");

  EXPECT_NO_THROW(check_mesh(import_gmsh(frontal, {.unit = "m"})));
}

TEST_F(Import, NamesTheGroupThatIsMissing) {
  const std::string head =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
      "$EndNodes\n$Elements\n1\n";
  const auto triangle = write("triangle.msh", head + "1 2 2 0 1 1 2 3\n$EndElements\n");
  const auto cell = write("cell.msh", head + "1 4 2 0 1 1 2 3 4\n$EndElements\n");

  EXPECT_TRUE(contains(complaint(triangle, {.unit = "m"}), "no physical surface: add Physical Surface"));
  EXPECT_TRUE(contains(complaint(cell, {.unit = "m"}), "no physical volume: add Physical Volume"));
}

/// Groups of the elements decide, not elementary tags, which some programs write as 1 or 0 for all. Areas of
/// the triangles of a unit tetrahedron: 1/2 three times, and sqrt(3)/2.
TEST_F(Import, GroupsThatShareAnElementaryTagStayApart) {
  const std::string head =
      "$PhysicalNames\n4\n2 1 \"floor\"\n2 2 \"others\"\n3 3 \"air\"\n3 4 \"slab\"\n$EndPhysicalNames\n";
  const auto text = write("one.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + head + R"($Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1
$EndNodes
$Elements
6
1 2 2 1 0 1 2 3
2 2 2 2 0 1 2 4
3 2 2 2 0 1 3 4
4 2 2 2 0 2 3 4
5 4 2 3 0 1 2 3 4
6 4 2 4 0 2 3 4 5
$EndElements
)");
  std::string nodes, elements;
  const auto add = [](std::string& to, const auto& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  const std::vector<std::array<double, 3>> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  for (int i = 0; i < 5; ++i) {
    add(nodes, i + 1);
    for (const double x : points[i]) add(nodes, x);
  }
  for (const int number : {2, 4, 2, 1, 1, 7, 1, 2, 3, 2, 2, 7, 1, 2, 4, 3, 2, 7, 1, 3, 4, 4,
                           2, 7, 2, 3, 4, 4, 2, 2, 5, 3, 7, 1, 2, 3, 4, 6, 4, 7, 2, 3, 4, 5})
    add(elements, number);
  std::string one;
  add(one, 1);
  const auto binary =
      write("binary.msh", "$MeshFormat\n2.2 1 8\n" + one + "\n$EndMeshFormat\n" + head + "$Nodes\n5\n" +
                              nodes + "\n$EndNodes\n$Elements\n6\n" + elements + "\n$EndElements\n");

  for (const auto& file : {text, binary}) {
    const auto report = report_quality(import_gmsh(file, {.unit = "m"}));
    ASSERT_EQ(report.surfaces.size(), 2u) << file;
    EXPECT_EQ(report.surfaces[0].triangles, 1) << file;
    EXPECT_NEAR(report.surfaces[0].area, 0.5, 1e-12) << file;
    EXPECT_EQ(report.surfaces[1].triangles, 3) << file;
    EXPECT_NEAR(report.surfaces[1].area, 1 + std::sqrt(3) / 2, 1e-12) << file;
    ASSERT_EQ(report.volumes.size(), 2u) << file;
    EXPECT_NEAR(report.volumes[0].volume, 1.0 / 6, 1e-12) << file;
    EXPECT_NEAR(report.volumes[1].volume, 1.0 / 3, 1e-12) << file;
  }
}

TEST_F(Import, PhysicalSurfacesAloneGiveTriangles) {
  const auto skin = write("skin.geo", R"(
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 1};
Physical Surface("skin") = Boundary{ Volume{1}; };
)");

  const Mesh mesh = import_gmsh(skin, {.unit = "mm", .size = 0.3});

  EXPECT_EQ(mesh.num_cells(), 0);
  ASSERT_EQ(mesh.surfaces.size(), 1u);
  EXPECT_EQ(mesh.num_triangles(), Index(mesh.surfaces[0].entities.size()));
  EXPECT_NEAR(report_quality(mesh).surfaces[0].area, 4e-6 * pi, 0.05 * 4e-6 * pi);
  EXPECT_NO_THROW(check_mesh(mesh, MeshUse::surfaces));
  EXPECT_TRUE(contains(complaint(skin, {.unit = "mm"}), "no cells"));
}

/// At these sizes Gmsh's frontal triangles have edges of 2.07 and 1.55 sizes at a pole.
TEST_F(Import, TrianglesAtPolesOfSpheresAreNoLongerThanOthers) {
  const std::string sphere = "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 25};\n",
                    skin = "Physical Surface(\"skin\") = {1};\n";
  const auto surface = write("surface.geo", sphere + skin),
             both = write("both.geo", sphere + skin + "Physical Volume(\"ball\") = {1};\n");
  for (const auto& path : {surface, both})
    for (const double size : {10.4, 5.0}) {
      const Mesh mesh = import_gmsh(path, {.unit = "m", .size = size, .for_surfaces = true});

      double longest = 0;
      for (Index t = 0; t < mesh.num_triangles(); ++t)
        for (int i = 0; i < 3; ++i) {
          const Index *n = mesh.triangle(t), a = n[i], b = n[(i + 1) % 3];
          longest = std::max(longest, norm(mesh.nodes[b] - mesh.nodes[a]));
        }
      EXPECT_LT(longest, 1.5 * size) << path;
    }
}

TEST_F(Import, OtherCellsThanTetrahedraAreAnError) {
  const auto hexahedra = write("h.geo", R"(
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Transfinite Curve{:} = 3; Transfinite Surface{:}; Transfinite Volume{:}; Recombine Surface{:};
Physical Volume("v") = {1};
)");

  EXPECT_TRUE(contains(complaint(hexahedra, {.unit = "m"}), "Hexahedron 8"));
}

}  // namespace
}  // namespace curlew::mesh
