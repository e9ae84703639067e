// SPDX-License-Identifier: BSD-3-Clause
// Adaptive sweeps of systems that are no short sum of terms in the frequency, against full ones.

#include <string>

#include "read_touchstone.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

struct Case {
  std::string name, config, ports, keys;
  double low, high;  ///< [Hz]
  int fewer;         ///< full solutions at most, of 21 frequencies
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class AdaptiveSweep : public SummaryTest, public testing::WithParamInterface<Case> {};

TEST_P(AdaptiveSweep, GivesWhatAFullSweepGives) {
  constexpr double tolerance = 1e-3;
  const auto& c = GetParam();
  const std::string command =
      "fem-solve " + test::source_dir() + "/configs/" + c.config + ".toml " + c.keys +
      " --set accuracy.estimate=off --set output.fields=false --set frequency.start=" +
      std::to_string(c.low) + " --set frequency.stop=" + std::to_string(c.high) + " --set frequency.points=";
  ASSERT_EQ(run(command + "6 -o full").status, 0) << io::read_text_file(path("err.txt"));
  const Ended ended =
      run(command + "21 -o fast --set frequency.adaptive_tolerance=" + std::to_string(tolerance));
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_LE(results("fast")["full_solutions"].get<int>(), c.fewer);
  const auto touchstone = [&](const std::string& folder) {
    const std::string name = folder + "/" + c.config + ".s" + c.ports + "p";
    return test::read_touchstone(path(name));
  };
  const auto full = touchstone("full"), fast = touchstone("fast");
  double greatest = 0;
  for (std::size_t f = 0; f < full.frequencies.size(); ++f) {
    ASSERT_NEAR(fast.frequencies[4 * f] / full.frequencies[f], 1, 1e-12);
    for (int i = 0; i < full.num_ports; ++i)
      for (int j = 0; j < full.num_ports; ++j) {
        greatest = std::max(greatest, std::abs(full.at(f, i, j) - full.at(0, i, j)));
        EXPECT_LT(std::abs(fast.at(4 * f, i, j) - full.at(f, i, j)), tolerance)
            << full.frequencies[f] << ": " << i << ", " << j;
      }
  }
  EXPECT_GT(greatest, 100 * tolerance) << "S hardly changes: the test tests nothing";
}

INSTANTIATE_TEST_SUITE_P(
    Systems, AdaptiveSweep,
    testing::Values(Case{"HybridModes", "stub_filter", "2", "--set space.order=1", 2e9, 8e9, 14},
                    Case{"HybridModesOnADispersiveSubstrate", "stub_filter", "2",
                         "--set space.order=1 --set 'material.0.model=[{delta_epsilon=2, "
                         "relaxation_time=3e-11}]'",
                         2e9, 8e9, 14},
                    Case{"PeriodicFaces", "perforated_plate", "4", "--set space.order=1", 11e9, 15e9, 12},
                    Case{"LayersOfEachFrequency", "lumped_dipole", "1", "--set space.order=1", 200e6, 350e6,
                         12}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace curlew::test
