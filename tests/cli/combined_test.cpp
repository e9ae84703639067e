// SPDX-License-Identifier: BSD-3-Clause
// Ports driven at once by waves of stated amplitude and phase: superposition of single ports, the array
// factor of two dipoles, and the powers that gain refers to.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "io/csv.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

constexpr double frequency = 280e6, distance = 0.2677;  // a quarter of a wavelength

/// Strip dipoles along z at x = -+ distance / 2, the second one a quarter of a period ahead.
class Combined : public SummaryTest {
 protected:
  static std::string port(int number, const std::string& more) {
    return "[[port]]\nregion = \"feed" + std::to_string(number) +
           "\"\ntype = \"lumped\"\ndirection = \"z\"\nresistance = 73\nexcite = true\n" + more;
  }
  void config(const std::string& truncation) {
    write(
        "pair.toml",
        "[mesh]\nfile = \"" + test::source_dir() +
            "/tests/data/strips.geo\"\nunit = \"m\"\nwavelength_fraction = 0.25\nparameters = { shell = 0.3, "
            "size_edge = 0.04, n = 2, "
            "distance = 0.2677 }\n[space]\norder = 2\n[frequency]\nvalues = [280e6]\n[[material]]\nregion = "
            "[\"in\", \"shell\"]\n[[boundary]]\nregion = \"strip\"\ntype = \"pec\"\n" +
            port(1, "amplitude = 2.0\n") + port(2, "amplitude = 2.0\nphase = 90.0\n") +
            "[output]\nfields = false\nfar_field = { theta = [90, 90, 1], phi = [0, 180, 2] }\n" +
            truncation);
  }
  nlohmann::json solve(const std::string& program) {
    const Ended ended = run(program + " pair.toml --output out");
    EXPECT_EQ(ended.status, 0) << ended.err;
    return results();
  }
  /// E_theta towards phi = 0 and 180 degrees of the excitations, in their order.
  std::vector<Complex> patterns() const {
    const auto table = io::read_csv(path("out/farfield.csv"));
    const auto re = table.numbers("re_e_theta"), im = table.numbers("im_e_theta");
    std::vector<Complex> e;
    for (std::size_t i = 0; i < re.size(); ++i) e.emplace_back(re[i], im[i]);
    return e;
  }
  static Complex complex_of(const nlohmann::json& pair) {
    return {pair[0].get<double>(), pair[1].get<double>()};
  }

  void expect_superposition(const nlohmann::json& results) const {
    const auto s = test::read_touchstone(path("out/pair.s2p"));
    const Complex a[] = {2.0, Complex(0, 2)};
    double accepted = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const Complex b = s.at(0, i, 0) * a[0] + s.at(0, i, 1) * a[1];
      accepted += std::norm(a[i]) - std::norm(b);
      EXPECT_LT(std::abs(complex_of(results["active_reflection"][i]["gamma"]) - b / a[i]), 1e-9) << i;
    }
    const auto combined = results["radiation"][2];
    EXPECT_EQ(combined["port"], "combined");
    EXPECT_NEAR(combined["incident_w"].get<double>(), 8, 1e-9);
    EXPECT_NEAR(combined["accepted_w"].get<double>(), accepted, 1e-6);
    EXPECT_NEAR(combined["efficiency"].get<double>(), 1, 0.03);  // no loss, and no other load
    const auto e = patterns();
    ASSERT_EQ(e.size(), 6u);
    for (std::size_t d = 0; d < 2; ++d)
      EXPECT_LT(std::abs(e[4 + d] - (a[0] * e[d] + a[1] * e[2 + d])), 1e-6 * std::abs(e[4])) << d;
    expect_array_factor();
  }

  /// Currents at the feeds, I = (a - b) / sqrt R: both dipoles have the same pattern for a current.
  void expect_array_factor() const {
    const auto table = io::read_csv(path("out/active.csv"));
    const double k = 2 * pi * frequency / speed_of_light;
    Complex towards = 0, away = 0;
    double currents = 0, impedance = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const Complex current(table.numbers("re_a")[i] - table.numbers("re_b")[i],
                            table.numbers("im_a")[i] - table.numbers("im_b")[i]);
      const Complex phase = std::polar(1.0, k * distance * (i == 0 ? -0.5 : 0.5));
      towards += current * phase, away += current / phase;
      currents += std::abs(current);
      const Complex sum(table.numbers("re_a")[i] + table.numbers("re_b")[i],
                        table.numbers("im_a")[i] + table.numbers("im_b")[i]);
      impedance = std::max(impedance, 73 * std::abs(sum / current));
    }
    const auto e = patterns();
    const Complex ratio = towards / away, found = e[4] / e[5];
    // Beside the port's current the gap carries a displacement current of at most omega C V, C that of the
    // two arms as coplanar strips: eps0 width K(k')/K(k), k = gap/length = 0.085 (Smythe 1950, section 4.30).
    const double capacitance = vacuum_permittivity * 0.04 * std::comp_ellint_1(std::sqrt(1 - 0.085 * 0.085)) /
                               std::comp_ellint_1(0.085);
    const double share = 2 * pi * frequency * capacitance * impedance;
    const double tolerance = share * currents * (1 + std::abs(ratio)) / std::abs(away);
    EXPECT_LT(std::abs(found - ratio), tolerance);
    EXPECT_GT(std::abs(1.0 / found - ratio), 3 * tolerance);  // the other sign of the phase
  }
};

TEST_F(Combined, IsTheSuperpositionOfPortsInFemSolve) {
  config(
      "[[pml]]\nregion = \"shell\"\ncenter = [0, 0, 0]\nreflection = 1e-3\n[[boundary]]\nregion = "
      "\"back\"\ntype = \"pec\"\n");
  expect_superposition(solve("fem-solve"));
}

TEST_F(Combined, DISABLED_IsTheSuperpositionOfPortsInFeIiee) {
  config("[truncation]\nsurfaces = [\"back\", \"inner\"]\ntolerance = 1e-4\n");
  expect_superposition(solve("fe-iiee"));
}

TEST_F(Combined, IsTheSuperpositionOfPortsInIeSolve) {
  const auto lumped = [](int number, const std::string& more) {
    const std::string name = "feed" + std::to_string(number);
    return "[[port]]\nname = \"" + name + "\"\nregion = \"" + name +
           "\"\ntype = \"lumped\"\ndirection = \"z\"\n" + more;
  };
  write("pair.toml", "[mesh]\nfile = \"" + test::source_dir() +
                         "/tests/data/strips.geo\"\nunit = \"m\"\nwavelength_fraction = 0.25\nparameters = { "
                         "shell = 0.3, size_edge = "
                         "0.04, n = 2, distance = 0.2677 }\n[frequency]\nvalues = [280e6]\n[formulation]\n"
                         "equation = \"efie\"\n[[boundary]]\nregion = [\"strip\", \"feed1\", \"feed2\"]\n"
                         "type = \"pec\"\n" +
                         lumped(1, "amplitude = 2.0\n") + lumped(2, "amplitude = 2.0\nphase = 90.0\n") +
                         "[accuracy]\nestimate = \"off\"\n[output]\nfields = false\nreference_impedance = "
                         "73\nfar_field = { theta = [90, 90, 1], phi = [0, 180, 2] }\n");
  expect_superposition(solve("ie-solve"));
}

TEST_F(Combined, BadAmplitudesAreRefused) {
  config(
      "[[pml]]\nregion = \"shell\"\ncenter = [0, 0, 0]\nreflection = 1e-3\n[[boundary]]\nregion = "
      "\"back\"\ntype = \"pec\"\n");
  for (const auto& [options, says] :
       {std::pair{"--set port.0.amplitude=-1", "amplitude must be at least 0"},
        {"--set port.0.amplitude=0 --set port.1.amplitude=0", "every amplitude is 0"}}) {
    const Ended ended = run(std::string("fem-solve pair.toml --output out ") + options);
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_NE(ended.err.find(says), std::string::npos) << ended.err;
  }
}

}  // namespace
}  // namespace curlew::test
