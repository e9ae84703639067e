// SPDX-License-Identifier: BSD-3-Clause
// The same bodies in fem-solve, fe-iiee and ie-solve: a result of each within its error bar of the series, or
// of the others' where there is none.

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "base/vec3.hpp"
#include "io/csv.hpp"
#include "mie.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

using Point = Vec3<double>;

const std::string meshes = test::source_dir() + "/meshes/";

/// Further keys of each program, beside mesh, frequency, excitation and output; regions of
/// sphere_in_layer.geo.
std::map<std::string, std::string> parts_of(const std::string& epsilon_r) {
  const std::string inside = "[[material]]\nregion = 'body'\nepsilon_r = " + epsilon_r +
                             "\n[[material]]\nregion = ['air', 'pml']\n[space]\norder = 2\n";
  return {
      {"fem-solve", inside + "[[pml]]\nregion = 'pml'\ncenter = [0, 0, 0]\nreflection = 1e-4\n"
                             "[[boundary]]\nregion = 'back'\ntype = 'pec'\n"},
      {"fe-iiee", inside + "[truncation]\nsurfaces = ['back', 'layer_inner']\ntolerance = 1e-4\n"},
      {"ie-solve", "[formulation]\nequation = 'efie'\n[[material]]\nregion = 'body_surface'\nepsilon_r = " +
                       epsilon_r + "\n"}};
}

class ThreePrograms : public SummaryTest {
 protected:
  nlohmann::json solve(const std::string& program, const std::string& config) {
    write(program + ".toml", config);
    const Ended ended = run(program + " " + program + ".toml --output " + program);
    EXPECT_EQ(ended.status, 0) << program << ended.err;
    return results(program);
  }
  void expect_dipole_within_bars(Point place, const std::set<std::string>& programs, double widest);
  /// @param widest [ohm] both bars together
  void expect_coupled_dipoles_within_bars(const std::string& sizes, double widest);
};

constexpr double radius = 0.15;  ///< [m] of the lossy sphere

struct Pattern {
  std::vector<double> theta, phi, size;  ///< [rad], [rad], |E| [V]
};
Pattern read_pattern(const std::string& file) {
  const auto table = io::read_csv(file);
  Pattern p{table.numbers("theta_deg"), table.numbers("phi_deg"), {}};
  for (auto* angles : {&p.theta, &p.phi})
    for (double& a : *angles) a *= pi / 180;
  for (std::size_t i = 0; i < p.theta.size(); ++i) {
    double sum = 0;
    for (const char* name : {"re_e_theta", "im_e_theta", "re_e_phi", "im_e_phi"})
      sum += std::pow(table.numbers(name)[i], 2);
    p.size.push_back(std::sqrt(sum));
  }
  return p;
}

/// r |E| [V] far from a dipole of moment m [A m] at a place beside or inside the sphere, by reciprocity: a
/// wave of 1 V/m that arrives from there with E along a makes a field E there, and E_far·a = -jkη/4π m·E.
/// Source: Harrington (1961), section 3-8; the wave's field by Mie's series.
double far_field_of_dipole(const Mie& mie, double k, Point place, Point moment, double theta, double phi) {
  const bool is_inside = dot(place, place) < radius * radius;  // there the series gives the total field
  const Point r{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)},
      by_theta{std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), -std::sin(theta)},
      by_phi{-std::sin(phi), std::cos(phi), 0};
  double sum = 0;
  for (const Point& x : {by_theta, by_phi}) {  // axes of the series: travel along z, E along x
    const Point z = -1.0 * r, y = cross(z, x);
    const auto scattered = mie.near_field(dot(place, x), dot(place, y), dot(place, z)).e;
    const Complex incident = is_inside ? 0.0 : std::polar(1.0, -k * dot(place, z));
    const Complex reaction = (incident + scattered[0]) * dot(moment, x) + scattered[1] * dot(moment, y) +
                             scattered[2] * dot(moment, z);
    sum += std::norm(k * vacuum_impedance / (4 * pi) * reaction);
  }
  return std::sqrt(sum);
}

/// P = ∮ r²|E|²/2η dΩ, by the trapezoidal rule in φ and Simpson's in θ.
double power_of_dipole(const Mie& mie, double k, Point place, Point moment) {
  constexpr int steps = 24, around = 24;
  double power = 0;
  for (int t = 1; t < steps; ++t) {
    const double theta = pi * t / steps, weight = (t % 2 ? 4.0 : 2.0) / 3 * (pi / steps) * std::sin(theta);
    for (int p = 0; p < around; ++p)
      power += weight * (2 * pi / around) *
               std::pow(far_field_of_dipole(mie, k, place, moment, theta, 2 * pi * p / around), 2) /
               (2 * vacuum_impedance);
  }
  return power;
}

/// Pattern and power of a dipole near the lossy sphere against the series, gain between programs: it includes
/// the power absorbed by the sphere.
void ThreePrograms::expect_dipole_within_bars(Point place, const std::set<std::string>& programs,
                                              double widest) {
  constexpr double frequency = 300e6, k = 2 * pi * frequency / speed_of_light;
  const Point moment{0, 0, 1};
  const Mie mie(dielectric_sphere(radius, {3, -1}), k);
  const double power = power_of_dipole(mie, k, place, moment);
  std::map<std::string, std::pair<double, double>> gains;  // and their bars [dB]
  for (const auto& [program, part] : parts_of("[3, -1]")) {
    if (!programs.contains(program)) continue;
    const auto results =
        solve(program, "[mesh]\nfile = '" + meshes +
                           "sphere_in_layer.geo'\nunit = 'm'\nwavelength_fraction = 0.25\norder = "
                           "2\nparameters = { radius = 0.15, air = "
                           "0.3, layer = 0.25, size_body = 0.12, size_air = 0.2 }\n[frequency]\nvalues = "
                           "[300e6]\n[excitation]\ntype = 'dipole'\nposition = [" +
                           std::to_string(place.x) +
                           ", 0, 0]\ndirection = [0, 0, 1]\n[output]\nfields = false\nfar_field = { theta = "
                           "[0, 180, 13], phi = [0, "
                           "315, 8] }\n[accuracy]\nestimate = 'one'\n" +
                           part);
    const auto pattern = read_pattern(path(program + "/farfield.csv"));
    double wrong = 0, size = 0;
    for (std::size_t i = 0; i < pattern.size.size(); ++i) {
      const double exact = far_field_of_dipole(mie, k, place, moment, pattern.theta[i], pattern.phi[i]);
      wrong += std::pow(pattern.size[i] - exact, 2), size += exact * exact;
    }
    const auto& bars = results["errors"][0];
    const auto& radiation = results["radiation"][0];
    EXPECT_LE(std::sqrt(wrong / size), bars["far_field_error"].get<double>()) << program;
    EXPECT_LE(std::abs(radiation["radiated_w"].get<double>() / power - 1),
              bars["radiated_w_relative_error"].get<double>())
        << program;
    EXPECT_LT(bars["far_field_error"].get<double>(), widest) << program;
    EXPECT_LT(radiation["efficiency"].get<double>(), dot(place, place) < radius * radius ? 1e-30 : 0.95)
        << program;
    gains[program] = {radiation["gain_dbi"], bars["gain_db_error"]};
  }
  for (const auto& [one, a] : gains)
    for (const auto& [other, b] : gains)
      EXPECT_LE(std::abs(a.first - b.first), a.second + b.second) << one << " and " << other;
}

TEST_F(ThreePrograms, DISABLED_DipoleBesideALossySphere) {
  expect_dipole_within_bars({0.24, 0, 0}, {"fem-solve", "fe-iiee", "ie-solve"}, 0.05);
}
/// The power that a lossy body absorbs around a point dipole is infinite: gains are 0. Elements of order 2
/// resolve the field of the dipole coarsely.
TEST_F(ThreePrograms, DipoleInsideALossySphere) {
  expect_dipole_within_bars({0.05, 0, 0}, {"fem-solve", "fe-iiee", "ie-solve"}, 0.25);
}

/// Two parallel strip dipoles, 0.3 wavelengths apart, in a ball of air.
const char* const dipoles_geo = R"(SetFactory("OpenCASCADE");
DefineConstant[ size = 0.12, at_strips = 0.05 ];
Sphere(1) = {0, 0, 0, 0.4};
cut[] = {-0.23, -0.02, 0.02, 0.23};
For s In {0:1}
  For i In {0:2}
    Rectangle(101 + 3 * s + i) = {0, -0.02, 0, cut[i + 1] - cut[i], 0.04, 0};
    Rotate {{0, 1, 0}, {0, 0, 0}, -Pi / 2} { Surface{101 + 3 * s + i}; }
    Translate {0.3 * s - 0.15, 0, cut[i]} { Surface{101 + 3 * s + i}; }
  EndFor
EndFor
BooleanFragments{ Volume{1}; Delete; }{ Surface{101:106}; Delete; }
e = 1e-4;
first() = Surface In BoundingBox{-0.15 - e, -0.02 - e, -0.02 - e, -0.15 + e, 0.02 + e, 0.02 + e};
second() = Surface In BoundingBox{0.15 - e, -0.02 - e, -0.02 - e, 0.15 + e, 0.02 + e, 0.02 + e};
arms() = Surface In BoundingBox{-0.15 - e, -0.02 - e, -0.23 - e, 0.15 + e, 0.02 + e, 0.23 + e};
arms() -= {first(), second()};
ball() = CombinedBoundary{ Volume{:}; };
Physical Volume("air") = {Volume{:}};
Physical Surface("first") = {first()};
Physical Surface("second") = {second()};
Physical Surface("arms") = {arms()};
Physical Surface("ball") = {ball()};
MeshSize{ PointsOf{ Volume{:}; } } = size;
MeshSize{ PointsOf{ Surface{first(), second(), arms()}; } } = at_strips;
)";

/// Self and mutual impedance of two equal ports, with bars, from S against 73 ohm: with Z±= Z11 ± Z21 and
/// S± = S11 ± S21, Z± = 73 (1 + S±)/(1 - S±).
struct TwoPort {
  Complex self, mutual;
  double bar;
};
TwoPort two_port(const nlohmann::json& results) {
  nlohmann::json bars;
  for (const auto& entry : results["errors"]) bars.update(entry);
  const auto s = [&](const char* name) {
    const auto& pair = results["s_parameters"][0][name];
    return Complex(pair[0].get<double>(), pair[1].get<double>());
  };
  const double of_s = bars["s1_1_error"].get<double>() + bars["s2_1_error"].get<double>();
  TwoPort out{0, 0, 0};
  for (const double sign : {1.0, -1.0}) {
    const Complex sum = s("s1_1") + sign * s("s2_1"), z = 73.0 * (1.0 + sum) / (1.0 - sum);
    out.self += 0.5 * z, out.mutual += 0.5 * sign * z;
    out.bar += 0.5 * 2 * 73 * of_s / std::norm(1.0 - sum);
  }
  return out;
}

void ThreePrograms::expect_coupled_dipoles_within_bars(const std::string& sizes, double widest) {
  write("dipoles.geo", dipoles_geo);
  // The key of a port's resistance: its termination in fem-solve, a load in series in ie-solve.
  const auto port = [](const std::string& region, const std::string& resistance) {
    return "[[port]]\nregion = '" + region + "'\ntype = 'lumped'\ndirection = 'z'\n" + resistance;
  };
  const auto metal = [](const std::string& regions) {
    return "[[boundary]]\nregion = [" + regions + "]\ntype = 'pec'\n";
  };
  const std::string common =
      "[mesh]\nfile = 'dipoles.geo'\nunit = 'm'\nwavelength_fraction = 0.25\nparameters = { " + sizes +
      " }\n[frequency]\nvalues = [300e6]\n[output]\nfields = false\n"
      "reference_impedance = 73\n[accuracy]\nestimate = 'one'\n";
  const auto fem = two_port(solve("fem-solve", common + port("first", "resistance = 73\n") +
                                                   port("second", "resistance = 73\n") +
                                                   "[space]\norder = 3"
                                                   "\n[[material]]\nregion = 'air'\n[[pml]]\naround = "
                                                   "'ball'\ncenter = [0, 0, 0]\nthickness = 0.25\n" +
                                                   metal("'arms'")));
  const auto ie = two_port(solve("ie-solve", common + port("first", "") + port("second", "") +
                                                 "[formulation]\nequation = 'efie'\n" +
                                                 metal("'arms', 'first', 'second'")));
  EXPECT_LE(std::abs(fem.self - ie.self), fem.bar + ie.bar);
  EXPECT_LE(std::abs(fem.mutual - ie.mutual), fem.bar + ie.bar);
  EXPECT_LT(fem.bar + ie.bar, widest);
}

TEST_F(ThreePrograms, CoupledDipoles) {
  expect_coupled_dipoles_within_bars("size = 0.2, at_strips = 0.08", 250);
}
/// A long test, scripts/test --long.
TEST_F(ThreePrograms, DISABLED_CoupledDipolesOnAFinerMesh) {
  expect_coupled_dipoles_within_bars("size = 0.12, at_strips = 0.04", 40);
}

/// An ellipsoid of metal in a lossy coating, in air and a layer.
const char* const ellipsoid_geo = R"(SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 0.08};
Sphere(2) = {0, 0, 0, 0.12};
Dilate {{0, 0, 0}, {1, 1.2, 1.6}} { Volume{1, 2}; }
Sphere(3) = {0, 0, 0, 0.3};
Sphere(4) = {0, 0, 0, 0.52};
BooleanDifference(14) = { Volume{4}; Delete; }{ Volume{3}; };
BooleanDifference(13) = { Volume{3}; Delete; }{ Volume{2}; };
BooleanDifference(12) = { Volume{2}; Delete; }{ Volume{1}; Delete; };
BooleanFragments{ Volume{12, 13, 14}; Delete; }{ }
coat() = Boundary{ Volume{12}; };
air() = Boundary{ Volume{13}; };
layer() = Boundary{ Volume{14}; };
outside() = coat(); core() = coat(); core() -= air(); outside() -= core();
inner() = air(); inner() -= outside();
back() = layer(); back() -= inner();
Physical Volume("coating") = {12};
Physical Volume("air") = {13};
Physical Volume("pml") = {14};
Physical Surface("core") = {core()};
Physical Surface("outside") = {outside()};
Physical Surface("layer_inner") = {inner()};
Physical Surface("back") = {back()};
MeshSize{ PointsOf{ Volume{:}; } } = 0.22;
MeshSize{ PointsOf{ Volume{12}; } } = 0.08;
)";

/// A long test, scripts/test --long. Oblique, E along neither angle. There is no series: the programs' fields
/// differ by no more than their bars.
TEST_F(ThreePrograms, DISABLED_CoatedEllipsoid) {
  write("ellipsoid.geo", ellipsoid_geo);
  const std::string coat = "epsilon_r = [2.5, -0.4]\n",
                    inside = "[space]\norder = 2\n[[material]]\nregion = 'coating'\n" + coat +
                             "[[material]]\nregion = ['air', 'pml']\n[[boundary]]\nregion = 'core'\ntype = "
                             "'pec'\n";
  const std::map<std::string, std::string> parts{
      {"fem-solve", inside + "[[pml]]\nregion = 'pml'\ncenter = [0, 0, 0]\nreflection = 1e-4\n"
                             "[[boundary]]\nregion = 'back'\ntype = 'pec'\n"},
      {"fe-iiee", inside + "[truncation]\nsurfaces = ['back', 'layer_inner']\ntolerance = 1e-4\n"},
      {"ie-solve",
       "[formulation]\nequation = 'efie'\n[[boundary]]\nregion = 'core'\ntype = 'pec'\n"
       "[[material]]\nregion = 'outside'\n" +
           coat}};
  std::map<std::string, std::pair<std::vector<double>, double>> fields;  // roots of RCS, and their bar
  for (const auto& [program, part] : parts) {
    const auto results =
        solve(program,
              "[mesh]\nfile = 'ellipsoid.geo'\nunit = 'm'\nwavelength_fraction = 0.25\norder = "
              "2\n[frequency]\nvalues = [300e6]\n"
              "[excitation]\ntype = 'plane_wave'\ntheta = [50]\nphi = [20]\npolarization = 30\n[output]\n"
              "fields = false\nfar_field = { theta = [0, 180, 13], phi = [0, 315, 8] }\n[accuracy]\n"
              "estimate = 'one'\n" +
                  part);
    auto& [size, bar] = fields[program];
    for (const double rcs : io::read_csv(path(program + "/rcs.csv")).numbers("rcs_m2"))
      size.push_back(std::sqrt(rcs));
    bar = results["errors"][0]["far_field_error"];
    EXPECT_LT(bar, 0.2) << program;
  }
  for (const auto& [one, a] : fields) {
    for (const auto& [other, b] : fields) {
      double wrong = 0, size = 0;
      for (std::size_t i = 0; i < a.first.size(); ++i)
        wrong += std::pow(a.first[i] - b.first[i], 2), size += std::pow(a.first[i], 2);
      EXPECT_LE(std::sqrt(wrong / size), a.second + b.second) << one << " and " << other;
    }
  }
}

}  // namespace
}  // namespace curlew::test
