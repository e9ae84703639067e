// SPDX-License-Identifier: BSD-3-Clause
// One antenna in fem-solve and fe-iiee, whole and in half: the same gains, efficiencies and fields of 1 W
// incident.

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string mesh_file = test::source_dir() + "/tests/data/strips.geo";

/// Strip dipoles at 280 MHz; layer and outer surface at 0.28 wavelengths from S'.
std::string strips(const std::string& parameters, const std::string& more) {
  return "[mesh]\nfile = \"" + mesh_file +
         "\"\nunit = \"m\"\nwavelength_fraction = 0.25\nparameters = { shell = 0.3, size_edge = 0.04, " +
         parameters +
         " }\n[space]\norder = 2\n[frequency]\nvalues = [280e6]\n[[material]]\nregion = [\"in\", "
         "\"shell\"]\n[[boundary]]\nregion = \"strip\"\ntype = \"pec\"\n" +
         more;
}
std::string port(int number, double ohms, bool excite) {
  return "[[port]]\nregion = \"feed" + std::to_string(number) +
         "\"\ntype = \"lumped\"\ndirection = \"z\"\nresistance = " + std::to_string(ohms) +
         (excite ? "\nexcite = true\n" : "\n");
}
const std::string layer =
    "[[pml]]\nregion = \"shell\"\ncenter = [0, 0, 0]\nreflection = 1e-3\n"
    "[[boundary]]\nregion = \"back\"\ntype = \"pec\"\n";
const std::string half_plane = "[[boundary]]\nregion = \"plane\"\ntype = \"pmc\"\n";
const std::string points = "[[output.near_field]]\nname = \"p\"\npositions = [[0.2, 0.05, 0.02]]\n";

const std::string no_bars = "--set accuracy.estimate=off";

class Antennas : public SummaryTest {
 protected:
  nlohmann::json solve(const std::string& program, const std::string& config,
                       const std::string& options = "") {
    write("antenna.toml", config);
    const Ended ended = run(program + " antenna.toml --output out " + options);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return results();
  }
  /// |E| or |H| of the first row of a table [V/m, A/m, V].
  double size(const std::string& file, char field) const {
    const auto table = io::read_csv(path(file));
    double sum = 0;
    for (const auto& name : table.columns)
      if ((name.rfind("re_", 0) == 0 || name.rfind("im_", 0) == 0) && name[3] == field)
        sum += std::pow(table.numbers(name)[0], 2);
    return std::sqrt(sum);
  }
};

/// The gain of a lossless dipole of length l whose current is that of a thin wire, sin k(l/2 - |z|). Source:
/// Balanis (2016), Antenna Theory, 4th ed., section 4.5.
double gain_of_wire(double length, double frequency) {
  const double h = pi * frequency / speed_of_light * length;
  constexpr int steps = 2000;
  double power = 0;
  for (int i = 0; i < steps; ++i) {
    const double theta = (i + 0.5) * pi / steps;
    power += std::pow(std::cos(h * std::cos(theta)) - std::cos(h), 2) / std::sin(theta) * pi / steps;
  }
  return 10 * std::log10(2 * std::pow(1 - std::cos(h), 2) / power);
}

/// Error bar of the gain of the only port; negative if there is none.
double bar_of_gain(const nlohmann::json& results) {
  for (const auto& entry : results["errors"])
    if (entry.contains("gain_db_error")) return entry["gain_db_error"];
  return -1;
}

/// Strip dipoles of 0.11 to 0.44 wavelengths, by an eighth, against thin wires: at least 95 % of the errors
/// are within their bars, and 80 % of the bars are at most ten times the errors.
TEST_F(Antennas, DISABLED_BarsOfTheGainsOfDipolesCoverTheDifferencesFromThinWires) {
  const double frequency = 280e6;
  struct Trial {
    int order;
    const char* sizes;
  };
  int covered = 0, narrow = 0, all = 0;
  for (const Trial& t : {Trial{1, "size_air = 0.12, size_edge = 0.05"},
                         {1, "size_air = 0.1, size_edge = 0.03"},
                         {1, "size_air = 0.06, size_edge = 0.015"},
                         {2, "size_air = 0.12, size_edge = 0.05"},
                         {2, "size_air = 0.1, size_edge = 0.03"}})
    for (const double length : {0.12, 0.25, 0.36, 0.47}) {
      const auto r = solve(
          "fem-solve",
          "[mesh]\nfile = \"" + test::source_dir() +
              "/meshes/lumped_dipole.geo\"\nunit = \"m\"\nwavelength_fraction = 0.25\norder = 2\n"
              "parameters = { length = " +
              std::to_string(length) + ", " + t.sizes + " }\n[space]\norder = " + std::to_string(t.order) +
              "\n[frequency]\nvalues = [280e6]\n[[material]]\nregion = [\"air\", \"pml\"]\n"
              "[[pml]]\nregion = \"pml\"\ncenter = [0, 0, 0]\n"
              "[[boundary]]\nregion = [\"strip\", \"electric\", \"back\"]\ntype = \"pec\"\n"
              "[[boundary]]\nregion = \"magnetic\"\ntype = \"pmc\"\n"
              "[[port]]\nregion = \"feed\"\ntype = \"lumped\"\nresistance = 73\ndirection = \"z\"\n"
              "excite = true\n[[symmetry]]\naxis = \"z\"\ntype = \"pec\"\n"
              "[[symmetry]]\naxis = \"x\"\ntype = \"pmc\"\n[[symmetry]]\naxis = \"y\"\ntype = \"pmc\"\n"
              "[output]\nfields = false\nfar_field = { theta = [0, 180, 37], phi = [0, 90, 2] }\n");
      const double bar = bar_of_gain(r), gain = r["radiation"][0]["gain_dbi"],
                   error = std::abs(gain - gain_of_wire(length, frequency));
      ASSERT_GT(bar, 0);
      ++all, covered += error <= bar, narrow += bar <= 10 * error;
    }
  EXPECT_GE(covered, 0.95 * all);
  EXPECT_GE(narrow, 0.8 * all);
}

/// Passes end where the gain is known too: S of a mismatched dipole had converged one pass earlier.
TEST_F(Antennas, PassesOfPortsEndWhereTheirGainsHaveConverged) {
  const auto r =
      solve("fem-solve",
            "[mesh]\nfile = \"" + test::source_dir() +
                "/meshes/lumped_dipole.geo\"\nunit = \"m\"\n"
                "parameters = { length = 0.12, size_air = 10, size_edge = 10 }\n"
                "[frequency]\nvalues = [280e6]\n[[material]]\nregion = [\"air\", \"pml\"]\n"
                "[[pml]]\nregion = \"pml\"\ncenter = [0, 0, 0]\n"
                "[[boundary]]\nregion = [\"strip\", \"electric\", \"back\"]\ntype = \"pec\"\n"
                "[[boundary]]\nregion = \"magnetic\"\ntype = \"pmc\"\n"
                "[[port]]\nregion = \"feed\"\ntype = \"lumped\"\nresistance = 73\ndirection = \"z\"\n"
                "excite = true\n[[symmetry]]\naxis = \"z\"\ntype = \"pec\"\n"
                "[[symmetry]]\naxis = \"x\"\ntype = \"pmc\"\n[[symmetry]]\naxis = \"y\"\ntype = \"pmc\"\n"
                "[output]\nfields = false\nfar_field = { theta = [0, 180, 37], phi = [0, 90, 2] }\n",
            "--set refinement.tolerance=0.021");
  const auto passes = io::read_csv(path("out/passes.csv"));
  const auto& names = passes.text.at("quantity");
  double s_before = 1, gain_before = 0, gain_last = 1;  // the larger of change and estimate
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_last = i + 2 >= names.size(), is_gain = names[i].rfind("gain1", 0) == 0;
    const std::string& change = passes.text.at("change")[i];
    const double estimate =
        std::max(passes.numbers("estimated_error")[i], change.empty() ? 1 : std::stod(change));
    if (is_gain)
      (is_last ? gain_last : gain_before) = estimate;
    else if (!is_last)
      s_before = estimate;
  }
  EXPECT_LT(s_before, 0.021);
  EXPECT_GT(gain_before, 0.021);
  EXPECT_LT(gain_last, 0.021);
  EXPECT_NEAR(r["radiation"][0]["gain_dbi"].get<double>(), gain_of_wire(0.12, 280e6), 0.1);
  // What a port accepts of a lossless body is radiated, however little it is: 1/400 of what comes.
  EXPECT_NEAR(r["radiation"][0]["efficiency"].get<double>(), 1, 1e-8);
}

/// A whole dipole on the same mesh by elements of order 3, against the bar of order 2. Rows of errors.csv are
/// gains and watts.
TEST_F(Antennas, BarsOfTheGreatestGainCoverTheChangeByOrderThree) {
  const std::string config =
      strips("size_air = 0.14", port(1, 73, true) + layer +
                                    "[output]\nfields = false\n"
                                    "far_field = { theta = [0, 180, 13], phi = [0, 90, 2] }\n");
  const auto gain = [](const nlohmann::json& r) { return r["radiation"][0]["gain_dbi"].get<double>(); };

  const auto coarse = solve("fem-solve", config);
  const auto table = io::read_csv(path("out/errors.csv"));
  const auto fine = solve("fem-solve --set space.order=3", config);

  const double bar = bar_of_gain(coarse), change = std::abs(gain(fine) - gain(coarse));
  EXPECT_LE(change, bar);
  EXPECT_LE(bar, 20 * change);
  EXPECT_EQ(table.text.at("quantity")[0], "greatest gain");
  EXPECT_NEAR(table.numbers("value")[0], gain(coarse), 1e-9);
  EXPECT_NEAR(table.numbers("error")[0], bar, 1e-9);
  EXPECT_EQ(table.text.at("quantity")[1], "greatest realized gain");
  EXPECT_EQ(table.text.at("quantity")[2], "radiated power");
}

/// Order 3 has no residuals with loads of waves: second solutions of lower orders give bars, which cover the
/// change by smaller cells.
TEST_F(Antennas, GainsOfOrderThreeHaveBars) {
  const auto config = [](const std::string& size) {
    return strips(size,
                  port(1, 73, true) + layer +
                      "[output]\nfields = false\nfar_field = { theta = [0, 180, 13], phi = [0, 90, 2] }\n");
  };
  const auto gain = [](const nlohmann::json& r) { return r["radiation"][0]["gain_dbi"].get<double>(); };

  const auto coarse = solve("fem-solve --set space.order=3", config("size_air = 0.14")),
             fine = solve("fem-solve --set space.order=3", config("size_air = 0.1"), no_bars);

  const double bar = bar_of_gain(coarse), change = std::abs(gain(fine) - gain(coarse));
  EXPECT_LE(change, bar);
  EXPECT_LE(bar, 30 * change);
}

/// The gain's bar is at the middle frequency, by its own factors or by those made again after copies of
/// the process have solved.
TEST_F(Antennas, DISABLED_BarsOfGainsDoNotDependOnHowFrequenciesAreSolved) {
  unsetenv("OMP_NUM_THREADS");
  const std::string config =
      strips("size_air = 0.14", port(1, 73, true) + layer +
                                    "[output]\nfields = false\n"
                                    "far_field = { theta = [0, 180, 13], phi = [0, 90, 2] }\n");
  const std::string three = "--threads 2 --set frequency.values=[270e6,275e6,280e6] ";
  const auto one = solve("fem-solve", config, three + "--jobs 1"),
             two = solve("fem-solve", config, three + "--jobs 2"),
             alone = solve("fem-solve", config,
                           "--set mesh.wavelength_fraction=0.245535714 --set frequency.values=[275e6]");
  const double bar = bar_of_gain(one);
  EXPECT_GT(bar, 0);
  EXPECT_NEAR(bar_of_gain(two), bar, 1e-6 * bar);
  EXPECT_NEAR(bar_of_gain(alone), bar, 0.02 * bar);  // the same sizes but for rounding
}

/// Two dipoles, 0.14 wavelengths apart: a third of what the driven one accepts goes into the other's load.
TEST_F(Antennas, DISABLED_TwoPortsHaveOneGainInBothPrograms) {
  const std::string
      two = "n = 2, distance = 0.15",
      ports = port(1, 73, true) + port(2, 73, false),
      far = "[output]\nfields = false\nfar_field = { theta = [0, 180, 31], phi = [0, 330, 12] }\n";

  const auto fem = solve("fem-solve", strips(two, layer + ports + far));
  const auto table = io::read_csv(path("out/farfield.csv"));
  const auto iiee = solve("fe-iiee", strips(two, ports + far +
                                                     "[truncation]\nsurfaces = [\"back\", \"inner\"]\n"
                                                     "tolerance = 1e-4\n"));

  const auto a = fem["radiation"][0], b = iiee["radiation"][0];
  for (const char* key : {"gain_dbi", "realized_gain_dbi", "directivity_dbi"})
    EXPECT_NEAR(a[key].get<double>(), b[key].get<double>(), 0.2) << key;
  for (const char* key : {"efficiency", "total_efficiency"})
    EXPECT_NEAR(a[key].get<double>(), b[key].get<double>(), 0.02) << key;
  // The definitions by S: without loss the power that is not radiated leaves through the other port.
  const auto s = fem["s_parameters"][0];
  const auto squared = [&](const char* key) {
    return std::pow(s[key][0].get<double>(), 2) + std::pow(s[key][1].get<double>(), 2);
  };
  const double accepted = 1 - squared("s1_1"), radiated = accepted - squared("s2_1");
  EXPECT_LT(radiated / accepted, 0.8);  // the definitions differ here
  EXPECT_NEAR(a["accepted_w"].get<double>(), accepted, 1e-6);
  EXPECT_NEAR(a["radiated_w"].get<double>(), radiated, 0.02);
  EXPECT_NEAR(a["efficiency"].get<double>(), radiated / accepted, 0.02);
  EXPECT_NEAR(a["total_efficiency"].get<double>(), radiated, 0.02);
  // The same from the file: power over the sphere, and its gain.
  double power = 0;
  for (std::size_t i = 0; i < table.numbers("theta_deg").size(); ++i) {
    double e = 0;
    for (const char* column : {"re_e_theta", "im_e_theta", "re_e_phi", "im_e_phi"})
      e += std::pow(table.numbers(column)[i], 2);
    const double u = e / (2 * vacuum_impedance);
    power += u * std::sin(table.numbers("theta_deg")[i] * pi / 180) * (6 * pi / 180) * (30 * pi / 180);
    if (e > 1) {
      EXPECT_NEAR(table.numbers("gain_dbi")[i], 10 * std::log10(4 * pi * u / accepted), 0.01);
    }
  }
  EXPECT_NEAR(power / radiated, 1, 0.04);
}

/// The half behind a magnetic plane through the feed: resistances are those of the whole structure. A third
/// of the watt is reflected.
TEST_F(Antennas, HalfGivesTheFieldsOfOneWattAtTheWhole) {
  const std::string far = "[output]\nfields = false\nfar_field = { theta = [90, 90, 1], phi = [0, 0, 1] }\n";
  const auto sizes = [&] {
    return std::array{size("out/farfield.csv", 'e'), size("out/near_p.csv", 'e'),
                      size("out/near_p.csv", 'h')};
  };

  const auto whole =
      solve("fem-solve", strips("half = 0", layer + port(1, 250, true) + far + points), no_bars);
  const auto of_whole = sizes();
  const auto half = solve(
      "fem-solve", strips("half = 1", layer + port(1, 250, true) + half_plane +
                                          "[[symmetry]]\naxis = \"y\"\ntype = \"pmc\"\n" + far + points));
  const auto of_half = sizes();
  const auto iiee = solve("fe-iiee",
                          strips("half = 1", port(1, 250, true) + half_plane + far + points +
                                                 "[truncation]\nsurfaces = [\"back\", \"inner\"]\n"
                                                 "symmetry = [\"plane\"]\n"
                                                 "tolerance = 1e-4\n"),
                          no_bars);
  const auto of_iiee = sizes();

  for (std::size_t i = 0; i < of_whole.size(); ++i) {
    EXPECT_NEAR(of_half[i] / of_whole[i], 1, 0.05) << i;
    EXPECT_NEAR(of_iiee[i] / of_whole[i], 1, 0.05) << i;
  }
  for (const auto* part : {&half, &iiee})
    for (const char* key : {"incident_w", "accepted_w", "radiated_w", "efficiency"})
      EXPECT_NEAR((*part)["radiation"][0][key].get<double>(), whole["radiation"][0][key].get<double>(), 0.03)
          << key;
}

/// A current element p where the port's 1 W makes a field E: by reciprocity b = -p.E/4, phase included.
TEST_F(Antennas, HalfReceivesFromADipoleOnItsPlaneWhatReciprocitySays) {
  const std::string dipole =
      "[excitation]\ntype = \"dipole\"\nposition = [0.2, 0.0, 0.05]\ndirection = [0, 0, 1]\n"
      "[output]\nfields = false\n[[output.near_field]]\nname = \"p\"\npositions = [[0.2, "
      "0.0, 0.05]]\n";

  solve("fem-solve", strips("half = 1", layer + port(1, 73, true) + half_plane +
                                            "[[symmetry]]\naxis = \"y\"\ntype = \"pmc\"\n" + dipole));

  const auto near = io::read_csv(path("out/near_p.csv")), received = io::read_csv(path("out/received.csv"));
  ASSERT_EQ(near.text.at("excitation")[0].rfind("feed1", 0), 0U);
  const std::complex<double> ez(near.numbers("re_ez")[0], near.numbers("im_ez")[0]),
      b(received.numbers("re_b").at(0), received.numbers("im_b").at(0));
  EXPECT_NEAR(received.numbers("power_w").at(0) / (std::norm(ez) / 16), 1, 1e-3);
  EXPECT_LT(std::abs(b / (-0.25 * ez) - 1.0), 1e-3) << b << ez;
}

/// A dipole in the plane of symmetry, half of which lies in the model: the whole port's power, and the whole
/// wave.
TEST_F(Antennas, HalfReceivesWhatTheWholeReceives) {
  const std::string source =
      "[excitation]\ntype = \"dipole\"\nposition = [0.2, 0, 0.03]\ndirection = [0, 0, 1]\nmoment = 0.1\n"
      "formulation = \"total\"\n[output]\nfields = false\n";
  const auto wave = [&] {
    const auto table = io::read_csv(path("out/received.csv"));
    EXPECT_NEAR(std::hypot(table.numbers("re_b")[0], table.numbers("im_b")[0]),
                std::sqrt(table.numbers("power_w")[0]), 1e-9);
    return table.numbers("power_w")[0];
  };
  const auto whole = solve("fem-solve", strips("half = 0", layer + port(1, 73, true) + source), no_bars);
  const double of_whole = wave();
  solve("fem-solve",
        strips("half = 1", layer + port(1, 73, true) + half_plane +
                               "[[symmetry]]\naxis = \"y\"\ntype = \"pmc\"\n" + source),
        no_bars);
  EXPECT_NEAR(wave() / of_whole, 1, 0.05);
  EXPECT_NEAR(whole["received"][0]["power_w"].get<double>(), of_whole, 1e-9);
}

}  // namespace
}  // namespace curlew::test
