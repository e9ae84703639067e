// SPDX-License-Identifier: BSD-3-Clause
#include "report/sections.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "charts_of_page.hpp"
#include "io/hdf5.hpp"
#include "mesh/mesh_file.hpp"

namespace curlew::report {
namespace {

/// The page of one table of a run.
nlohmann::json charts_of(const std::string& file, const std::string& rows,
                         std::string (*section)(const Source&)) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("curlew_sections_" + file);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / file) << rows;
  const nlohmann::ordered_json summary{{"files", {file}}};
  return charts_by_title(section({summary, folder.string()}));
}

TEST(Sections, PatternsOfAllFrequenciesAreThereTheGreatestFirst) {
  std::string rows = "frequency_hz,port,theta_deg,phi_deg,gain_dbi\n";
  for (const auto& [f, gain] : {std::pair{1e9, 3}, {2e9, 5}, {3e9, 4}})
    for (int theta = 0; theta <= 180; theta += 90) rows += fmt::format("{},feed,{},0,{}\n", f, theta, gain);
  const auto found = charts_of("farfield.csv", rows, patterns);
  EXPECT_EQ(found["order"].size(), 6u);  // polar and not
  EXPECT_EQ(found["feed at 2 GHz, greatest 5.00 dBi"]["frequency_hz"], 2e9);
  EXPECT_EQ(found["feed at 3 GHz, greatest 4.00 dBi"]["curves"][0]["y"], (std::vector<double>{4, 4, 4}));
  EXPECT_EQ(found["order"][0], "feed at 2 GHz, greatest 5.00 dBi, polar; 0° is up");
}

/// Between two stop bands is the passband, of which a straight line would say that it is none. A wider goal
/// spans them.
TEST(Sections, GoalsHaveNoLineBetweenTheirBands) {
  std::string rows = "goal,quantity,unit,frequency_hz,below,above,start,best\n";
  for (const double f : {1e9, 2e9}) rows += fmt::format("1,S21,dB,{},-20,,-30,-25\n", f);
  for (const double f : {5e9, 6e9}) rows += fmt::format("2,S21,dB,{},-20,,-31,-26\n", f);
  auto curve = charts_of("goals.csv", rows, goals)["S21 before and after; shaded: goal missed"]["curves"][1];
  EXPECT_EQ(curve["x"], (std::vector<double>{1, 2, 3.5, 5, 6}));
  EXPECT_TRUE(curve["y"][2].is_null());
  EXPECT_EQ(curve["y"][3], -26);
  for (const double f : {1e9, 6e9}) rows += fmt::format("3,S21,dB,{},,-90,-31,-26\n", f);
  curve = charts_of("goals.csv", rows, goals)["S21 before and after; shaded: goal missed"]["curves"][1];
  EXPECT_EQ(curve["x"].size(), 6U);
}

TEST(Sections, AnEdgeDoesNotDecideTheScaleOfACurrent) {
  std::string rows =
      "frequency_hz,phi_inc_deg,contour,s_m,abs_j_a_per_m\n1e9,0,a,0,1000\n1e9,0,a,0.001,500\n";
  for (int i = 1; i <= 100; ++i) rows += fmt::format("1e9,0,a,{},{}\n", 0.01 * i, 1 + 0.01 * i);
  const auto found =
      charts_of("current.csv", rows, [](const Source& source) { return listed(source, "Currents"); });
  const auto range = found["Surface current at 1 V/m"]["range"];
  EXPECT_NEAR(range[1], 2, 0.02);
}

TEST(Sections, ManyWavesAreDrawnTowardsTheirSourcesToo) {
  std::string rows = "frequency_hz,theta_inc_deg,phi_inc_deg,polarization,theta_deg,phi_deg,rcs_dbsm\n";
  for (int wave = 0; wave < 10; ++wave)
    for (int phi = 0; phi < 10; ++phi)
      rows += fmt::format("1e9,90,{},theta,90,{},{}\n", wave, phi, 10 * wave + phi);
  const auto found = charts_of("rcs.csv", rows, cross_sections);
  const auto& all = found["Radar cross-section, VV (the first 8 of 10 curves)"];
  EXPECT_EQ(all["x"], "phi (degrees)");
  EXPECT_EQ(all["curves"][2]["y"][3], 23);
  const auto& back = found["Radar cross-section towards the source, VV"];
  EXPECT_EQ(back["x"], "phi of incidence (degrees)");
  EXPECT_EQ(back["curves"][0]["y"], (std::vector<double>{0, 11, 22, 33, 44, 55, 66, 77, 88, 99}));
}

TEST(Sections, BackscatteringHasItsBars) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "curlew_sections_bars";
  std::filesystem::create_directories(folder);
  std::ofstream rcs(folder / "rcs.csv"), errors(folder / "errors.csv");
  rcs << "frequency_hz,theta_inc_deg,phi_inc_deg,polarization,theta_deg,phi_deg,rcs_dbsm\n";
  errors << "frequency_hz,source,quantity,unit,value,error\n";
  for (int phi = 0; phi < 5; ++phi) {
    rcs << fmt::format("1e9,90,{0},phi,90,{0},{1}\n", phi, 10 + phi);
    if (phi > 0)
      errors << fmt::format("1e9,\"wave from theta 90 phi {}, phi\",backscatter RCS,V,2,{}\n", phi,
                            0.2 * phi);
  }
  rcs.close(), errors.close();
  const nlohmann::ordered_json summary{{"files", {"rcs.csv"}}};
  const auto curve =
      charts_by_title(cross_sections({summary, folder.string()}))["Radar cross-section, HH"]["curves"][0];
  EXPECT_TRUE(curve["low"][0].is_null());
  EXPECT_NEAR(curve["high"][2], 12 + 20 * std::log10(1.2), 1e-4);
  EXPECT_NEAR(curve["low"][2], 12 + 20 * std::log10(0.8), 1e-4);
}

TEST(Sections, TheBoxAroundAStripIsHiddenAtFirst) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "curlew_sections_model";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "resolved.toml") << "[[boundary]]\nregion = \"box\"\ntype = "
                                             "\"pec\"\n[[boundary]]\nregion = \"strip\"\ntype = \"lumped\"\n";
  for (const double height : {0.5, 0.0}) {  // on the floor it is part of the box
    {
      auto file = io::H5File::create((folder / "solution.h5").string());
      auto group = file.create_group("mesh");
      mesh::Mesh mesh;
      for (int i = 0; i < 8; ++i) mesh.nodes.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2)});
      for (const Vec3<double> x : {Vec3<double>{0.2, 0.2, height}, {0.8, 0.2, height}, {0.2, 0.8, height}})
        mesh.nodes.push_back(x);
      mesh.triangles = {0, 1, 2, 5, 6, 7, 8, 9, 10};
      mesh.surfaces = {{"box", {0, 1}}, {"strip", {2}}};
      mesh::write_mesh(mesh, group);
      file.close();
    }
    const auto page = model({{}, folder.string()});
    const auto start = page.find('{'), end = page.find("</script>");
    const auto parts = nlohmann::json::parse(page.substr(start, end - start))["parts"];
    EXPECT_EQ(parts[0]["name"], "box: pec");
    EXPECT_EQ(parts[0]["on"], height == 0);
    EXPECT_EQ(parts[1]["on"], true);
  }
}

/// Bodies of fewer frequencies and directions than the table: the first has the greatest gain, which its
/// colour bar states.
TEST(Sections, APatternKeepsItsMaximum) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "curlew_sections_pattern";
  std::filesystem::create_directories(folder);
  std::ofstream table(folder / "farfield.csv");
  table << "frequency_hz,port,theta_deg,phi_deg,gain_dbi\n";
  for (int f = 1; f <= 17; ++f)
    for (int theta = 0; theta <= 180; theta += 4)
      for (int phi = 0; phi <= 360; phi += 4)
        table << f << "e9,p1," << theta << ',' << phi << ','
              << (f == 11 && theta == 88 && phi == 60 ? 8.25 : 0) << '\n';
  table.close();
  const auto page = patterns({{{"files", {"farfield.csv"}}}, folder.string()});
  const auto start = page.find('{', page.rfind("class=\"body\"")), end = page.find("</script>", start);
  const auto bodies = nlohmann::json::parse(page.substr(start, end - start))["patterns"];
  EXPECT_EQ(bodies[0]["name"], "11 GHz");
  EXPECT_LE(bodies.size(), 9u);
  double greatest = 0;
  for (const auto& line : bodies[0]["db"])
    for (const double gain : line) greatest = std::max(greatest, gain);
  EXPECT_EQ(greatest, 8.25);
}

TEST(Sections, PortsAreNumberedAsInS) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "curlew_sections_ports";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "ports.csv")
      << "frequency_hz,port,mode\n1e9,feed,TE10\n1e9,load,\n2e9,feed,TE10\n2e9,load,\n";
  nlohmann::ordered_json summary{{"files", {"ports.csv"}}};
  summary["results"]["s_parameters"] = {{{"frequency_hz", 1e9},
                                         {"s1_1", {0.5, 0}},
                                         {"s1_2", {0, 0.8}},
                                         {"s2_1", {0, 0.8}},
                                         {"s2_2", {0.5, 0}}}};
  EXPECT_NE(scattering_parameters({summary, folder.string()}).find("Ports of S: 1 feed TE10, 2 load<"),
            std::string::npos);
}

}  // namespace
}  // namespace curlew::report
