// SPDX-License-Identifier: BSD-3-Clause
// How often programs open the files that a config names (counted by opened_files.c): the number must not
// depend on that of the frequencies, as a file that changes in between would mix two inputs.
#include <fmt/format.h>

#include <sstream>

#include "io/csv.hpp"
#include "run_program.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

/// Permitted reads of an input in a run: one to identify it (whether it is a program, and the hash of its
/// content), and one for its data.
constexpr long most = 3;

class OpenedFiles : public SummaryTest {
 protected:
  /// Runs and counts the times that a file of the folder was opened.
  long count(const std::string& command, const std::string& file) const {
    std::filesystem::remove(path("opened"));
    const Ended ended = run("CURLEW_TEST_OPENED=opened LD_PRELOAD='" OPENED_FILES "' " + command);
    EXPECT_EQ(ended.status, 0) << ended.err;
    std::istringstream list(io::read_text_file(path("opened")));
    long times = 0;
    for (std::string line; std::getline(list, line);) times += std::filesystem::path(line).filename() == file;
    return times;
  }
  /// @param command all but the frequencies [GHz]
  void expect_as_often_for_five(const std::string& command, const std::string& file, double first) const {
    const auto times = [&](int frequencies) {
      std::string list;
      for (int i = 0; i < frequencies; ++i)
        list += fmt::format("{}{}e9", i > 0 ? "," : "", first * (1 + 0.05 * i));
      return count(
          fmt::format("{} --device cpu --threads 1 -o out --set frequency.values=[{}]", command, list), file);
    };
    const long one = times(1);
    EXPECT_GE(one, 1) << command << " " << file;
    EXPECT_LE(one, most) << command << " " << file;
    EXPECT_EQ(times(5), one) << command << " " << file;
  }
};

const std::string table = "frequency_hz,epsilon_re,epsilon_im\n1e8,2,0\n1e10,3,0\n";

TEST_F(OpenedFiles, OfMom2dAreReadBeforeTheFrequencies) {
  write("eps.csv", table);
  write("points.csv", "x,y\n0,0\n1,0\n1,1\n0,1\n");
  write("c.toml",
        "[[contour]]\nname = \"post\"\ntype = \"polyline\"\nfile = \"points.csv\"\nclosed = true\ncells = "
        "8\ngrading = 0\n"
        "material = \"resin\"\n[[material]]\nregion = \"resin\"\ntable = \"eps.csv\"\n"
        "[accuracy]\nestimate = \"off\"\n[output]\nfar_field = { phi = [0, 180, 2] }\n");
  for (const std::string file : {"eps.csv", "points.csv"})
    expect_as_often_for_five("mom2d c.toml", file, 0.2);
}

TEST_F(OpenedFiles, OfProgramsWithMeshesAreReadBeforeTheFrequencies) {
  if (!exists(test::program_dir() + "/em-mesh")) GTEST_SKIP() << "built without Gmsh";
  write("eps.csv", table);
  write("ball.geo",
        "SetFactory(\"OpenCASCADE\"); Sphere(1) = {0, 0, 0, 0.1};\n"
        "Physical Surface(\"skin\") = Surface{:};\n");
  const std::string wave = "[excitation]\ntype = \"plane_wave\"\ntheta = [0]\nphi = [0]\n",
                    meshes = test::source_dir() + "/meshes/";
  write("ie.toml",
        "[mesh]\nfile = \"ball.geo\"\nunit = \"m\"\nsize = 0.1\n[[material]]\nregion = \"skin\"\ntable = "
        "\"eps.csv\"\n[formulation]\nequation = \"cfie\"\n[accuracy]\nestimate = \"off\"\n" +
            wave);
  write("fem.toml",
        "[mesh]\nfile = \"" + meshes +
            "wr90.geo\"\nunit = \"mm\"\nsize = 20\n[space]\norder = 1\n[[material]]\n"
            "region = \"air\"\ntable = \"eps.csv\"\n[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n"
            "[[port]]\nregion = \"port1\"\n[[port]]\nregion = \"port2\"\n[accuracy]\nestimate = \"off\"\n");
  write("iiee.toml",
        "[mesh]\nfile = \"" + meshes +
            "sphere_in_air.geo\"\nunit = \"m\"\nsize = 0.2\n"
            "parameters = { radius = 0.2, distance = 0.1 }\n[space]\norder = 1\n[[material]]\nregion = "
            "\"air\"\n"
            "table = \"eps.csv\"\n[[boundary]]\nregion = \"body\"\ntype = \"pec\"\n[truncation]\n"
            "surfaces = [\"S\", \"body\"]\n[output]\nfields = false\n[accuracy]\nestimate = \"off\"\n" +
            wave);

  expect_as_often_for_five("ie-solve ie.toml", "eps.csv", 0.2);
  expect_as_often_for_five("fem-solve fem.toml", "eps.csv", 5);
  expect_as_often_for_five("fe-iiee iiee.toml", "eps.csv", 0.2);
}

/// A frequency beyond the table is found after the config has been read and closed.
TEST_F(OpenedFiles, LateErrorsNameFileAndLine) {
  write("eps.csv", "frequency_hz,epsilon_re,epsilon_im\n1e8,4,-0.1\n1e9,3,-0.2\n");
  write("c.toml",
        "[[contour]]\nname = \"post\"\ntype = \"circle\"\nradius = 1\nmaterial = \"resin\"\n"
        "[[material]]\nregion = \"resin\"\ntable = \"eps.csv\"\n[frequency]\nvalues = [2e8, 2e9]\n");

  const Ended ended = run("mom2d c.toml --device cpu -o out");
  const Ended set = run("mom2d c.toml --device cpu -o out --set contour.0.type=circle");

  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("c.toml:3: contour 1: "), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("has no permittivity at 2 GHz"), std::string::npos) << ended.err;
  EXPECT_NE(set.err.find("--set contour.0.type=circle: contour 1: "), std::string::npos) << set.err;
}

}  // namespace
}  // namespace curlew::test
