// SPDX-License-Identifier: BSD-3-Clause
// What VTK finds in fields.vtkhdf at any point, with the programs' own settings, against the elements' values
// that near_NAME.csv holds at the same points.

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <random>

#include "base/constants.hpp"
#include "base/vec3.hpp"
#include "run_program.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

class FieldValues : public ProgramTest {
 protected:
  /// The config with near fields at 100 points, where `point` puts three numbers of [0, 1] each.
  void write_config(const std::string& name, const std::function<Vec3<double>(Vec3<double>)>& point) const {
    auto text = io::read_text_file(source + "/configs/" + name);
    text.replace(text.find("../meshes"), 9, source + "/meshes");
    text += "[[output.near_field]]\nname = \"p\"\npositions = [";
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(0, 1);
    for (int i = 0; i < 100; ++i) {
      const double u = number(random), v = number(random), w = number(random);
      const auto x = point({u, v, w});
      text += fmt::format("[{:.17g}, {:.17g}, {:.17g}],", x.x, x.y, x.z);
    }
    write("case.toml", text + "]\n");
  }
  /// @return exit status of tests/cli/check_field_values.py
  int check(const std::string& command, double error) const {
    const Ended ended = run(command + " --output out --set accuracy.estimate=off");
    EXPECT_EQ(ended.status, 0) << ended.err;
    const Ended read =
        run(fmt::format("{} {}/tests/cli/check_field_values.py out/fields.vtkhdf out/near_p.csv {}",
                        test::python(), source, error));
    message_ = read.out + read.err;
    return read.status;
  }
  mutable std::string message_;
};

/// A block of epsilon_r 6 in a guide: E is that of order 2 to some per cent, and jumps between cells.
TEST_F(FieldValues, StraightCellsOfOrder2) {
  write_config("puck.toml", [](Vec3<double> u) {
    return Vec3<double>{19.05 * u.x, 9.525 * u.y, 5 + 30 * u.z};
  });
  const std::string command =
      "fem-solve case.toml --set frequency.values=[11.6e9] --set mesh.wavelength_fraction=0.2 ";
  const int status = check(command, 0.01);
  if (status == 77) GTEST_SKIP();
  EXPECT_EQ(status, 0) << message_;
  // Means of the cells around a point are not the elements' values: the check finds it.
  EXPECT_EQ(check(command + "--set output.field_subdivision=2", 0.01), 1) << message_;
}

TEST_F(FieldValues, StraightCellsOfOrder3) {
  write_config("wr90.toml", [](Vec3<double> u) { return Vec3<double>{22.86 * u.x, 10.16 * u.y, 30 * u.z}; });
  const int status = check(
      "fem-solve case.toml --set frequency.values=[10e9] --set space.order=3 --set "
      "mesh.wavelength_fraction=0.5 ",
      0.01);
  if (status == 77) GTEST_SKIP();
  EXPECT_EQ(status, 0) << message_;
}

/// Edges that bulge by a twentieth of their length.
TEST_F(FieldValues, CurvedCellsOfOrder2) {
  write_config("sphere_in_air.toml", [](Vec3<double> u) {
    const double r = 0.3190 + 0.0985 * u.x, z = 2 * u.y - 1, rho = std::sqrt(1 - z * z);
    return Vec3<double>{r * rho * std::cos(2 * pi * u.z), r * rho * std::sin(2 * pi * u.z), r * z};
  });
  const int status = check("fe-iiee case.toml ", 0.01);
  if (status == 77) GTEST_SKIP();
  EXPECT_EQ(status, 0) << message_;
}

TEST_F(FieldValues, CurvedCellsOfOrder3) {
  write_config("cylindrical_cavity.toml", [](Vec3<double> u) {
    const double r = 27.3 * std::sqrt(u.x), angle = 2 * pi * u.y;
    return Vec3<double>{r * std::cos(angle), r * std::sin(angle), 54.8 * u.z};
  });
  const int status = check("fem-solve case.toml --set analysis.modes=1 --set mesh.size=16 ", 0.01);
  if (status == 77) GTEST_SKIP();
  EXPECT_EQ(status, 0) << message_;
}

}  // namespace
}  // namespace curlew::test
