// SPDX-License-Identifier: BSD-3-Clause
#include "report/sections.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "charts_of_page.hpp"

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

}  // namespace
}  // namespace curlew::report
