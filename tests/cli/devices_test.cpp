// SPDX-License-Identifier: BSD-3-Clause
// GMRES with the multilevel preconditioner on devices of configs/, on small meshes, beside the direct solver.

#include <cmath>

#include "read_touchstone.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

struct DeviceCase {
  const char* name;
  const char* config;
  int ports;  ///< of the Touchstone file
  const char* options;
};

class Devices : public SummaryTest, public testing::WithParamInterface<DeviceCase> {
 protected:
  io::Touchstone solve(const std::string& method) const {
    const DeviceCase& c = GetParam();
    const std::string folder = " --output " + method;
    const Ended ended =
        run(std::string("fem-solve '") + test::source_dir() + "/configs/" + c.config + ".toml'" + folder +
            " --set output.fields=false --set solver.tolerance=1e-8 --set solver.method=" + method + " " +
            c.options + (method == "direct" ? " --set accuracy.estimate=off" : ""));
    EXPECT_EQ(ended.status, 0) << ended.err;
    return test::read_touchstone(path(method + "/" + c.config + ".s" + std::to_string(c.ports) + "p"));
  }
};

TEST_P(Devices, ConvergeWithin40IterationsToTheDirectResult) {
  const auto direct = solve("direct"), iterative = solve("gmres");

  // Errors of S are residual times solutions of 1 W: of the size of the tolerance times a resonance's
  // quality.
  const int n = GetParam().ports;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) EXPECT_LT(std::abs(iterative.at(0, i, j) - direct.at(0, i, j)), 1e-6);
  const auto solver = summary("gmres")["solver"];
  EXPECT_LE(solver["history"].size(), 40U);
  EXPECT_GT(solver["history"].size(), 5U);  // not a direct solution in disguise
  EXPECT_LE(solver["residual"].get<double>(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(
    Order2, Devices,
    testing::Values(DeviceCase{"Puck", "puck", 2, "--set frequency.values=[11.6e9]"},
                    DeviceCase{"GuideProbe", "guide_probe", 2, "--set frequency.values=[10e9]"},
                    DeviceCase{"Tee", "tee", 3, "--set frequency.values=[10e9]"},
                    DeviceCase{"StubFilter", "stub_filter", 2, "--set frequency.values=[8e9]"},
                    DeviceCase{"SlottedPlate", "slotted_plate", 2,
                               "--set frequency.values=[10e9] --set "
                               "mesh.parameters.size_slot=0.2 --set mesh.parameters.size_far=8 --set "
                               "mesh.parameters.growth=1.5"},
                    DeviceCase{"CellAt60Degrees", "perforated_plate", 4,
                               "--set frequency.values=[11e9] --set "
                               "bloch.theta=60"}),
    [](const auto& device) { return device.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Order3, Devices,
    testing::Values(DeviceCase{"Puck", "puck", 2,
                               "--set space.order=3 --set frequency.values=[11.6e9] --set "
                               "mesh.wavelength_fraction=0.3"},
                    DeviceCase{"Tee", "tee", 3,
                               "--set space.order=3 --set frequency.values=[10e9] --set "
                               "mesh.parameters.size_guide=8 --set mesh.parameters.size_edge=4"}),
    [](const auto& device) { return device.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Antenna, Devices,
    testing::Values(DeviceCase{"PatchOnFr4", "patch_fr4", 1,
                               "--set space.order=2 --set frequency.values=[2.45e9]"},
                    // A layer of several cells, whose inner rows have slightly different phases.
                    DeviceCase{"DipoleInLayer", "lumped_dipole", 1,
                               "--set space.order=3 --set frequency.values=[3e8] --set "
                               "mesh.parameters.size_air=0.08 --set mesh.parameters.size_edge=0.02"}),
    [](const auto& device) { return device.param.name; });

}  // namespace
}  // namespace curlew::test
