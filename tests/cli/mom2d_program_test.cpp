// SPDX-License-Identifier: BSD-3-Clause
// mom2d from a config to its files, against the eigenfunction series, and in bad weather.

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/csv.hpp"
#include "run_program.hpp"

namespace curlew::test {
namespace {

const std::string source = CURLEW_SOURCE_DIR;
const std::string circle = "mom2d " + source + "/configs/circle.toml --device cpu --output out ";

class Mom2d : public ProgramTest {};

TEST_F(Mom2d, CircleHasTheEchoWidthsOfTheSeries) {
  // Back, 90 degrees and forward, in dB over the wavelength of 1 m.
  const double exact[2][3] = {{5.0280, 3.9941, 15.3888}, {4.6253, 3.2360, 12.8762}};
  for (const int te : {0, 1}) {
    const Ended ended = run(circle + "--set formulation.polarization=" + (te ? "te" : "tm"));
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto width = io::read_csv(path("out/echo_width.csv")).numbers("width_dbm");
    ASSERT_EQ(width.size(), 360U);
    for (const int i : {0, 1, 2}) EXPECT_NEAR(width[std::size_t(90 * i)], exact[te][i], 6e-5);
    EXPECT_EQ(io::read_csv(path("out/current.csv")).num_rows, 256U);
    EXPECT_EQ(std::filesystem::exists(path("out/charge.csv")), te == 1);
    const auto summary = nlohmann::json::parse(io::read_text_file(path("out/summary.json")));
    EXPECT_LT(summary["results"]["power_imbalance"].get<double>(), 1e-12);
  }
}

TEST_F(Mom2d, NearFieldAndContoursFromFiles) {
  std::ofstream(path("square.csv")) << "x,y\n0,0\n1,0\n1,1\n0,1\n0,0\n";
  std::ofstream(path("square.toml"))
      << "unit = \"wavelength\"\n[[contour]]\ntype = \"polyline\"\nfile = \"square.csv\"\n"
      << "[output]\nnear_field = { x = [-1, 2, 7], y = [0.5, 0.5, 1] }\n";
  const Ended ended = run("mom2d " + path("square.toml") + " --device cpu --output out");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(std::filesystem::exists(path("out/near_field.vtkhdf")));
}

TEST_F(Mom2d, ErrorsNameTheLineAndLeaveNothing) {
  const struct {
    const char *options, *text;
    int status;
  } cases[] = {
      {"--set formulation.equatoin=efie", "equation", 2},
      {"--set contour.0.type=strip --set contour.0.start=[0,0] --set contour.0.end=[1,0]", "center", 2},
      {"--set contour.0.radius=-1", "radius", 2},
      {"--set contour.0.material=glass", "no [[material]]", 2},
      {"--set contour.0.cells=100000", "GiB", 3},
      {"--set formulation.nodes=13", "nodes", 2},
  };
  for (const auto& c : cases) {
    const Ended ended = run(circle + c.options);
    EXPECT_EQ(ended.status, c.status) << c.options << "\n" << ended.err;
    EXPECT_NE(ended.err.find(c.text), std::string::npos) << c.options << "\n" << ended.err;
    EXPECT_FALSE(std::filesystem::exists(path("out/echo_width.csv"))) << c.options;
  }
}

TEST_F(Mom2d, OpenContoursTakeTheEfieOnly) {
  const Ended ended = run("mom2d " + source +
                          "/configs/strip.toml --device cpu --output out --set formulation.equation=mfie");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("open"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace curlew::test
