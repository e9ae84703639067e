// SPDX-License-Identifier: BSD-3-Clause
// Radiation and scattering in free space as users run them, against exact fields that share no code.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "base/vec3.hpp"
#include "io/csv.hpp"
#include "mie.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

double decibel(double power) {
  return 10 * std::log10(power);
}

class Open : public SummaryTest {
 protected:
  Ended solve(const std::string& config, const std::string& options = "") const {
    return run("fem-solve " + config + " --output out --set output.fields=false " + options);
  }
  /// Power [W] of farfield.csv on a grid of steps [degrees] around the axis: midpoints in phi, trapezia in
  /// theta.
  double pattern_power(double theta_step, double phi_step) const {
    const auto table = io::read_csv(path("out/farfield.csv"));
    const auto theta = table.numbers("theta_deg");
    double sum = 0;
    for (const char* column : {"re_e_theta", "im_e_theta", "re_e_phi", "im_e_phi"}) {
      const auto e = table.numbers(column);
      for (std::size_t i = 0; i < e.size(); ++i) {
        const bool ends = theta[i] == theta.front() || theta[i] == theta.back();
        sum += e[i] * e[i] * std::sin(theta[i] * pi / 180) * (ends ? 0.5 : 1);
      }
    }
    return sum / (2 * vacuum_impedance) * theta_step * phi_step * (pi / 180) * (pi / 180);
  }
  /// Largest difference of rcs.csv to a series, in dB, where the series is within 25 dB of its maximum.
  double worst_rcs_error(const Mie& mie) const {
    const auto table = io::read_csv(path("out/rcs.csv"));
    const auto theta = table.numbers("theta_deg"), phi = table.numbers("phi_deg"),
               rcs = table.numbers("rcs_m2");
    double greatest = 0, worst = 0;
    std::vector<double> exact;
    for (std::size_t i = 0; i < rcs.size(); ++i) {
      exact.push_back(mie.rcs(theta[i] * pi / 180, phi[i] * pi / 180).total());
      greatest = std::max(greatest, exact.back());
    }
    EXPECT_GT(rcs.size(), 10U);
    for (std::size_t i = 0; i < rcs.size(); ++i)
      if (decibel(exact[i]) > decibel(greatest) - 25)
        worst = std::max(worst, std::abs(decibel(rcs[i]) - decibel(exact[i])));
    return worst;
  }
};

TEST_F(Open, DielectricSphereScattersAsMieSays) {
  const Ended ended = solve(source + "/configs/sphere_in_layer.toml",
                            "--set mesh.parameters.air=0.3 --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_LT(worst_rcs_error(Mie(dielectric_sphere(1, 4), 1.5)), 0.2);
}

TEST_F(Open, FieldsNeedATableAtTheSolvedFrequencyOnly) {
  write("body.csv", "frequency_hz,epsilon_re,epsilon_im\n70e6,4,0\n75e6,4,0\n");
  auto config = io::read_text_file(source + "/configs/sphere_in_layer.toml");
  const std::string constant = "epsilon_r = 4.0", mesh = "../meshes";
  config.replace(config.find(constant), constant.size(), "table = \"body.csv\"");
  config.replace(config.find(mesh), mesh.size(), source + "/meshes");
  write("table.toml", config);
  const Ended ended = run("fem-solve table.toml --output out --set space.order=1");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(exists("out/fields.vtkhdf"));
  // epsilon_r = 4 from a table gives the same cross-section as the constant 4.
  const auto tabulated = io::read_csv(path("out/rcs.csv")).numbers("rcs_m2");
  ASSERT_EQ(solve(source + "/configs/sphere_in_layer.toml", "--set space.order=1 --set accuracy.estimate=off")
                .status,
            0);
  const auto constant_rcs = io::read_csv(path("out/rcs.csv")).numbers("rcs_m2");
  ASSERT_EQ(tabulated.size(), constant_rcs.size());
  for (std::size_t i = 0; i < tabulated.size(); ++i)
    EXPECT_NEAR(tabulated[i], constant_rcs[i], 1e-6 * constant_rcs[i]);
}

/// A conducting sphere, two polarisations and two directions of arrival from one factorisation: by symmetry
/// the cut of each is a cut of the series.
TEST_F(Open, ConductingSphereOfSeveralWaves) {
  std::string config = io::read_text_file(source + "/configs/sphere_in_layer.toml");
  config += "\n[[boundary]]\nregion = \"body_surface\"\ntype = \"pec\"\n";
  config.replace(config.find("../meshes"), 9, source + "/meshes");
  write("metal.toml", config);
  const Ended ended =
      solve("metal.toml",
            "--set excitation.theta=[180,90] --set excitation.phi=[180] "
            "--set 'excitation.polarization=[\"theta\",\"phi\"]' "
            "--set mesh.parameters.size_body=0.35 --set mesh.parameters.air=0.3 --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto table = io::read_csv(path("out/rcs.csv"));
  const auto theta_inc = table.numbers("theta_inc_deg"), theta = table.numbers("theta_deg"),
             phi = table.numbers("phi_deg"), rcs = table.numbers("rcs_m2");
  const auto& polarization = table.text.at("polarization");
  const Mie mie(conducting_sphere(1), 1.5);
  int compared = 0;
  for (std::size_t i = 0; i < rcs.size(); ++i) {
    // The wave from (180, 180) travels along +z with E along x (theta) or y (phi); that from (90, 180) along
    // +x with E along -z or y.
    const double t = theta[i] * pi / 180, p = phi[i] * pi / 180;
    const Vec3<double> to{std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)};
    const bool along_z = theta_inc[i] > 100, by_theta = polarization[i] == "theta";
    const double forward = along_z ? to.z : to.x;
    const double in_plane = along_z ? (by_theta ? to.x : to.y) : (by_theta ? -to.z : to.y);
    const double across = along_z ? (by_theta ? to.y : -to.x) : (by_theta ? to.y : to.z);
    const double exact =
        mie.rcs(std::acos(std::clamp(forward, -1.0, 1.0)), std::atan2(across, in_plane)).total();
    if (exact < 0.05) continue;
    EXPECT_NEAR(decibel(rcs[i]), decibel(exact), 0.2)
        << theta_inc[i] << " " << polarization[i] << " " << theta[i] << " " << phi[i];
    ++compared;
  }
  EXPECT_GT(compared, 200);
  expect_results_stage();
}

/// A hollow sphere with an impedance: the incident field's part on its wall is a load of its own.
TEST_F(Open, ImpedanceSphereScattersAsItsSeriesSays) {
  const auto without = [](std::string text, const std::string& part) {
    return text.replace(text.find(part), part.size(), "");
  };
  write("hollow.geo", without(io::read_text_file(source + "/meshes/sphere_in_layer.geo"),
                              "Physical Volume(\"body\") = {1};"));
  std::string config = without(io::read_text_file(source + "/configs/sphere_in_layer.toml"),
                               "[[material]]\nregion = \"body\"\nepsilon_r = 4.0\n");
  config +=
      "\n[[boundary]]\nregion = \"body_surface\"\ntype = \"impedance\"\nsurface_impedance = [100, 50]\n";
  const std::string mesh = "../meshes/sphere_in_layer.geo";
  config.replace(config.find(mesh), mesh.size(), "hollow.geo");
  write("hollow.toml", config);
  const Ended ended = solve("hollow.toml", "--set mesh.parameters.air=0.3 --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_LT(worst_rcs_error(Mie(impedance_sphere(1, {100, 50}), 1.5)), 0.2);
}

/// Dipoles in free space: the solver's own power, the power and pattern of the far field.
struct DipoleCase {
  std::vector<Vec3<double>> positions;
  double power;  ///< over that of one dipole
};

class Dipoles : public Open {
 protected:
  void check(const DipoleCase& dipoles, const std::string& options) {
    const Ended ended = solve(source + "/configs/dipole.toml",
                              options + " --set accuracy.estimate=off --set excitation.formulation=total");
    ASSERT_EQ(ended.status, 0) << ended.err;
    const double power = dipoles.power * vacuum_impedance * k * k / (12 * pi);
    const auto radiation = results()["radiation"][0];
    EXPECT_NEAR(radiation["radiated_w"].get<double>() / power, 1, 5e-3);
    EXPECT_NEAR(radiation["accepted_w"].get<double>() / power, 1, 5e-3);
    EXPECT_NEAR(radiation["efficiency"].get<double>(), 1, 1e-3);
    EXPECT_EQ(ended.err.find("the outer boundary reflects"), std::string::npos) << ended.err;
    check_pattern(dipoles);
  }

  static constexpr double k = 2 * pi;  // wavelength 1 m
  static constexpr double frequency = speed_of_light;

 private:
  /// E_theta = j eta k / (4 pi) sin theta sum exp(jk r^.r').
  void check_pattern(const DipoleCase& dipoles) const {
    const auto table = io::read_csv(path("out/farfield.csv"));
    const auto theta = table.numbers("theta_deg"), phi = table.numbers("phi_deg");
    const auto re = table.numbers("re_e_theta"), im = table.numbers("im_e_theta"),
               re_phi = table.numbers("re_e_phi"), im_phi = table.numbers("im_e_phi");
    const double peak = double(dipoles.positions.size()) * vacuum_impedance * k / (4 * pi);
    double worst = 0;
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const double t = theta[i] * pi / 180, p = phi[i] * pi / 180;
      Complex exact = 0;
      for (const auto& x : dipoles.positions)
        exact += Complex(0, vacuum_impedance * k / (4 * pi)) * std::sin(t) *
                 std::exp(Complex(
                     0, k * (std::sin(t) * (std::cos(p) * x.x + std::sin(p) * x.y) + std::cos(t) * x.z)));
      worst = std::max({worst, std::abs(Complex(re[i], im[i]) - exact) / peak,
                        std::abs(Complex(re_phi[i], im_phi[i])) / peak});
    }
    EXPECT_LT(worst, 5e-3);
  }
};

TEST_F(Dipoles, OneHertzianDipole) {
  check({{{0, 0, 0}}, 1}, "");
}

/// Two parallel dipoles a quarter of a wavelength apart. Power: Balanis (2016), Antenna Theory, mutual
/// resistance of infinitesimal dipoles, equation 8-71 for l -> 0.
TEST_F(Dipoles, DISABLED_PairOfDipoles) {
  const double u = k * 0.25;
  const double coupling = 1.5 * (std::sin(u) / u + std::cos(u) / (u * u) - std::sin(u) / (u * u * u));
  check({{{-0.125, 0, 0}, {0.125, 0, 0}}, 2 * (1 + coupling)},
        "--set mesh.parameters.separation=0.25 --set 'excitation.position=[[-0.125,0,0],[0.125,0,0]]'");
}

/// The antenna whose matrix the sparse kernels are measured with: blocks of the paper's size to 1 %.
TEST_F(Open, ResonatorAntennaHasThePapersBlocks) {
  const Ended ended = run("fem-assemble " + source + "/configs/dra.toml --info --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto sizes = summary()["sizes"];
  EXPECT_NEAR(sizes["unknowns"].get<double>() / 146517, 1, 0.01);
  EXPECT_NEAR(sizes["nonzeros"].get<double>() / 10848803, 1, 0.02);
}

/// Where it resonates it is matched, and sends what it accepts to its hemisphere. The equations conserve the
/// power through the surface; the pattern's own power shows that it arrives.
TEST_F(Open, ResonatorAntennaIsMatchedAndKeepsItsPower) {
  const Ended ended =
      solve(source + "/configs/dra.toml",
            "--set space.order=2 --set accuracy.estimate=off --set output.far_field.theta=[0,90,31] "
            "--set output.far_field.phi=[0,345,24]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto radiation = results()["radiation"][0];
  EXPECT_GT(radiation["accepted_w"].get<double>(), 0.95);
  EXPECT_NEAR(radiation["efficiency"].get<double>(), 1, 1e-3);
  EXPECT_NEAR(pattern_power(3, 15) / radiation["accepted_w"].get<double>(), 1, 0.02);
}

/// Crossed dipoles, that along y a quarter of a period behind: right-handed upwards, left-handed downwards,
/// linear in their plane; each power the sum of both.
TEST_F(Open, DISABLED_CrossedDipolesInQuadratureAreCircular) {
  for (const std::string dipoles :
       {"--set 'excitation.position=[[0,0,0],[0,0,0]]' --set 'excitation.direction=[[1,0,0],[0,1,0]]' "
        "--set 'excitation.moment=[[1,0],[0,-1]]'",
        "--set 'excitation.moment=[[1,0],[0,-1],[0,0]]'"}) {
    std::string config = io::read_text_file(source + "/configs/dipole.toml");
    const std::string mesh = "../meshes", direction = "direction = [0.0, 0.0, 1.0]";
    config.replace(config.find(mesh), mesh.size(), source + "/meshes");
    if (dipoles.find("direction") == std::string::npos)
      config.replace(config.find(direction), direction.size(), "");
    write("crossed.toml", config);
    const Ended ended =
        solve("crossed.toml",
              "--set mesh.wavelength_fraction=0.5 --set output.far_field.theta=[0,180,3] " + dipoles);
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto table = io::read_csv(path("out/farfield.csv"));
    const auto theta = table.numbers("theta_deg"), gain = table.numbers("gain_dbi"),
               right = table.numbers("gain_rhcp_dbi"), left = table.numbers("gain_lhcp_dbi");
    const auto ratio = table.numbers("axial_ratio_db");
    EXPECT_NEAR(results()["radiation"][0]["accepted_w"].get<double>() / (vacuum_impedance * 2 * pi / 3), 1,
                0.01);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      if (theta[i] == 90) {
        EXPECT_GT(ratio[i], 40);
        continue;
      }
      EXPECT_NEAR(ratio[i], 0, 0.05);
      EXPECT_NEAR(gain[i], 10 * std::log10(1.5), 0.05);
      EXPECT_NEAR(theta[i] < 90 ? right[i] : left[i], gain[i], 0.01);
      EXPECT_LT(theta[i] < 90 ? left[i] : right[i], -30);
    }
  }
}

/// A layer a tenth of a wavelength thick, as far away: 11 % more power than the dipole has in free space.
TEST_F(Open, LayerThatReflectsIsWarnedOf) {
  const Ended thin = solve(source + "/configs/dipole.toml",
                           "--set frequency.values=[1e8] --set excitation.formulation=total "
                           "--set mesh.parameters.size_source=0.03 --set mesh.parameters.growth=0.3 "
                           "--set mesh.parameters.size_far=0.14");
  EXPECT_EQ(thin.status, 0) << thin.err;
  EXPECT_NE(thin.err.find("the outer boundary reflects"), std::string::npos) << thin.err;
}

/// A layer that the program grows on the outside of a mesh without one.
TEST_F(Open, DISABLED_GrownLayerIsAsGoodAsANamedOne) {
  write("ball.geo",
        "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 0.3};\nPhysical Volume(\"air\") = {1};\n"
        "Physical Surface(\"ball\") = Boundary{ Volume{1}; };\nField[1] = MathEval;\n"
        "Field[1].F = \"0.02 + 0.2 * sqrt(x^2 + y^2 + z^2)\";\nBackground Field = 1;\n"
        "Mesh.MeshSizeExtendFromBoundary = 0;\n");
  write(
      "grown.toml",
      "[mesh]\nfile = \"ball.geo\"\nunit = \"m\"\n[space]\norder = 2\n[frequency]\nvalues = "
      "[299792458.0]\n[[material]]\nregion = \"air\"\n[[pml]]\naround = \"ball\"\n"
      "center = [0, 0, 0]\nthickness = 0.3\nreflection = 1e-4\n[excitation]\ntype = \"dipole\"\nposition = "
      "[0.0, 0.0, 0.0]\ndirection = [0.0, 0.0, 1.0]\n[output]\nfar_field = { theta = [0, 180, 5], phi = [0, "
      "0, 1] }\n");
  const Ended ended = solve("grown.toml", "--set 'output.formats=[\"ffe\",\"ffs\"]'");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(exists("out/farfield.ffe"));
  EXPECT_TRUE(exists("out/farfield_dipole.ffs"));
  const auto radiation = results()["radiation"][0];
  const double power = vacuum_impedance * 4 * pi * pi / (12 * pi);
  EXPECT_NEAR(radiation["radiated_w"].get<double>() / power, 1, 5e-3);
  EXPECT_NEAR(radiation["directivity_dbi"].get<double>(), 10 * std::log10(1.5), 0.03);
  // The powers that a CST file states in its head: radiated, accepted, incident [W].
  std::istringstream cst(io::read_text_file(path("out/farfield_dipole.ffs")));
  for (std::string line; line.rfind("// Radiated/Accepted", 0) != 0;) ASSERT_TRUE(std::getline(cst, line));
  double stated[3] = {};
  cst >> stated[0] >> stated[1] >> stated[2];
  EXPECT_NEAR(stated[0] / power, 1, 5e-3);
  EXPECT_NEAR(stated[1] / radiation["accepted_w"].get<double>(), 1, 1e-3);
  EXPECT_NEAR(stated[2] / radiation["incident_w"].get<double>(), 1, 1e-3);
  const Ended refused = solve("grown.toml", "--set pml.0.type=cartesian");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("not a box"), std::string::npos) << refused.err;
}

/// Inputs that must be refused, and the words of the message.
TEST_F(Open, BadInputIsRefused) {
  const std::string dipole = source + "/configs/dipole.toml",
                    sphere = source + "/configs/sphere_in_layer.toml";
  const struct {
    std::string command, says;
  } cases[] = {
      {dipole + " --set excitation.position=[0,0,0.6]", "touches a perfectly matched layer"},
      {dipole + " --set excitation.position=[0,0,2]", "outside"},
      {dipole + " --set excitation.type=current --set excitation.region=pml --set excitation.density=[0,0,1]",
       "perfectly matched layer"},
      {dipole + " --set pml.0.type=cartesian", "Cartesian layer is outside"},
      {dipole + " --set pml.0.center=[0,0,0.2]", "shell"},
      {dipole + " --set pml.0.reflection=2", "below 1"},
      {dipole + " --set boundary.0.type=absorbing", "lies on a perfectly matched layer"},
      {dipole + " --set output.far_field.surface=wall", "not in"},
      {dipole + " --set excitation.direction=[0,0,0]", "direction"},
      {dipole + " --set excitation.formulation=both", "formulation"},
      {dipole + " --set excitation.formulation=scattered --set material.0.loss_tangent=0.1", "total"},
      {sphere + " --set excitation.polarization=left", "polarization"},
      {sphere + " --set material.1.epsilon_r=2", "plane wave comes from vacuum"},
      {sphere + " --set material.1.model.delta_epsilon=4 --set "
                "material.1.model.relaxation_time=1e-15",
       "plane wave comes from vacuum"},
      {dipole + " --set excitation.moment=0", "moment must not be zero"},
      {sphere + " --set output.far_field.surface=body_surface --set 'material.0.region=[\"body\",\"air\"]' "
                "--set 'material.1.region=\"pml\"'",
       "not vacuum"},
  };
  for (const auto& c : cases) {
    const Ended ended = solve(c.command, "--set mesh.wavelength_fraction=0.5 --set space.order=1");
    EXPECT_EQ(ended.status, 2) << c.command << ended.err;
    EXPECT_NE(ended.err.find(c.says), std::string::npos) << c.command << "\n" << ended.err;
  }
}

}  // namespace
}  // namespace curlew::test
