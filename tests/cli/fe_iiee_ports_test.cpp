// SPDX-License-Identifier: BSD-3-Clause
// Results of ports in fe-iiee: S-parameters, impedances and fields of 1 W, against fem-solve with a matched
// layer and against itself with another plane of symmetry.

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "io/csv.hpp"
#include "run_summary.hpp"
#include "strip_antenna.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

using Complex = std::complex<double>;

Complex number(const nlohmann::json& pair) {
  return {pair.at(0).get<double>(), pair.at(1).get<double>()};
}

class FeIieePorts : public SummaryTest {
 protected:
  /// A problem whose surface S is truncated (folder a), and before a layer of fem-solve (folder b).
  /// @returns the output of fe-iiee
  std::string solve_both(const std::string& common, const std::string& tolerance) const {
    write("truncated.toml", common + "[truncation]\ntolerance = " + tolerance + "\n");
    write("layer.toml",
          common + "[[pml]]\naround = \"S\"\nthickness = 0.25\nlayers = 3\ncenter = [0, 0, 0]\n");
    const Ended truncated = run("fe-iiee truncated.toml --output a --set accuracy.estimate=off");
    const Ended layer = run("fem-solve layer.toml --output b --set accuracy.estimate=off");
    EXPECT_EQ(truncated.status, 0) << truncated.err;
    EXPECT_EQ(layer.status, 0) << layer.err;
    return truncated.out;
  }
  /// Largest difference of two tables' columns over the largest value.
  double difference(const std::string& file, const std::string& other,
                    const std::vector<const char*>& names) {
    const auto a = io::read_csv(path(file)), b = io::read_csv(path(other));
    EXPECT_EQ(a.num_rows, b.num_rows);
    double largest = 0, apart = 0;
    for (const char* name : names)
      for (std::size_t i = 0; i < std::min(a.num_rows, b.num_rows); ++i) {
        largest = std::max(largest, std::abs(a.numbers(name)[i]));
        apart = std::max(apart, std::abs(a.numbers(name)[i] - b.numbers(name)[i]));
      }
    return apart / largest;
  }
};

const std::vector<const char*> far{"re_e_theta", "im_e_theta", "re_e_phi", "im_e_phi"};

/// fem-solve ends the same mesh by a layer.
TEST_F(FeIieePorts, DISABLED_LumpedPortsAgreeWithAMatchedLayer) {
  write("strip.geo", strip_geometry);
  const std::string common =
      "[mesh]\nfile = \"strip.geo\"\nunit = \"m\"\nsize = 0.12\norder = 2\n[frequency]\nvalues = [2.8e8]\n" +
      strip_tables +
      "[output]\nfields = false\nreference_impedance = 60\nfar_field = { theta = [0, 180, 7], phi = [0, 90, "
      "3] }\n";
  const std::string said = solve_both(common, "1e-6");
  const auto a = results("a")["s_parameters"], b = results("b")["s_parameters"];
  ASSERT_EQ(a.size(), 1U);
  for (std::size_t f = 0; f < a.size(); ++f) {
    EXPECT_EQ(a[f]["frequency_hz"], b[f]["frequency_hz"]);
    for (const char* name : {"s1_1", "s1_2", "s2_1", "s2_2"})
      EXPECT_LT(std::abs(number(a[f][name]) - number(b[f][name])), 0.01) << name;
    EXPECT_LT(std::abs(number(a[f]["s1_2"]) - number(a[f]["s2_1"])), 1e-5);
    for (const auto& [name, r] : {std::pair{"1", 73.0}, std::pair{"2", 40.0}}) {
      const std::string key = std::string("input_impedance_") + name + "_ohm";
      const Complex z = number(a[f][key]), expected = number(b[f][key]);
      EXPECT_LT(std::abs(z - expected), 0.02 * (std::abs(expected) + r)) << key;
    }
  }
  EXPECT_LT(difference("a/farfield.csv", "b/farfield.csv", far), 0.02);
  EXPECT_LT(difference("a/ports.csv", "b/ports.csv", {"re_z0_ohm", "im_z0_ohm"}), 1e-12);
  EXPECT_NE(said.find("S-parameters, incident at first"), std::string::npos) << said;
  // The file is renormalised: from the ports' 73 and 40 ohm to 60.
  const std::string file = io::read_text_file(path("a/truncated.s2p"));
  EXPECT_NE(file.find("R 60"), std::string::npos);
  EXPECT_NE(file.find("Port[2] = second"), std::string::npos);
}

/// The strip over its resonance: S between few full solutions against those at every frequency, and a pattern
/// at a frequency that the sweep does not solve.
TEST_F(FeIieePorts, AdaptiveSweepAgreesWithFullSolutions) {
  write("strip.geo", strip_geometry);
  write("strip.toml",
        coarse_strip +
            "[frequency]\nstart = 2e8\nstop = 3.5e8\npoints = 11\n[output]\nfrequencies = [2.6e8, "
            "3e8]\nfar_field = { theta = [0, 180, 7], phi = [0, 90, 3] }\n[truncation]\n"
            "tolerance = 1e-6\n[accuracy]\nestimate = \"off\"\n");

  const Ended full = run("fe-iiee strip.toml --output full");
  const Ended fast = run("fe-iiee strip.toml --output fast --set frequency.adaptive_tolerance=1e-3");

  ASSERT_EQ(full.status, 0) << full.err;
  ASSERT_EQ(fast.status, 0) << fast.err;
  const auto a = results("full")["s_parameters"], b = results("fast")["s_parameters"];
  ASSERT_EQ(a.size(), 11U);
  ASSERT_EQ(b.size(), 11U);
  double change = 0;
  for (std::size_t f = 0; f < a.size(); ++f)
    for (const char* name : {"s1_1", "s1_2", "s2_1", "s2_2"}) {
      EXPECT_LT(std::abs(number(a[f][name]) - number(b[f][name])), 1e-3) << name << " " << f;
      change = std::max(change, std::abs(number(a[f][name]) - number(a[0][name])));
    }
  EXPECT_GT(change, 0.5);  // the band holds a resonance
  EXPECT_LE(results("fast")["full_solutions"].get<int>(), 8);
  EXPECT_LT(difference("full/farfield.csv", "fast/farfield.csv", far), 1e-4);
  EXPECT_EQ(io::read_csv(path("fast/farfield.csv")).numbers("frequency_hz").back(), 3e8);
  EXPECT_LT(difference("full/ports.csv", "fast/ports.csv", {"frequency_hz", "re_z0_ohm"}), 1e-12);
  const Ended rough = run("fe-iiee strip.toml --output no --set frequency.adaptive_tolerance=1e-6");
  EXPECT_EQ(rough.status, 2);
  EXPECT_NE(rough.err.find("ten times truncation.tolerance"), std::string::npos) << rough.err;
}

/// A guide of two media, whose mode changes with the frequency, opens from a block of metal. By default a
/// dozen frequencies have an adaptive sweep.
TEST_F(FeIieePorts, DISABLED_AdaptiveSweepOfADispersivePortAgreesWithFullSolutions) {
  write("guide.geo",
        "SetFactory(\"OpenCASCADE\");\n"
        "Sphere(1) = {0, 0, 0, 0.5}; Sphere(2) = {0, 0, 0, 0.38};\n"
        "Box(3) = {-0.12, -0.07, -0.2, 0.24, 0.14, 0.25}; Box(4) = {-0.1, -0.05, -0.1, 0.2, 0.04, 0.15}; "
        "Box(6) = {-0.1, -0.01, -0.1, 0.2, 0.06, 0.15};\n"
        "BooleanDifference(5) = { Volume{3}; Delete; }{ Volume{4, 6}; };\n"
        "BooleanFragments{ Volume{1, 2, 4, 5, 6}; Delete; }{}\n"
        "e = 1e-4; r = 0.38 + e;\n"
        "guide() = Volume In BoundingBox{-0.1 - e, -0.05 - e, -0.1 - e, 0.1 + e, 0.05 + e, 0.05 + e};\n"
        "slab() = Volume In BoundingBox{-0.1 - e, -0.05 - e, -0.1 - e, 0.1 + e, -0.01 + e, 0.05 + e};\n"
        "block() = Volume In BoundingBox{-0.12 - e, -0.07 - e, -0.2 - e, 0.12 + e, 0.07 + e, 0.05 + e};\n"
        "block() -= {guide()}; Recursive Delete { Volume{block()}; }\n"
        "ball() = Volume In BoundingBox{-r, -r, -r, r, r, r}; shell() = Volume{:}; shell() -= {ball()};\n"
        "ball() -= {guide()}; feed() = Surface In BoundingBox{-0.2, -0.2, -0.1 - e, 0.2, 0.2, -0.1 + e};\n"
        "mouth() = Surface In BoundingBox{-0.1 - e, -0.05 - e, 0.05 - e, 0.1 + e, 0.05 + e, 0.05 + e};\n"
        "middle() = Surface In BoundingBox{-0.1 - e, -0.01 - e, -0.1 - e, 0.1 + e, -0.01 + e, 0.05 + e};\n"
        "metal() = Surface In BoundingBox{-0.12 - e, -0.07 - e, -0.2 - e, 0.12 + e, 0.07 + e, 0.05 + e};\n"
        "metal() -= {feed(), mouth(), middle()};\n"
        "inner() = CombinedBoundary{ Volume{ball(), guide()}; }; inner() -= {metal(), feed()};\n"
        "outer() = CombinedBoundary{ Volume{:}; }; outer() -= {metal(), feed()};\n"
        "air() = guide(); air() -= {slab()};\n"
        "Physical Volume(\"slab\") = {slab()}; Physical Volume(\"guide\") = {air()}; Physical "
        "Volume(\"ball\") = {ball()};\n"
        "Physical Volume(\"shell\") = {shell()}; Physical Surface(\"feed\") = {feed()};\n"
        "Physical Surface(\"metal\") = {metal()}; Physical Surface(\"S_prime\") = {inner()};\n"
        "Physical Surface(\"S\") = {outer()};\n");
  write("guide.toml",
        "[mesh]\nfile = \"guide.geo\"\nunit = \"m\"\nsize = 0.15\n[space]\norder = 1\n"
        "[frequency]\nstart = 5e8\nstop = 5.6e8\npoints = 13\n"
        "[[material]]\nregion = [\"ball\", \"shell\"]\n[[material]]\nregion = \"guide\"\nepsilon_r = 4\n"
        "[[material]]\nregion = \"slab\"\nepsilon_r = 8\n[[boundary]]\nregion = \"metal\"\ntype = \"pec\"\n"
        "[[port]]\nregion = \"feed\"\nabsorbed_modes = 2\n[output]\nfields = false\n"
        "[truncation]\ntolerance = 1e-5\n[accuracy]\nestimate = \"off\"\n");

  const Ended fast = run("fe-iiee guide.toml --output fast");
  const Ended full = run("fe-iiee guide.toml --output full --set frequency.values=[5.05e8,5.25e8,5.55e8]");

  ASSERT_EQ(fast.status, 0) << fast.err;
  ASSERT_EQ(full.status, 0) << full.err;
  EXPECT_LE(results("fast")["full_solutions"].get<int>(), 9);
  const auto found = results("fast")["s_parameters"], solved = results("full")["s_parameters"];
  ASSERT_EQ(found.size(), 13U);
  ASSERT_EQ(solved.size(), 3U);
  const std::size_t places[] = {1, 5, 11};
  for (std::size_t f = 0; f < 3; ++f)
    EXPECT_LT(std::abs(number(solved[f]["s1_1"]) - number(found[places[f]]["s1_1"])), 1e-3) << f;
  EXPECT_GT(std::abs(number(solved[2]["s1_1"]) - number(solved[0]["s1_1"])), 0.05);
}

/// Elements in series with the first port: Z11 grows by theirs, and the pattern of 1 W by the current's
/// change, I = (1 - S11) √(2/R).
TEST_F(FeIieePorts, ElementsBeforeAPortAreThoseOfACircuit) {
  write("strip.geo", strip_geometry);
  const auto config = [&](const std::string& first) {
    return first +
           "[frequency]\nvalues = [2.8e8]\n[output]\nfields = false\nfar_field = { theta = [30, 60, 2], "
           "phi = [40, 50, 2] }\n[truncation]\ntolerance = 1e-6\n[accuracy]\nestimate = \"off\"\n";
  };
  std::string loaded = coarse_strip;
  const std::string key = "resistance = 73\n";
  loaded.replace(loaded.find(key), key.size(),
                 key + "series_resistance = 10\nseries_inductance = 3e-8\nseries_capacitance = 5e-12\n");
  write("bare.toml", config(coarse_strip));
  write("loaded.toml", config(loaded));
  for (const char* name : {"bare", "loaded"}) {
    const Ended ended = run(std::string("fe-iiee ") + name + ".toml --output " + name);
    ASSERT_EQ(ended.status, 0) << ended.err;
  }
  const auto bare = results("bare")["s_parameters"][0], with = results("loaded")["s_parameters"][0];
  const auto s = [](const nlohmann::json& of, const char* name) { return number(of[name]); };
  const Complex w(0, 2 * 3.14159265358979 * 2.8e8), zs = 10.0 + w * 3e-8 + 1.0 / (w * 5e-12);
  // Port 2 stays as it is: Z seen by the first port, all others matched, grows by Zs; S21 by the current.
  const Complex z = s(bare, "input_impedance_1_ohm") + zs, s11 = (z - 73.0) / (z + 73.0);
  const Complex current = (1.0 - s11) / (1.0 - s(bare, "s1_1"));
  EXPECT_LT(std::abs(s(with, "s1_1") - s11), 1e-3);
  EXPECT_LT(std::abs(s(with, "s2_1") - s(bare, "s2_1") * current), 1e-3);
  EXPECT_LT(std::abs(s(with, "s1_2") - s(with, "s2_1")), 1e-3);
  const auto a = io::read_csv(path("bare/farfield.csv")), b = io::read_csv(path("loaded/farfield.csv"));
  for (std::size_t i = 0; i < a.num_rows; ++i) {
    const auto field = [&](const io::CsvTable& t) {
      return Complex(t.numbers("re_e_theta")[i], t.numbers("im_e_theta")[i]);
    };
    EXPECT_LT(std::abs(field(b) / (field(a) * current) - 1.0), 1e-3) << i;
  }
}

/// S at orders 1 and 2 against that of order 3 on the same mesh is within the bars, which come from a
/// solution of order 2 or, by default, as order 3 takes long, from residuals of order 2.
TEST_F(FeIieePorts, BarsOfSCoverTheChangeToOrderThree) {
  write("strip.geo", strip_geometry);
  write("strip.toml",
        coarse_strip +
            "[frequency]\nvalues = [2.8e8]\n[output]\nfields = false\nfar_field = { theta = [0, "
            "180, 7], phi = [0, 90, 3] }\n[truncation]\ntolerance = 1e-6\n");
  const Ended low = run("fe-iiee strip.toml --output low --set accuracy.estimate=one");
  const Ended middle = run("fe-iiee strip.toml --output middle --set space.order=2");
  const Ended high = run("fe-iiee strip.toml --output high --set space.order=3 --set accuracy.estimate=off");
  ASSERT_EQ(low.status, 0) << low.err;
  ASSERT_EQ(middle.status, 0) << middle.err;
  EXPECT_NE(middle.out.find("from residuals in elements of the next order"), std::string::npos) << middle.out;
  ASSERT_EQ(high.status, 0) << high.err;
  const auto b = results("high");
  for (const char* folder : {"low", "middle"}) {
    const auto a = results(folder);
    nlohmann::json bars;
    for (const auto& entry : a["errors"]) bars.update(entry);
    for (const char* name : {"s1_1", "s1_2", "s2_1", "s2_2"}) {
      const double bar = bars.at(std::string(name) + "_error"),
                   error = std::abs(number(a["s_parameters"][0][name]) - number(b["s_parameters"][0][name]));
      EXPECT_LE(error, bar) << folder << ": " << name;
      EXPECT_LE(bar, 10 * error) << folder << ": " << name;
    }
  }
}

/// Every frequency has its bars: of S, impedance, power and gain, against order 3 on the same mesh.
TEST_F(FeIieePorts, DISABLED_EveryFrequencyHasBarsThatCoverTheChangeToOrderThree) {
  write("strip.geo", strip_geometry);
  write("strip.toml",
        coarse_strip +
            "[frequency]\nvalues = [2e8, 2.75e8, 3.5e8]\n[output]\nfields = false\nfar_field = { theta = [0, "
            "180, 7], phi = [0, 90, 3] }\n[truncation]\ntolerance = 1e-5\n");
  const Ended low = run("fe-iiee strip.toml --output low --set space.order=2");
  const Ended high = run("fe-iiee strip.toml --output high --set space.order=3 --set accuracy.estimate=off");
  ASSERT_EQ(low.status, 0) << low.err;
  ASSERT_EQ(high.status, 0) << high.err;
  const auto a = results("low"), b = results("high");
  for (std::size_t f = 0; f < 3; ++f) {
    const auto &s = a["s_parameters"][f], &rough = a["radiation"][f];
    nlohmann::json bars;
    for (const auto& entry : a["errors"])
      if (entry["frequency_hz"] == s["frequency_hz"]) bars.update(entry);
    const auto expect_fair = [&](const std::string& name, double error, double most) {
      ASSERT_TRUE(bars.contains(name)) << f << ": " << name;
      EXPECT_LE(error, bars[name]) << f << ": " << name;
      EXPECT_LE(bars[name], most * error) << f << ": " << name;
    };
    for (const char* name : {"s1_1", "s1_2", "s2_1", "s2_2", "input_impedance_1_ohm"})
      expect_fair(name + std::string("_error"),
                  std::abs(number(s[name]) - number(b["s_parameters"][f][name])), 15);
    const auto& finer = b["radiation"][f];
    expect_fair("gain_db_error", std::abs(rough["gain_dbi"].get<double>() - finer["gain_dbi"].get<double>()),
                5);
    expect_fair("radiated_w_relative_error",
                std::abs(rough["radiated_w"].get<double>() / finer["radiated_w"].get<double>() - 1), 100);
  }
}

/// Bars between the full solutions of an adaptive sweep are those of solutions at every frequency.
TEST_F(FeIieePorts, DISABLED_BarsOfAnAdaptiveSweepAreThoseOfFullSolutions) {
  write("strip.geo", strip_geometry);
  write("strip.toml", coarse_strip +
                          "[frequency]\nstart = 2e8\nstop = 3.5e8\npoints = 11\n[output]\nfields = false\n"
                          "[truncation]\ntolerance = 1e-5\n");
  const std::string order = "fe-iiee strip.toml --set space.order=2 --output ";
  const Ended fast = run(order + "fast --set frequency.adaptive_tolerance=1e-3");
  const Ended full =
      run(order + "full --set output.frequencies=[2e8,2.15e8,2.3e8,2.45e8,2.6e8,2.75e8,3.05e8]");
  ASSERT_EQ(fast.status, 0) << fast.err;
  ASSERT_EQ(full.status, 0) << full.err;
  const auto a = io::read_csv(path("fast/errors.csv")), b = io::read_csv(path("full/errors.csv"));
  std::size_t compared = 0, spread = 0;
  for (std::size_t i = 0; i < a.num_rows; ++i)
    for (std::size_t k = 0; k < b.num_rows; ++k) {
      const auto& quantity = a.text.at("quantity")[i];
      if (quantity.substr(0, 1) != "S" || quantity != b.text.at("quantity")[k] ||
          a.numbers("frequency_hz")[i] != b.numbers("frequency_hz")[k])
        continue;
      EXPECT_NEAR(a.numbers("error")[i] / b.numbers("error")[k], 1, 0.05) << quantity;
      ++compared;
      if (a.text.at("remark")[i].find("from other") == 0) ++spread;
    }
  EXPECT_EQ(compared, 44U);
  EXPECT_GE(spread, 8U);
}

/// A guide of lossy matter that opens from a block of metal: its impedance has a phase of 21 degrees, and 1 W
/// that comes in is a power wave's.
TEST_F(FeIieePorts, LossyGuideGetsOneWattInBothPrograms) {
  write("guide.geo",
        "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 0.5};\nSphere(2) = {0, 0, 0, 0.38};\n"
        "Box(3) = {-0.12, -0.07, -0.2, 0.24, 0.14, 0.25};\nBox(4) = {-0.1, -0.05, -0.1, 0.2, 0.1, 0.15};\n"
        "BooleanDifference(5) = { Volume{3}; Delete; }{ Volume{4}; };\n"
        "BooleanFragments{ Volume{1, 2, 4, 5}; Delete; }{}\ne = 1e-4; r = 0.38 + e;\n"
        "guide() = Volume In BoundingBox{-0.1 - e, -0.05 - e, -0.1 - e, 0.1 + e, 0.05 + e, 0.05 + e};\n"
        "block() = Volume In BoundingBox{-0.12 - e, -0.07 - e, -0.2 - e, 0.12 + e, 0.07 + e, 0.05 + e};\n"
        "block() -= {guide()};\nRecursive Delete { Volume{block()}; }\n"
        "ball() = Volume In BoundingBox{-r, -r, -r, r, r, r};\nshell() = Volume{:};\nshell() -= {ball()};\n"
        "ball() -= {guide()};\nfeed() = Surface In BoundingBox{-0.2, -0.2, -0.1 - e, 0.2, 0.2, -0.1 + e};\n"
        "mouth() = Surface In BoundingBox{-0.1 - e, -0.05 - e, 0.05 - e, 0.1 + e, 0.05 + e, 0.05 + e};\n"
        "metal() = Surface In BoundingBox{-0.12 - e, -0.07 - e, -0.2 - e, 0.12 + e, 0.07 + e, 0.05 + e};\n"
        "metal() -= {feed(), mouth()};\n"
        "inner() = CombinedBoundary{ Volume{ball(), guide()}; };\ninner() -= {metal(), feed()};\n"
        "outer() = CombinedBoundary{ Volume{:}; };\nouter() -= {metal(), feed()};\n"
        "Physical Volume(\"guide\") = {guide()};\nPhysical Volume(\"ball\") = {ball()};\n"
        "Physical Volume(\"shell\") = {shell()};\nPhysical Surface(\"feed\") = {feed()};\n"
        "Physical Surface(\"metal\") = {metal()};\nPhysical Surface(\"S_prime\") = {inner()};\n"
        "Physical Surface(\"S\") = {outer()};\n");
  const std::string common =
      "[mesh]\nfile = \"guide.geo\"\nunit = \"m\"\nsize = 0.15\n[frequency]\nvalues = [5e8]\n"
      "[[material]]\nregion = [\"ball\", \"shell\"]\n[[material]]\nregion = \"guide\"\nepsilon_r = [4, "
      "-1.6]\n"
      "[[boundary]]\nregion = \"metal\"\ntype = \"pec\"\n[[port]]\nregion = \"feed\"\nabsorbed_modes = 2\n"
      "[output]\nfields = false\nfar_field = { theta = [0, 180, 7], phi = [0, 90, 3] }\n";
  solve_both(common, "1e-5");
  const auto a = results("a"), b = results("b");
  const double accepted = 1 - std::norm(number(a["s_parameters"][0]["s1_1"]));
  EXPECT_NEAR(a["radiation"][0]["accepted_w"].get<double>(), accepted, 1e-6);
  EXPECT_NEAR(a["radiation"][0]["accepted_w"].get<double>(), b["radiation"][0]["accepted_w"].get<double>(),
              5e-3);
  EXPECT_NEAR(a["radiation"][0]["radiated_w"].get<double>() / b["radiation"][0]["radiated_w"].get<double>(),
              1, 0.02);
}

}  // namespace
}  // namespace curlew::test
