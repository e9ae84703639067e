// SPDX-License-Identifier: BSD-3-Clause
// [[output.near_field]] of ie-solve through its files, against the series of spheres.
#include <cmath>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "io/csv.hpp"
#include "mie.hpp"
#include "run_program.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

class IeNearField : public ProgramTest {
 protected:
  /// A plane through the sphere of 1 m and around it, and the wave that the series assumes.
  void write_config(const std::string& body, const std::string& equation, const std::string& mesh) const {
    write("near.toml",
          "[mesh]\nunit = 'm'\norder = 2\n" + mesh +
              "[frequency]\nvalues = [71.569e6]\n"  // k a = 1.5
              "[formulation]\nequation = '" +
              equation + "'\n" + body +
              "[excitation]\ntheta = 180\nphi = 0\npolarization = 180\n"
              "[accuracy]\nestimate = 'off'\n[output]\nfields = "
              "false\n[[output.near_field]]\nname = 'cut'\n"
              "positions = [[-1.75, 0, -1.75], [1.75, 0, -1.75], [-1.75, 0, 1.75]]\npoints = [6, 6]\n");
  }
  /// RMS difference of the total E over the plane, over the RMS field; how many points have no field.
  struct Difference {
    double relative;
    int without_field;
  };
  Difference difference(const Mie& mie) const {
    const double k = 2 * pi * 71.569e6 / speed_of_light;
    const auto table = io::read_csv(path("out/near_cut.csv"));
    const auto x = table.numbers("x_m"), y = table.numbers("y_m"), z = table.numbers("z_m");
    double error = 0, whole = 0;
    Difference out{0, 0};
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (table.text.at("field")[i] != "total") continue;
      if (table.text.at("origin")[i] == "none") {
        ++out.without_field;
        continue;
      }
      auto expect = mie.near_field(x[i], y[i], z[i]).e;
      if (std::hypot(x[i], z[i]) > 1) expect[0] += std::polar(1.0, -k * z[i]);
      for (std::size_t d = 0; d < 3; ++d) {
        const std::string name = std::string("e") + "xyz"[d];
        const Complex got(table.numbers("re_" + name)[i], table.numbers("im_" + name)[i]);
        error += std::norm(got - expect[d]), whole += std::norm(expect[d]);
      }
    }
    out.relative = std::sqrt(error / whole);
    return out;
  }
};

// Points at 0.35, 1.05 and 1.75 m from the axes: the closest to the surface are 0.1 m inside and outside.
TEST_F(IeNearField, OfAConductorAndInsideADielectric) {
  const std::string mesh = "file = '" + source + "/meshes/sphere_surface.geo'\nsize = 0.3\n";
  const double k = 2 * pi * 71.569e6 / speed_of_light;
  write_config("[[boundary]]\nregion = 'sphere'\ntype = 'pec'\n", "cfie", mesh);
  Ended ended = run("ie-solve near.toml --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto metal = difference(Mie(conducting_sphere(1), k));
  EXPECT_EQ(metal.without_field, 4);
  EXPECT_LT(metal.relative, 0.02);
  EXPECT_TRUE(exists("out/near_cut.vtkhdf"));

  write_config("[[material]]\nregion = 'sphere'\nepsilon_r = [2.56, -0.1]\n", "efie", mesh);
  ended = run("ie-solve near.toml --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto glass = difference(Mie(dielectric_sphere(1, {2.56, -0.1}), k));
  EXPECT_EQ(glass.without_field, 0);
  EXPECT_LT(glass.relative, 0.01);
}

TEST_F(IeNearField, OfTheVolumeEquation) {
  write_config("[[material]]\nregion = 'body'\nepsilon_r = [2.56, -0.1]\n", "volume",
               "file = '" + source +
                   "/meshes/sphere_in_air.geo'\nsize = 0.5\nparameters = { radius = 1, distance = 0.5, "
                   "filled = 1 }\n");
  const Ended ended = run("ie-solve near.toml --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_LT(difference(Mie(dielectric_sphere(1, {2.56, -0.1}), 2 * pi * 71.569e6 / speed_of_light)).relative,
            0.04);
}

TEST_F(IeNearField, NamesMayNotRepeat) {
  write_config("[[boundary]]\nregion = 'sphere'\ntype = 'pec'\n", "cfie",
               "file = '" + source + "/meshes/sphere_surface.geo'\nsize = 0.5\n");
  const Ended ended =
      run("(cat near.toml; echo '[[output.near_field]]'; echo \"name = 'cut'\"; echo "
          "'positions = [[0, 0, 2]]') > twice.toml && ie-solve twice.toml --output out");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("\"cut\" occurs twice"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace curlew::test
