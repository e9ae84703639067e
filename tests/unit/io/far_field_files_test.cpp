// SPDX-License-Identifier: BSD-3-Clause
#include "io/far_field_files.hpp"

#include <gtest/gtest.h>

#include "temp_folder.hpp"

namespace curlew::io {
namespace {

TEST(FarFieldFiles, CrossSectionsInSquareMetresAndDecibels) {
  const test::TempFolder folder;
  RcsWriter writer(folder / "rcs.csv", {"fe-iiee", "c.toml", ""});
  writer.row({3e8, 90, 10, "theta", 45, 0, 0.075, 0.025});
  writer.row({3e8, 90, 10, "phi", 45, 0, 0, 0});
  writer.close();

  const CsvTable table = read_csv(folder / "rcs.csv");

  EXPECT_EQ(table.columns, (std::vector<std::string>{"frequency_hz", "theta_inc_deg", "phi_inc_deg",
                                                     "polarization", "theta_deg", "phi_deg", "rcs_theta_m2",
                                                     "rcs_phi_m2", "rcs_m2", "rcs_dbsm"}));
  EXPECT_NEAR(table.numbers("rcs_m2")[0], 0.1, 1e-12);
  EXPECT_NEAR(table.numbers("rcs_dbsm")[0], -10, 1e-10);
  EXPECT_EQ(table.numbers("rcs_dbsm")[1], -300);
}

TEST(FarFieldFiles, PatternsInDecibels) {
  const test::TempFolder folder;
  FarFieldWriter writer(folder / "farfield.csv", {"fe-iiee", "c.toml", ""});
  writer.row({1e9, "port1", 30, 60, {1, 2}, {3, 4}, 100, 10, 1, 40, 7.5, 2.5});
  writer.close();

  const CsvTable table = read_csv(folder / "farfield.csv");

  EXPECT_EQ(table.columns, (std::vector<std::string>{"frequency_hz", "port", "theta_deg", "phi_deg",
                                                     "re_e_theta", "im_e_theta", "re_e_phi", "im_e_phi",
                                                     "directivity_dbi", "gain_dbi", "realized_gain_dbi",
                                                     "axial_ratio_db", "gain_rhcp_dbi", "gain_lhcp_dbi"}));
  EXPECT_NEAR(table.numbers("gain_rhcp_dbi")[0], 10 * std::log10(7.5), 1e-10);
  EXPECT_NEAR(table.numbers("gain_lhcp_dbi")[0], 10 * std::log10(2.5), 1e-10);
  EXPECT_NEAR(table.numbers("directivity_dbi")[0], 20, 1e-10);
  EXPECT_NEAR(table.numbers("realized_gain_dbi")[0], 0, 1e-10);
  EXPECT_EQ(table.numbers("im_e_phi")[0], 4);
}

}  // namespace
}  // namespace curlew::io
