// SPDX-License-Identifier: BSD-3-Clause
// Fields at points as users ask for them, against fields in closed form.
#include <cmath>

#include <fmt/format.h>

#include "../unit/fields/elementary_dipoles.hpp"
#include "base/constants.hpp"
#include "io/csv.hpp"
#include "run_program.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

double size(const Vec3<Complex>& v) {
  return std::sqrt(std::norm(v.x) + std::norm(v.y) + std::norm(v.z));
}

class NearField : public ProgramTest {
 protected:
  /// A config of the repository with more tables.
  void write_config(const std::string& name, const std::string& more) const {
    auto text = io::read_text_file(source + "/configs/" + name);
    text.replace(text.find("../meshes"), 9, source + "/meshes");
    write("near.toml", text + more);
  }
  static std::vector<Vec3<Complex>> field(const io::CsvTable& table, const std::string& letter) {
    std::vector<Vec3<Complex>> values(table.num_rows);
    for (int axis = 0; axis < 3; ++axis) {
      const std::string name = letter + "xyz"[axis];
      const auto re = table.numbers("re_" + name), im = table.numbers("im_" + name);
      for (std::size_t i = 0; i < values.size(); ++i) values[i][axis] = Complex(re[i], im[i]);
    }
    return values;
  }
};

/// TE10 of WR-90 travels without reflection: |Ey| = sqrt(4 Zte P / ab) sin(pi x / a), Hx = -Ey / Zte, also in
/// a magnetic filling.
TEST_F(NearField, WaveguideInsideTheElements) {
  write_config("wr90.toml",
               "[[output.near_field]]\nname = \"middle\"\npositions = [[11.43, 5.08, 1], "
               "[11.43, 5.08, 29]]\npoints = 8\n"
               "[[output.near_field]]\nname = \"wall\"\npositions = [[11.43, 5.08, 10], "
               "[0, 5.08, 10], "
               "[-5, 0, 0]]\n");
  const double a = 22.86e-3, b = 10.16e-3;
  for (const auto& [frequency, mu_r] : {std::pair(7e9, 2.0), {1e10, 1.0}}) {
    const Ended ended =
        run("fem-solve near.toml --output out --set output.fields=false --set space.order=3 --set "
            "frequency.values=" +
            std::to_string(frequency) + " --set material.0.mu_r=" + std::to_string(mu_r));
    ASSERT_EQ(ended.status, 0) << ended.err;
    const double k0 = 2 * pi * frequency / speed_of_light;
    const double impedance = mu_r * k0 * vacuum_impedance / std::sqrt(mu_r * k0 * k0 - pi * pi / (a * a));
    const auto table = io::read_csv(path("out/near_middle.csv"));
    const auto e = field(table, "e"), h = field(table, "h");
    ASSERT_EQ(e.size(), 8U);
    for (std::size_t i = 0; i < e.size(); ++i) {
      EXPECT_NEAR(std::abs(e[i].y) / std::sqrt(4 * impedance / (a * b)), 1, 1e-2);
      EXPECT_NEAR(std::abs(e[i].y) / std::abs(h[i].x) / impedance, 1, 2e-2);
      EXPECT_GT((e[i].y * std::conj(-h[i].x)).real(), 0);  // power flows along +z
    }
  }
  const auto wall = io::read_csv(path("out/near_wall.csv"));
  EXPECT_EQ(wall.text.at("origin")[2], "none");
  EXPECT_LT(std::abs(field(wall, "e")[1].y), 1e-9 * std::abs(field(wall, "e")[0].y));
  EXPECT_TRUE(exists("out/near_middle.vtkhdf"));
}

/// Beyond the mesh of a dipole, and in its layer, the currents give the exact field: at formulation "total"
/// that of the elements, at "scattered" the dipole's own. Inside the mesh the latter is exact too.
TEST_F(NearField, DipoleBeyondTheMesh) {
  std::string spiral;  // close to the mesh
  for (int i = 0; i < 20; ++i) {
    const double z = -0.95 + 0.1 * i, s = std::sqrt(1 - z * z);
    spiral +=
        fmt::format("[{}, {}, {}], ", 0.36 * s * std::cos(2.4 * i), 0.36 * s * std::sin(2.4 * i), 0.36 * z);
  }
  write_config("dipole.toml", "[[output.near_field]]\nname = \"beyond\"\npositions = [" + spiral +
                                  "[0.5, 0.1, 0.2], [0.3, -1.2, 0.7], [0, 0.6, -0.5], [0.05, 0, 0.04]]\n");
  for (const std::string formulation : {"total", "scattered"}) {
    const bool total = formulation == "total";
    const Ended ended =
        run("fem-solve near.toml --output out --set output.fields=false --set accuracy.estimate=off --set "
            "excitation.formulation=" +
            formulation);
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto table = io::read_csv(path("out/near_beyond.csv"));
    const auto x = table.numbers("x_m"), y = table.numbers("y_m"), z = table.numbers("z_m");
    const auto e = field(table, "e"), h = field(table, "h");
    const auto vacuum = fields::Exterior::vacuum(speed_of_light);
    const std::size_t first = total ? 0 : 24, last = first + (total ? 23 : 24);  // behind the scattered field
    ASSERT_EQ(e.size(), total ? 24U : 48U);
    for (std::size_t i = first; i < last; ++i) {
      EXPECT_EQ(table.text.at("origin")[i], i == first + 23 ? "elements" : "currents");
      EXPECT_EQ(table.text.at("field")[i], "total");
      const auto exact = fields::electric_dipole(1.0, 2, {0, 0, 0}, {x[i], y[i], z[i]}, vacuum);
      for (int c = 0; c < 3; ++c) {
        EXPECT_LT(std::abs(e[i][c] - exact.e[c]), 5e-3 * size(exact.e));
        EXPECT_LT(std::abs(h[i][c] - exact.h[c]), 5e-3 * size(exact.h));
      }
    }
  }
}

/// The mode 110 of a box holds 1 J: Ez = sqrt(8 W / eps0 abd) at the middle, |Hx| = (pi / b) Ez / omega mu0
/// at a wall; for a dispersive filling, which is solved for otherwise, too.
TEST_F(NearField, ModeOfACavityOfOneJoule) {
  write_config("rectangular_cavity.toml",
               "[[output.near_field]]\nname = \"p\"\npositions = [[0.5, 0.375, 0.25], [0.5, "
               "1e-4, 0.25]]\n");
  const double b = 0.75, volume = 0.5 * b, e0 = std::sqrt(8 / (vacuum_permittivity * volume)),
               omega = pi * speed_of_light * std::hypot(1, 1 / b);
  for (const std::string filled : {"", " --set material.0.conductivity=1e-7"}) {
    const Ended ended =
        run("fem-solve near.toml --output out --set output.fields=false --set space.order=3 --set "
            "analysis.modes=1" +
            filled);
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto table = io::read_csv(path("out/near_p.csv"));
    EXPECT_NEAR(size(field(table, "e").at(0)) / e0, 1, 1e-2) << filled;
    EXPECT_NEAR(size(field(table, "h").at(1)) / (pi / b * e0 / (omega * vacuum_permeability)), 1, 3e-2)
        << filled;
  }
}

TEST_F(NearField, PointsFarFromEverythingAreRefused) {
  write_config("wr90.toml", "[[output.near_field]]\npositions = [[11430, 5080, 1000]]\n");
  const Ended ended = run("fem-solve near.toml --output out");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("near_field"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace curlew::test
