// SPDX-License-Identifier: BSD-3-Clause
// fe-iiee on a quarter of a symmetric body against the whole, whose mesh is the quarter's with its mirror
// images: the excitations have no symmetry.

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/csv.hpp"
#include "mesh/mesh_file.hpp"
#include "mirrored_mesh.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string common =
    "[mesh]\nfile = \"part.h5\"\n[frequency]\nvalues = [299792458.0]\n[output]\nfields = false\n"
    "far_field = { theta = [0, 180, 7], phi = [0, 300, 6] }\n"
    "[[output.near_field]]\nname = \"points\"\n"
    "positions = [[0.1, 0.12, 0.05], [0.15, 0.05, -0.1], [-0.4, 0.3, 0.2]]\n[truncation]\ntolerance = "
    "1e-9\n";

class FeIieeSymmetry : public SummaryTest {
 protected:
  /// part.h5 out of a geometry, and whole.h5.
  void make_meshes(const std::string& arguments, const std::string& unit = "m") {
    const Ended made = run("em-mesh " + arguments + " --unit " + unit + " -o part.h5");
    ASSERT_EQ(made.status, 0) << made.err;
    auto mesh = mesh::read_mesh(path("part.h5"));
    mesh = mirrored(mirrored(mesh, 0, {"x_plane"}), 1, {"y_plane"});
    mesh::write_mesh(mesh, path("whole.h5"), {});
  }
  /// Runs both. @param config ends in the table [truncation]
  /// @param conditions of the planes, where ports drive
  void solve(const std::string& config, const std::string& conditions = "") {
    write("part.toml", config + "symmetry = [\"x_plane\", \"y_plane\"]\n" + conditions);
    write("whole.toml", config);
    const Ended part = run("fe-iiee part.toml --output part");
    const Ended whole = run("fe-iiee whole.toml --output whole --set mesh.file=whole.h5");
    ASSERT_EQ(part.status, 0) << part.err;
    ASSERT_EQ(whole.status, 0) << whole.err;
  }
  /// Largest difference over the largest value of these columns of a table.
  void compare(const std::string& file, const std::vector<const char*>& names, double tolerance = 1e-6) {
    const auto a = io::read_csv(path("whole/" + file)), b = io::read_csv(path("part/" + file));
    ASSERT_EQ(a.num_rows, b.num_rows);
    double largest = 0, difference = 0;
    for (const char* name : names)
      for (std::size_t i = 0; i < a.num_rows; ++i) {
        largest = std::max(largest, std::abs(a.numbers(name)[i]));
        difference = std::max(difference, std::abs(a.numbers(name)[i] - b.numbers(name)[i]));
      }
    EXPECT_GT(largest, 0);
    EXPECT_LT(difference, tolerance * largest) << file << " " << names[0];
  }
};

const std::vector<const char*> electric{"re_ex", "im_ex", "re_ey", "im_ey", "re_ez", "im_ez"};
const std::vector<const char*> magnetic{"re_hx", "im_hx", "re_hy", "im_hy", "re_hz", "im_hz"};

TEST_F(FeIieeSymmetry, WavesFromAnywhereNeedAPartOfASymmetricBody) {
  make_meshes(std::string("'") + test::source_dir() +
              "/meshes/sphere_in_air.geo' --size 0.16 --set-number radius=0.25 --set-number distance=0.1 "
              "--set-number filled=1 --set-number quarter=1 --order 1");  // rules of curved faces know their
                                                                          // corners' order
  const std::string config =
      "[[material]]\nregion = \"body\"\nepsilon_r = 3.0\n[[material]]\nregion = \"air\"\n"
      "[excitation]\ntheta = [50.0]\nphi = [25.0]\npolarization = 30\n" +
      common + "surfaces = [\"S\", \"body\"]\n";
  solve(config);
  compare("rcs.csv", {"rcs_theta_m2", "rcs_phi_m2"});
  compare("near_points.csv", electric);
  compare("near_points.csv", magnetic);
  write("stated.toml", config +
                           "symmetry = [\"x_plane\", \"y_plane\"]\n[[boundary]]\nregion = \"x_plane\"\n"
                           "type = \"pec\"\n");
  const Ended stated = run("fe-iiee stated.toml --output no");
  EXPECT_EQ(stated.status, 2);
  EXPECT_NE(stated.err.find("already has a condition"), std::string::npos) << stated.err;
}

/// 1 W of a port refers to the whole: match, field and power.
TEST_F(FeIieeSymmetry, AQuarterOfAHornIsTheWhole) {
  make_meshes(std::string("'") + test::source_dir() +
                  "/meshes/horn.geo' --size 14 --set-number distance=14 --set-number width=30 --set-number "
                  "height=20 --set-number length=12 "
                  "--set-number feed=12 --set-number guide_size=8",
              "mm");
  solve(
      "[mesh]\nfile = \"part.h5\"\n[frequency]\nvalues = [8.75e9, 9e9]\n[[material]]\nregion = \"air\"\n"
      "[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n[[port]]\nregion = \"port\"\n"
      "[output]\nfields = false\nfar_field = { theta = [0, 180, 7], phi = [0, 90, 3] }\n"
      "[truncation]\ntolerance = 1e-5\n",
      "[[boundary]]\nregion = \"x_plane\"\ntype = \"pmc\"\n[[boundary]]\nregion = \"y_plane\"\ntype = "
      "\"pec\"\n");
  // Ten times the change at which the iteration ends.
  compare("farfield.csv", {"re_e_theta", "im_e_theta", "re_e_phi", "im_e_phi"}, 1e-4);
  const auto a = results("part"), b = results("whole");
  for (const int part : {0, 1}) {
    const auto value = [part](const nlohmann::json& r) {
      return r["s_parameters"][0]["s1_1"][part].get<double>();
    };
    EXPECT_NEAR(value(a), value(b), 1e-4);
  }
  EXPECT_GT(a["radiation"][0]["radiated_w"].get<double>(), 0.5);
  for (const char* name : {"radiated_w", "accepted_w", "directivity_dbi"})
    EXPECT_NEAR(a["radiation"][0][name].get<double>(), b["radiation"][0][name].get<double>(), 1e-4) << name;
  // Bars at both frequencies: of the greatest field, the power, S and gain.
  ASSERT_EQ(a["errors"].size(), b["errors"].size());
  EXPECT_EQ(a["errors"].size(), 4U);
  for (std::size_t i = 0; i < a["errors"].size(); ++i)
    for (const auto& [key, value] : a["errors"][i].items())
      if (value.is_number()) {
        EXPECT_NEAR(value.get<double>() / b["errors"][i][key].get<double>(), 1, 1e-2) << key;
      }
}

/// Dipoles beyond the planes and on one, and a current in the cells at the middle of a brick.
TEST_F(FeIieeSymmetry, DISABLED_SourcesWithoutItsSymmetryNeedAPartOfTheBody) {
  write("bricks.geo",
        "SetFactory(\"OpenCASCADE\");\nFor i In {1:3}\n  a = (i == 1) ? 0.06 : (i == 2) ? 0.16 : 0.26;\n"
        "  Box(i) = {0, 0, -1.2 * a, a, a, 2.4 * a};\nEndFor\n"
        "BooleanFragments{ Volume{1:3}; Delete; }{}\nt = 1e-6;\n"
        "feed() = Volume In BoundingBox{-t, -t, -0.08, 0.061, 0.061, 0.08};\n"
        "body() = Volume In BoundingBox{-t, -t, -0.2, 0.161, 0.161, 0.2};\nbody() -= {feed()};\n"
        "air() = Volume{:};\nair() -= {feed(), body()};\nPhysical Volume(\"feed\") = {feed()};\n"
        "Physical Volume(\"body\") = {body()};\nPhysical Volume(\"air\") = {air()};\n"
        "x() = Surface In BoundingBox{-t, -1, -1, t, 1, 1};\ny() = Surface In BoundingBox{-1, -t, -1, 1, t, "
        "1};\n"
        "Physical Surface(\"x_plane\") = {x()};\nPhysical Surface(\"y_plane\") = {y()};\n"
        "inner() = CombinedBoundary{ Volume{feed(), body()}; };\ninner() -= {x(), y()};\n"
        "outer() = CombinedBoundary{ Volume{:}; };\nouter() -= {x(), y()};\n"
        "Physical Surface(\"S_prime\") = {inner()};\nPhysical Surface(\"S\") = {outer()};\n");
  make_meshes("bricks.geo --size 0.1");
  solve(
      "[[material]]\nregion = [\"feed\", \"body\"]\nepsilon_r = 2.0\n[[material]]\nregion = \"air\"\n"
      "[[excitation]]\ntype = \"dipole\"\nposition = [[-0.03, 0.02, 0.01], [0.02, 0.0, -0.03]]\n"
      "direction = [[1, 2, -1], [0.5, 1, 1]]\n"
      "[[excitation]]\ntype = \"current\"\nregion = \"feed\"\ndensity = [300.0, 0.0, 500.0]\n"
      "[accuracy]\nestimate = \"off\"\n" +
      common);
  compare("farfield.csv", {"re_e_theta", "im_e_theta", "re_e_phi", "im_e_phi"});
  compare("near_points.csv", electric);
  compare("near_points.csv", magnetic);
  const auto a = results("whole")["radiation"], b = results("part")["radiation"];
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const char* name : {"accepted_w", "radiated_w"})
      EXPECT_NEAR(b[i][name].get<double>() / a[i][name].get<double>(), 1, 1e-5) << name << " " << i;
}

}  // namespace
}  // namespace curlew::test
