// SPDX-License-Identifier: BSD-3-Clause
// Volume and film equations of ie-solve through their keys and files, and their refusals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "io/csv.hpp"
#include "mie.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

class IeVolumeProgram : public SummaryTest {
 protected:
  /// A sphere of 0.5 m at 47.7 MHz (k a = 0.5).
  void write_volume(const std::string& material) const {
    write(
        "volume.toml",
        "[mesh]\nfile = '" + source +
            "/meshes/sphere_in_air.geo'\nunit = 'm'\norder = 2\nsize = 0.25\nparameters = { distance = 0.3, "
            "filled = 1 }\n[frequency]\nvalues = [47.7e6]\n[formulation]\nequation = 'volume'\n" +
            material + "[excitation]\ntheta = 180\nphi = 0\n");
  }
  void write_film(const std::string& boundary) const {
    write("film.toml",
          "[mesh]\nfile = '" + source +
              "/meshes/sphere_surface.geo'\nunit = 'm'\norder = 2\nsize = 0.4\n[frequency]\nvalues "
              "= [47.7e6]\n[formulation]\nequation = 'film'\n" +
              boundary + "[excitation]\ntheta = 180\nphi = 0\n[output]\nfields = false\n");
  }
  void expect_refusal(const std::string& command, const std::string& words) const {
    const Ended ended = run(command + " --device cpu --output out");
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
    EXPECT_FALSE(exists("out/rcs.csv"));
  }
};

const std::string glass = "[[material]]\nregion = 'body'\nepsilon_r = [2.56, -0.1]\n";

/// The same permittivity stated in four ways: a complex number, a loss tangent, a conductivity, poles.
TEST_F(IeVolumeProgram, MaterialsAreTheirPermittivity) {
  const double f = 47.7e6, sigma = 2 * pi * f * vacuum_permittivity * 0.1;
  // One relaxation from 1: Im/Re of what it adds is w tau.
  const double tau = 0.1 / 1.56 / (2 * pi * f), delta = 1.56 * (1 + std::pow(0.1 / 1.56, 2));
  const Mie mie(dielectric_sphere(0.5, {2.56, -0.1}), 2 * pi * f / speed_of_light);
  for (const std::string& stated : {std::string("epsilon_r = [2.56, -0.1]\n"),
                                    "epsilon_r = 2.56\nloss_tangent = " + std::to_string(0.1 / 2.56) + "\n",
                                    "epsilon_r = 2.56\nconductivity = " + std::to_string(sigma) + "\n",
                                    "model = [ { delta_epsilon = " + std::to_string(delta) +
                                        ", relaxation_time = " + std::to_string(tau * 1e9) + "e-9 } ]\n"}) {
    write_volume("[[material]]\nregion = 'body'\n" + stated);
    const Ended ended = run("ie-solve volume.toml --device cpu --output out");
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto r = results();
    const double area = pi * 0.25;
    EXPECT_NEAR(r["extinction_m2"].get<double>() / area, mie.q_extinction(), 0.02 * mie.q_extinction())
        << stated;
    EXPECT_NEAR(r["absorption_m2"].get<double>() / area, mie.q_absorption(), 0.02 * mie.q_absorption())
        << stated;
    EXPECT_LT(r["power_balance_error"].get<double>(), 1e-3);
    EXPECT_TRUE(exists("out/fields.vtkhdf"));
    EXPECT_TRUE(exists("out/solution.h5"));
  }
}

/// A model is read by the same keys where only the surface is meshed.
TEST_F(IeVolumeProgram, SurfaceEquationsTakeTheSameMaterials) {
  const std::string pole = "{ delta_epsilon = 2, resonance_frequency = 95.4e6, damping = 0 }";
  write("body.toml",
        "[mesh]\nfile = '" + source +
            "/meshes/sphere_surface.geo'\nunit = 'm'\norder = 2\nsize = 0.3\nparameters = { radius = "
            "0.5 }\n[frequency]\nvalues = [47.7e6]\n[formulation]\nequation = 'efie'\n[[material]]\n"
            "region = 'sphere'\nepsilon_r = 1.5\nmodel = " +
            pole + "\n[excitation]\ntheta = 180\nphi = 0\n[output]\nfields = false\n");
  const Ended ended = run("ie-solve body.toml --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  // Half the resonance frequency: 1.5 + 2/(1 - 1/4).
  const Mie mie(dielectric_sphere(0.5, 1.5 + 8.0 / 3), 2 * pi * 47.7e6 / speed_of_light);
  EXPECT_NEAR(results()["extinction_m2"].get<double>() / (pi * 0.25), mie.q_extinction(),
              0.02 * mie.q_extinction());
}

/// Dense factors and the accelerated iteration are one answer; all combinations of angles are waves.
TEST_F(IeVolumeProgram, MethodsAgreeAndWavesAreCombined) {
  write_volume(glass);
  const std::string command =
      "ie-solve volume.toml --device cpu --set output.fields=false --set excitation.theta='[180, 90]' --set "
      "excitation.phi='[0, 90]' --set output.far_field.theta='[0, 180, 3]' --output ";
  ASSERT_EQ(run(command + "direct --set solver.method=direct").status, 0);
  ASSERT_EQ(run(command + "fast --set acceleration.type=ngim --set solver.method=gmres --set "
                          "solver.preconditioner=none --set acceleration.tolerance=1e-4")
                .status,
            0);
  const auto direct = io::read_csv(path("direct/rcs.csv")), fast = io::read_csv(path("fast/rcs.csv"));

  ASSERT_EQ(direct.num_rows, 4U * 3U);
  EXPECT_EQ(direct.numbers("phi_inc_deg")[3], 90);
  for (std::size_t i = 0; i < direct.num_rows; ++i)
    EXPECT_NEAR(fast.numbers("rcs_m2")[i], direct.numbers("rcs_m2")[i],
                2e-3 * direct.numbers("rcs_m2")[i] + 1e-9);
}

/// A gold sphere of 40 nm, a little above the size up to which all volumes are factored: the iteration does
/// not converge at a negative permittivity.
TEST_F(IeVolumeProgram, NegativePermittivityIsFactored) {
  write("s.geo",
        "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 40};\nPhysical Volume(\"body\") = {1};\n");
  write(
      "gold.toml",
      "[mesh]\nfile = 's.geo'\nunit = 'nm'\nsize = 10\n[frequency]\nvalues = ['c0/(550 nm)']\n[formulation]\n"
      "equation = 'volume'\n[[material]]\nregion = 'body'\nepsilon_r = [-5.93, -2.1]\n[excitation]\ntheta = "
      "0\nphi "
      "= 0\n[accuracy]\nestimate = 'off'\n[output]\nfields = false\n");
  const Ended ended = run("ie-solve gold.toml --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto r = results();
  EXPECT_GT(summary()["sizes"]["unknowns"].get<int>(), 3000);
  const Mie mie(dielectric_sphere(40e-9, {-5.93, -2.1}), 2 * pi / 550e-9);
  const double area = pi * 1.6e-15;
  EXPECT_NEAR(r["extinction_m2"].get<double>() / area, mie.q_extinction(), 5e-3 * mie.q_extinction());
  EXPECT_NEAR(r["absorption_m2"].get<double>() / area, mie.q_absorption(), 5e-3 * mie.q_absorption());
}

TEST_F(IeVolumeProgram, BadVolumesAreRefused) {
  const std::string command = "ie-solve volume.toml";
  write_volume("");
  expect_refusal(command, "needs a [[material]] with region and epsilon_r");
  write_volume("[[material]]\nregion = 'bodies'\nepsilon_r = 2\n");
  expect_refusal(command, "region \"bodies\" is not in");
  write_volume(glass + glass);
  expect_refusal(command, "is in \"body\" and in \"body\"");
  write_volume("[[material]]\nregion = 'body'\n");
  expect_refusal(command, "epsilon_r");
  write_volume("[[material]]\nregion = 'body'\nepsilon_r = [2, 0.1]\n");
  expect_refusal(command, "passive media");
  write_volume("[[material]]\nregion = 'body'\nepsilon_r = 2\nmu_r = 2\n");
  expect_refusal(command, "mu_r must be 1");
  write_volume("[[material]]\nregion = 'body'\nepsilon_r = 2\nloss_tangent = -1\n");
  expect_refusal(command, "loss_tangent");
  write_volume("[[material]]\nregion = 'body'\nmodel = [ { delta_epsilon = 2 } ]\n");
  expect_refusal(command, "relaxation_time (Debye)");
  write_volume(glass);
  expect_refusal(command + " --set acceleration.integration_accuracy=1e-9", "integration_accuracy");
  expect_refusal(command + " --set acceleration.type=ngim --set solver.method=direct",
                 "is for iterative solvers");
  expect_refusal(command + " --set excitation.type=dipole", "plane_wave");
  expect_refusal(command + " --set frequency.values=0", "frequency");
  expect_refusal(command + " --set frequency.values=1e30", "check frequency and [mesh] unit");
}

TEST_F(IeVolumeProgram, CoarseVolumesAreAWarningWithNumbers) {
  write_volume(glass);
  const Ended ended = run("ie-solve volume.toml --dry-run --set frequency.values=477e6 --output out");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("wavelengths of its material"), std::string::npos) << ended.err;
}

TEST_F(IeVolumeProgram, AcceleratedOperatorThatDoesNotFitEndsBeforeItIsMade) {
  CURLEW_LIMITS_ADDRESS_SPACE();
  write_volume(glass);
  const Ended ended =
      run("ulimit -v 600000 && ie-solve volume.toml --device cpu --output out --set mesh.size=0.06 --set "
          "acceleration.type=ngim");
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_NE(ended.err.find("needs"), std::string::npos) << ended.err;
  EXPECT_FALSE(exists("out/rcs.csv"));
}

/// A closed film of gold in the infrared as a scale model: only its sheet impedance counts. A resistive film
/// absorbs, a perfect conductor does not.
TEST_F(IeVolumeProgram, FilmsAbsorbByTheirThickness) {
  const std::string film = "[[boundary]]\nregion = 'sphere'\ntype = 'film'\nthickness = 1e-6\n";
  const std::string medium = "epsilon_r = 2\nconductivity = 1e4\n";  // 100 ohm a square
  write_film(film + "[[material]]\nregion = 'sphere'\n" + medium);
  Ended ended = run("ie-solve film.toml --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto resistive = results();
  const double k = 2 * pi * 47.7e6 / speed_of_light, omega = k * speed_of_light;
  const Complex sheet = 1.0 / (1e-6 * Complex(1e4, omega * vacuum_permittivity));  // of sigma and eps_r - 1
  const Mie film_series(sheet_sphere(1, sheet), k);
  EXPECT_NEAR(resistive["absorption_m2"].get<double>() / pi, film_series.q_absorption(),
              0.01 * film_series.q_absorption());
  EXPECT_NEAR(resistive["scattering_m2"].get<double>() / pi, film_series.q_scattering(),
              0.01 * film_series.q_scattering());
  EXPECT_LT(resistive["power_balance_error"].get<double>(), 1e-2);

  write_film(film + medium);  // as it was spelled before
  ended = run("ie-solve film.toml --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("are now in the [[material]] of its region"), std::string::npos) << ended.err;
  EXPECT_EQ(results()["absorption_m2"], resistive["absorption_m2"]);

  write_film("[[boundary]]\nregion = 'sphere'\ntype = 'pec'\n");
  ended = run("ie-solve film.toml --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const Mie mie(conducting_sphere(1), 2 * pi * 47.7e6 / speed_of_light);
  EXPECT_NEAR(results()["extinction_m2"].get<double>() / pi, mie.q_extinction(), 0.02 * mie.q_extinction());
  EXPECT_EQ(results()["absorption_m2"].get<double>(), 0);
}

/// Without a size: passes, and bars that cover the error of every value and are at most ten times as wide; in
/// all directions 0.2 dB of the greatest.
class IeVolumePasses : public IeVolumeProgram {
 protected:
  void end_within_tolerance(std::size_t first, std::size_t count);
};

void IeVolumePasses::end_within_tolerance(std::size_t first, std::size_t count) {
  write("ball.geo",
        "SetFactory(\"OpenCASCADE\"); Sphere(1) = {0, 0, 0, 0.5}; Physical Volume(\"body\") = {1};\n"
        "Physical Surface(\"skin\") = {1};\n");
  const std::string rest =
      "[excitation]\ntheta = 180\nphi = 0\n[output]\nfields = false\n"
      "far_field = { theta = [0, 180, 19], phi = [0, 90, 2] }\n";
  const auto document = [&](double frequency, const std::string& what) {
    return fmt::format("[mesh]\nfile = 'ball.geo'\nunit = 'm'\norder = 2\n[frequency]\nvalues = [{}]\n{}{}",
                       frequency, what, rest);
  };
  const auto volume = [](const char* epsilon) {
    return fmt::format("[formulation]\nequation = 'volume'\n[[material]]\nregion = 'body'\nepsilon_r = {}\n",
                       epsilon);
  };
  const struct {
    std::string text;
    double frequency;
    Sphere exact;
  } runs[] = {
      {document(30e6, volume("2")), 30e6, dielectric_sphere(0.5, 2)},
      {document(95.4e6, volume("[4, -1]")), 95.4e6, dielectric_sphere(0.5, {4, -1})},
      {document(30e6, volume("8")), 30e6, dielectric_sphere(0.5, 8)},
      {document(95.4e6, "[formulation]\nequation = 'film'\n[[boundary]]\nregion = 'skin'\ntype = 'pec'\n"),
       95.4e6, conducting_sphere(0.5)}};
  for (const auto& [text, frequency, exact] : std::span(runs).subspan(first, count)) {
    write("ball.toml", text);
    const Ended ended = run("ie-solve ball.toml --device cpu --output out --no-report");
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_TRUE(results()["refinement"]["converged"]) << ended.out;
    const Mie mie(exact, 2 * pi * frequency / speed_of_light);
    const auto table = io::read_csv(path("out/rcs.csv"));
    const auto theta = table.numbers("theta_deg"), phi = table.numbers("phi_deg"),
               rcs = table.numbers("rcs_m2");
    double greatest = 0, expected = 0, worst = 0;
    for (std::size_t i = 0; i < rcs.size(); ++i) {
      const double is = mie.rcs(theta[i] * pi / 180, phi[i] * pi / 180).total();
      greatest = std::max(greatest, rcs[i]), expected = std::max(expected, is);
      worst = std::max(worst, std::abs(std::sqrt(rcs[i]) - std::sqrt(is)));
      EXPECT_NEAR(rcs[i], is, 0.047 * std::max(mie.rcs(0, 0).total(), mie.rcs(pi, 0).total())) << text;
    }
    const auto bars = results()["errors"][0];
    const double bar = bars["greatest_rcs_db_error"];
    EXPECT_LE(std::abs(dbsm(greatest) - dbsm(expected)), bar) << text;
    EXPECT_LE(bar, dbsm(std::pow(1 + 10 * worst / std::sqrt(expected), 2))) << text;
    const double area = pi * 0.25;
    EXPECT_NEAR(results()["scattering_m2"], area * mie.q_scattering(), bars["scattering_m2_error"]) << text;
    EXPECT_NEAR(results()["extinction_m2"], area * mie.q_extinction(), bars["extinction_m2_error"]) << text;
    if (bars.contains("absorption_m2_error")) {
      EXPECT_NEAR(results()["absorption_m2"], area * mie.q_absorption(), bars["absorption_m2_error"]) << text;
    }
  }
}

TEST_F(IeVolumePasses, EndWithinToleranceOfTheSeries) {
  end_within_tolerance(0, 1);
}

/// Half a minute: scripts/test --long.
TEST_F(IeVolumePasses, DISABLED_OfOtherBodiesEndWithinToleranceOfTheirSeries) {
  end_within_tolerance(1, 3);
}

/// A dry run announces the passes; a given size means one mesh with bars.
TEST_F(IeVolumeProgram, StatedSizesAreOneMeshWithBars) {
  write_volume(glass);
  const Ended one = run("ie-solve volume.toml --device cpu --set output.fields=false --output out");
  ASSERT_EQ(one.status, 0) << one.err;
  EXPECT_FALSE(exists("out/passes.csv"));
  EXPECT_TRUE(exists("out/errors.csv"));
  write("film.geo",
        "SetFactory(\"OpenCASCADE\"); Rectangle(1) = {0, 0, 0, 1, 1}; Physical Surface(\"film\") = {1};\n");
  write("film.toml",
        "[mesh]\nfile = 'film.geo'\nunit = 'm'\n[frequency]\nvalues = [1e8]\n[formulation]\n"
        "equation = 'film'\n[[boundary]]\nregion = 'film'\ntype = 'pec'\n[excitation]\n"
        "theta = 0\nphi = 0\n");
  const Ended dry = run("ie-solve film.toml --device cpu --dry-run --output dry");
  ASSERT_EQ(dry.status, 0) << dry.err;
  EXPECT_NE(dry.out.find("up to 12 passes until"), std::string::npos) << dry.out;
}

/// A body of which only the volume has a name.
TEST_F(IeVolumeProgram, SurfaceEquationsNameTheEquationOfVolumes) {
  write("ball.geo",
        "SetFactory(\"OpenCASCADE\"); Sphere(1) = {0, 0, 0, 0.5}; Physical Volume(\"body\") = {1};\n");
  write("ball.toml",
        "[mesh]\nfile = 'ball.geo'\nunit = 'm'\n[frequency]\nvalues = [3e7]\n[[material]]\nregion = 'body'\n"
        "epsilon_r = 4\n[excitation]\ntheta = 180\nphi = 0\n");
  expect_refusal("ie-solve ball.toml", "formulation.equation = \"volume\"");
}

TEST_F(IeVolumeProgram, BadFilmsAreRefused) {
  const std::string command = "ie-solve film.toml";
  write_film("");
  expect_refusal(command, "needs a [[boundary]]");
  write_film("[[boundary]]\nregion = 'sphere'\ntype = 'film'\nepsilon_r = 2\n");
  expect_refusal(command, "thickness");
  write_film("[[boundary]]\nregion = 'sphere'\ntype = 'film'\nthickness = 0\nepsilon_r = 2\n");
  expect_refusal(command, "thickness");
  write_film("[[boundary]]\nregion = 'sphere'\ntype = 'film'\nthickness = 1e-6\nepsilon_r = 1\n");
  expect_refusal(command, "epsilon_r");
  write_film("[[boundary]]\nregion = 'sphere'\ntype = 'film'\nthickness = 1e-6\n");
  expect_refusal(command, "needs a [[material]]");
  write_film("[[boundary]]\nregion = 'spheres'\ntype = 'pec'\n");
  expect_refusal(command, "\"spheres\"");
}

}  // namespace
}  // namespace curlew::test
