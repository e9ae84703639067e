// SPDX-License-Identifier: BSD-3-Clause
// [[sensitivity]] of open problems against the series of spheres differentiated, and against differences of
// whole runs.

#include <cmath>
#include <functional>

#include "base/types.hpp"
#include "derivative_rows.hpp"
#include "io/csv.hpp"
#include "mie.hpp"
#include "run_summary.hpp"
#include "strip_antenna.hpp"

namespace curlew::test {
namespace {

constexpr double k = 2 * M_PI;  // at 299.792458 MHz

/// d sigma/dp of a sphere's series at theta 0 (forward), 90 in the E plane and 180.
std::vector<double> by_series(const std::function<Sphere(double)>& sphere, double p) {
  std::vector<double> out;
  const double h = 1e-5;
  for (const double theta : {0.0, M_PI / 2, M_PI})
    out.push_back(
        (Mie(sphere(p + h), k).rcs(theta, 0).total() - Mie(sphere(p - h), k).rcs(theta, 0).total()) /
        (2 * h));
  return out;
}

class RcsSensitivityTest : public SummaryTest {
 protected:
  static std::string tables(const std::vector<std::string>& parameters) {
    std::string text;
    for (const auto& p : parameters) text += "[[sensitivity]]\nparameter = \"" + p + "\"\n";
    return text;
  }
  /// A wave that travels along +z, observed at theta 0, 90 and 180.
  static std::string scattering(const std::string& geometry, const std::string& mesh,
                                const std::string& rest) {
    return std::string("[mesh]\nfile = \"") + test::source_dir() + "/meshes/" + geometry +
           "\"\nunit = \"m\"\norder = 2\n" + mesh +
           "[frequency]\nvalues = [299792458.0]\n[excitation]\ntype = \"plane_wave\"\ntheta = [180.0]\nphi = "
           "[0.0]\n"
           "polarization = \"theta\"\n[accuracy]\nestimate = \"off\"\n[output]\nfields = false\n"
           "far_field = { theta = [0, 180, 3], phi = [0, 0, 1] }\n" +
           rest;
  }
  static std::string truncated(const std::string& parameters, const std::string& rest) {
    return scattering(
        "sphere_in_air.geo", "size = 0.1\nparameters = " + parameters + "\n",
        "[truncation]\nsurfaces = [\"S\", \"body\"]\ntolerance = 1e-6\n[[material]]\nregion = \"air\"\n"
        "epsilon_r = 1.0\n" +
            rest);
  }
  static std::string layered(const std::vector<std::string>& parameters) {
    return scattering(
        "sphere_in_layer.geo",
        "wavelength_fraction = 0.25\nparameters = { radius = 0.2, air = 0.15, layer = 0.25, "
        "size_body = 0.08, size_air = "
        "0.12 }\n",
        "[[material]]\nregion = [\"air\", \"pml\"]\nepsilon_r = 1.0\n[[material]]\nregion = "
        "\"body\"\nepsilon_r = 3.0\nmu_r = 1.2\n[[pml]]\nregion = \"pml\"\n"
        "center = [0, 0, 0]\nreflection = 1e-4\n[[boundary]]\nregion = \"back\"\ntype = \"pec\"\n" +
            tables(parameters));
  }
  void expect_series(const std::string& parameter, const std::vector<double>& expected, double tolerance) {
    const auto found = results();
    const char* const places[] = {"rcs1(0,0)", "rcs1(90,0)", "rcs1(180,0)"};
    double largest = 0;
    for (const double e : expected) largest = std::max(largest, std::abs(e));
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(derivative(found, parameter, places[i]).real(), expected[i], tolerance * largest)
          << parameter << " " << places[i];
  }
  /// Cross-sections [m^2] of a run at theta 0, 90 and 180.
  std::vector<double> sections(const std::string& command, const std::string& folder) {
    const Ended ended = run(command + " --output " + folder + " --set sensitivity=[]");
    EXPECT_EQ(ended.status, 0) << ended.err;
    return io::read_csv(path(folder + "/rcs.csv")).numbers("rcs_m2");
  }
  void expect_differences(const std::string& command, const std::string& parameter, const std::string& key,
                          double value, double tolerance) {
    const double step = 1e-3 * value;
    const auto set = [&](double v) { return command + " --set " + key + "=" + nlohmann::json(v).dump(); };
    const auto low = sections(set(value - step), "low"), high = sections(set(value + step), "high");
    std::vector<double> expected;
    for (std::size_t i = 0; i < 3; ++i) expected.push_back((high[i] - low[i]) / (2 * step));
    expect_series(parameter, expected, tolerance);
  }
};

const std::string filled = "[[material]]\nregion = \"body\"\nepsilon_r = 3.0\nmu_r = 1.2\n";

TEST_F(RcsSensitivityTest, TruncatedDielectricSphere) {
  write("sphere.toml", truncated("{ radius = 0.2, distance = 0.1, filled = 1 }",
                                 filled + tables({"material.body.epsilon_r", "material.body.mu_r",
                                                  "mesh.parameters.radius"})));
  const Ended ended = run("fe-iiee sphere.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  // The sphere and its cross-section itself are right to 0.5 %.
  expect_series("material.body.epsilon_r",
                by_series([](double p) { return dielectric_sphere(0.2, p, 1.2); }, 3), 1e-2);
  expect_series("material.body.mu_r", by_series([](double p) { return dielectric_sphere(0.2, 3.0, p); }, 1.2),
                1e-2);
  expect_series("mesh.parameters.radius",
                by_series([](double p) { return dielectric_sphere(p, 3.0, 1.2); }, 0.2), 1e-2);
  // The derivative of the RCS in dB follows from that of the RCS.
  const auto found = results();
  const double section = io::read_csv(path("out/rcs.csv")).numbers("rcs_m2")[0];
  EXPECT_NEAR(derivative(found, "material.body.mu_r", "rcs1_db(0,0)").real(),
              10 / std::log(10.0) / section * derivative(found, "material.body.mu_r", "rcs1(0,0)").real(),
              1e-6);
  // The dual solution is that of the continuous problem: as near as the error of the elements squared.
  expect_differences("fe-iiee sphere.toml", "material.body.epsilon_r", "material.1.epsilon_r", 3, 1e-4);
}

TEST_F(RcsSensitivityTest, DISABLED_TruncatedConductorByItsRadius) {
  write("sphere.toml", truncated("{ radius = 0.3183, distance = 0.1 }",
                                 "[[boundary]]\nregion = \"body\"\ntype = \"pec\"\n" +
                                     tables({"mesh.parameters.radius", "mesh.parameters.distance"})));
  const Ended ended = run("fe-iiee sphere.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  expect_series("mesh.parameters.radius", by_series(conducting_sphere, 0.3183), 1e-2);
  // The end of the mesh is not part of the problem.
  EXPECT_EQ(derivative(results(), "mesh.parameters.distance", "rcs1(0,0)"), 0.0);
}

/// Both polarisations of the observed field and a polarisation between them, on a body without symmetry.
TEST_F(RcsSensitivityTest, MonostaticWithCrossPolarisation) {
  write("brick.geo",
        "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 0.4};\nSphere(2) = {0, 0, 0, 0.3};\n"
        "Box(3) = {-0.2, -0.1, -0.05, 0.3, 0.25, 0.1};\n"
        "BooleanFragments{ Volume{1}; Delete; }{ Volume{2, 3}; Delete; }\n"
        "b() = Volume In BoundingBox{-0.21, -0.11, -0.06, 0.11, 0.16, 0.06};\n"
        "r = 0.31; i() = Volume In BoundingBox{-r, -r, -r, r, r, r}; i() -= {b()};\n"
        "o() = Volume{:}; o() -= {b(), i()};\nPhysical Volume(\"brick\") = {b()};\n"
        "Physical Volume(\"air\") = {i(), o()};\n"
        "s() = CombinedBoundary{ Volume{b(), i()}; }; Physical Surface(\"S_prime\") = {s()};\n"
        "t() = CombinedBoundary{ Volume{:}; }; Physical Surface(\"S\") = {t()};\n");
  write("brick.toml",
        "[mesh]\nfile = \"brick.geo\"\nunit = \"m\"\nsize = 0.16\norder = 2\n[space]\norder = 2\n"
        "[frequency]\nvalues = [299792458.0]\n[[material]]\nregion = \"air\"\n[[material]]\nregion = "
        "\"brick\"\nepsilon_r = 4.0\n[excitation]\ntheta = [50.0]\nphi = [20.0]\npolarization = 30.0\n"
        "[truncation]\ntolerance = 1e-6\n[accuracy]\nestimate = \"off\"\n[output]\nfields = false\n"
        "monostatic = true\n" +
            tables({"material.brick.epsilon_r"}));
  const Ended ended = run("fe-iiee brick.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto at = [&](double e, const std::string& folder) {
    return sections("fe-iiee brick.toml --set material.1.epsilon_r=" + nlohmann::json(e).dump(), folder)
        .at(0);
  };
  const double expected = (at(4.004, "high") - at(3.996, "low")) / 0.008;
  EXPECT_NEAR(derivative(results(), "material.brick.epsilon_r", "rcs1(50,20)").real() / expected, 1, 1e-3);
}

/// S and Z of ports, whose dual solutions are those of the ports.
TEST_F(RcsSensitivityTest, PortsOfTheTruncation) {
  write("strip.geo", strip_geometry);
  std::string text = coarse_strip;
  text.replace(text.find("[\"ball\", \"shell\"]"), 17,
               "\"shell\"\n[[material]]\nregion = \"ball\"\nepsilon_r = 1.1");
  write("strip.toml",
        text +
            "[frequency]\nvalues = [2.8e8]\n[output]\nfields = false\n[truncation]\ntolerance = "
            "1e-7\n[accuracy]\nestimate = \"off\"\n" +
            tables({"material.ball.epsilon_r", "port.first.resistance"}));
  const Ended ended = run("fe-iiee strip.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto found = results();
  struct Case {
    const char *parameter, *key;
    double value, step;
  };
  for (const Case& c : {Case{"material.ball.epsilon_r", "material.1.epsilon_r", 1.1, 1e-3},
                        Case{"port.first.resistance", "port.0.resistance", 73, 0.05}}) {
    nlohmann::json sides[2];
    for (const int side : {0, 1}) {
      const Ended one =
          run("fe-iiee strip.toml --output side --set sensitivity=[] --set " + std::string(c.key) + "=" +
              nlohmann::json(c.value + (side == 0 ? -c.step : c.step)).dump());
      ASSERT_EQ(one.status, 0) << one.err;
      sides[side] = results("side")["s_parameters"][0];
    }
    const auto number = [](const nlohmann::json& z) { return Complex(z[0], z[1]); };
    for (const auto& [key, name] : {std::pair{"s1_1", "S11"}, {"s2_1", "S21"}, {"s2_2", "S22"}}) {
      const Complex expected = (number(sides[1][key]) - number(sides[0][key])) / (2 * c.step);
      EXPECT_LT(std::abs(derivative(found, c.parameter, name) - expected), 1e-3 * std::abs(expected) + 1e-9)
          << c.parameter << " " << name;
    }
  }
}

/// fem-solve: a layer behind air, whose inner surface the geometry moves with the sphere.
TEST_F(RcsSensitivityTest, DielectricSphereInALayer) {
  write("sphere.toml", layered({"material.body.epsilon_r", "material.body.mu_r", "mesh.parameters.radius",
                                "mesh.parameters.air"}));
  const Ended ended = run("fem-solve sphere.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  expect_series("material.body.epsilon_r",
                by_series([](double p) { return dielectric_sphere(0.2, p, 1.2); }, 3), 2e-2);
  expect_series("material.body.mu_r", by_series([](double p) { return dielectric_sphere(0.2, 3.0, p); }, 1.2),
                2e-2);
  expect_series("mesh.parameters.radius",
                by_series([](double p) { return dielectric_sphere(p, 3.0, 1.2); }, 0.2), 2e-2);
  EXPECT_EQ(derivative(results(), "mesh.parameters.air", "rcs1(0,0)"), 0.0);
  EXPECT_EQ(io::read_csv(path("out/rcs.csv")).num_rows, 3U);
}

TEST_F(RcsSensitivityTest, SurfaceEquationsOfADielectricSphere) {
  write("sphere.toml",
        scattering(
            "sphere_surface.geo", "size = 0.06\nparameters = { radius = 0.2 }\n",
            "[formulation]\nequation = \"efie\"\n[[material]]\nregion = \"sphere\"\nepsilon_r = 3.0\n"
            "mu_r = 1.2\n" +
                tables({"material.sphere.epsilon_r", "material.sphere.mu_r", "mesh.parameters.radius"})));
  const Ended ended = run("ie-solve sphere.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  expect_series("material.sphere.epsilon_r",
                by_series([](double p) { return dielectric_sphere(0.2, p, 1.2); }, 3), 2e-2);
  expect_series("material.sphere.mu_r",
                by_series([](double p) { return dielectric_sphere(0.2, 3.0, p); }, 1.2), 2e-2);
  expect_series("mesh.parameters.radius",
                by_series([](double p) { return dielectric_sphere(p, 3.0, 1.2); }, 0.2), 2e-2);
  EXPECT_EQ(io::read_csv(path("out/rcs.csv")).num_rows, 3U);
  // Far fields take other rules than loads of waves: the difference is no larger.
  expect_differences("ie-solve sphere.toml", "material.sphere.epsilon_r", "material.0.epsilon_r", 3, 1e-4);
}

TEST_F(RcsSensitivityTest, SurfaceEquationsOfAConductorByItsRadius) {
  write("sphere.toml",
        scattering("sphere_surface.geo", "size = 0.1\nparameters = { radius = 0.3183 }\n",
                   "[formulation]\nequation = \"cfie\"\n[[boundary]]\nregion = \"sphere\"\ntype = "
                   "\"pec\"\n" +
                       tables({"mesh.parameters.radius"})));
  for (const std::string options : {"", "--set acceleration.type=ngim --set solver.tolerance=1e-6"}) {
    const Ended ended = run("ie-solve sphere.toml --output out " + options);
    ASSERT_EQ(ended.status, 0) << ended.err;
    expect_series("mesh.parameters.radius", by_series(conducting_sphere, 0.3183), 2e-2);
  }
}

/// The waves solved only for derivatives have none.
TEST_F(RcsSensitivityTest, ErrorBarsOfSurfaceEquationsAreThoseWithoutDerivatives) {
  write("sphere.toml", scattering("sphere_surface.geo", "size = 0.25\nparameters = { radius = 0.3183 }\n",
                                  "[formulation]\nequation = \"cfie\"\n[[boundary]]\nregion = "
                                  "\"sphere\"\ntype = \"pec\"\n" +
                                      tables({"mesh.parameters.radius"})));
  const auto bars = [&](const std::string& options) {
    const Ended ended = run("ie-solve sphere.toml --output out --set accuracy.estimate=one " + options);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return io::read_csv(path("out/errors.csv")).numbers("error");
  };
  const auto with = bars(""), without = bars("--set sensitivity=[]");
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i) EXPECT_NEAR(with[i], without[i], 1e-6 * without[i]);
}

/// A dipole's strip by its length and by the coil in its gap, against differences of whole runs.
TEST_F(RcsSensitivityTest, PortsOfSurfaceEquations) {
  std::string text = io::read_text_file(test::source_dir() + "/configs/dipole_strip.toml");
  text.replace(text.find("../meshes"), 9, test::source_dir() + "/meshes");
  text.replace(text.find("[output]"), 8, "series_resistance = 5.0\n[accuracy]\nestimate = \"off\"\n[output]");
  write("dipole.toml", text + tables({"mesh.parameters.length", "port.gap.series_resistance"}));
  const Ended ended = run("ie-solve dipole.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  // Z = Z_gap + R.
  EXPECT_LT(std::abs(derivative(results(), "port.gap.series_resistance", "Z1") - 1.0), 1e-6);
  const auto stated = results()["s_parameters"][0]["input_impedance_1_ohm"];
  const Complex sum = Complex(stated[0], stated[1]) + 73.0;  // S = (Z - 73 ohm) / (Z + 73 ohm)
  EXPECT_LT(std::abs(derivative(results(), "port.gap.series_resistance", "S11") * sum * sum / 146.0 - 1.0),
            1e-6);
  const auto z = [&](const char* length) {
    const Ended one =
        run("ie-solve dipole.toml --output side --set sensitivity=[] --set mesh.parameters.length=" +
            std::string(length));
    EXPECT_EQ(one.status, 0) << one.err;
    const auto number = results("side")["s_parameters"][0]["input_impedance_1_ohm"];
    return Complex(number[0], number[1]);
  };
  // The meshes of the two sides are not quite the same.
  const Complex expected = (z("0.471") - z("0.469")) / 0.002;
  EXPECT_LT(std::abs(derivative(results(), "mesh.parameters.length", "Z1") / expected - 1.0), 0.03);
}

TEST_F(RcsSensitivityTest, MistakesAreOneLineEach) {
  const auto refused = [&](const std::string& text, const std::string& program, const char* words) {
    write("bad.toml", text);
    const Ended ended = run(program + " bad.toml -q --output bad");
    EXPECT_EQ(ended.status, 2);
    EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  };
  const std::string body = "{ radius = 0.2, distance = 0.1, filled = 1 }";
  refused(truncated(body, filled + tables({"material.air.epsilon_r"})), "fe-iiee", "extends to infinity");
  refused(layered({"material.air.epsilon_r"}), "fem-solve", "extends to infinity");
  std::string many = truncated(body, filled + tables({"material.body.epsilon_r"}));
  many.replace(many.find("180, 3]"), 7, "180, 181]");
  refused(many, "fe-iiee", "fewer directions");
  refused(truncated(body, filled + tables({"material.bodies.epsilon_r"})), "fe-iiee", "no [[material]]");
}

}  // namespace
}  // namespace curlew::test
