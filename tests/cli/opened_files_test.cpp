// SPDX-License-Identifier: BSD-3-Clause
// How often programs open the files that a config names (counted by opened_files.c): the number must not
// depend on that of the frequencies, as a file that changes in between would mix two inputs.
#include <algorithm>
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
};

const std::string table = "frequency_hz,epsilon_re,epsilon_im\n1e8,4,-0.1\n1e9,3,-0.2\n";

TEST_F(OpenedFiles, OfMom2dAreReadBeforeTheFrequencies) {
  write("eps.csv", table);
  write("points.csv", "x,y\n0,0\n1,0\n1,1\n0,1\n");
  write("c.toml",
        "[[contour]]\nname = \"post\"\ntype = \"polyline\"\nfile = \"points.csv\"\nclosed = true\ncells = "
        "8\ngrading = 0\n"
        "material = \"resin\"\n[[material]]\nregion = \"resin\"\ntable = \"eps.csv\"\n"
        "[accuracy]\nestimate = \"off\"\n[output]\nfar_field = { phi = [0, 180, 2] }\n");
  const std::string mom2d = "mom2d c.toml --device cpu --threads 1 -o out --set frequency.values=";

  for (const std::string file : {"eps.csv", "points.csv"}) {
    const long one = count(mom2d + "[2e8]", file),
               five = count(mom2d + "[2e8,2.1e8,2.2e8,2.3e8,2.4e8]", file);
    EXPECT_GE(one, 1) << file;
    EXPECT_LE(one, most) << file;
    EXPECT_EQ(five, one) << file;
  }
}

TEST_F(OpenedFiles, OfIeSolveAreReadBeforeTheFrequencies) {
  if (!exists(test::program_dir() + "/em-mesh")) GTEST_SKIP() << "built without Gmsh";
  write("eps.csv", table);
  write("ball.geo",
        "SetFactory(\"OpenCASCADE\"); Sphere(1) = {0, 0, 0, 0.1};\n"
        "Physical Surface(\"skin\") = Surface{:};\n");
  write("c.toml",
        "[mesh]\nfile = \"ball.geo\"\nunit = \"m\"\nsize = 0.1\n[[material]]\nregion = \"skin\"\ntable = "
        "\"eps.csv\"\n"
        "[formulation]\nequation = \"cfie\"\n[excitation]\ntheta = [0]\nphi = [0]\n"
        "[accuracy]\nestimate = \"off\"\n");
  const std::string ie = "ie-solve c.toml --device cpu --threads 1 -o out --set frequency.values=";

  const long one = count(ie + "[2e8]", "eps.csv"),
             five = count(ie + "[2e8,2.1e8,2.2e8,2.3e8,2.4e8]", "eps.csv");

  EXPECT_GE(one, 1);
  EXPECT_LE(one, most);
  EXPECT_EQ(five, one);
}

/// A frequency beyond the table is found after the config has been read and closed.
TEST_F(OpenedFiles, LateErrorsNameFileAndLine) {
  write("eps.csv", table);
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
