// SPDX-License-Identifier: BSD-3-Clause
// The tables of results: one quantity, one name, one unit; and the checks of writers.
#include "io/schema/result.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace curlew::io::schema {
namespace {

/// The last part of a path of the summary.
std::string_view last_part(std::string_view name) {
  return name.substr(name.find_last_of(".)") + 1);
}

TEST(Results, PatternsMeanWhatTheySay) {
  EXPECT_TRUE(matches("s#_#", "s1_12"));
  EXPECT_FALSE(matches("s#_#", "s1_"));
  EXPECT_TRUE(matches("current(_#).csv", "current.csv"));
  EXPECT_TRUE(matches("current(_#).csv", "current_3.csv"));
  EXPECT_FALSE(matches("current(_#).csv", "current_x.csv"));
  EXPECT_TRUE(matches("*.s#p", "filter.s2p"));
  EXPECT_FALSE(matches("a.*", "a."));
}

TEST(Results, OneNameHasOneUnitWhereverItStands) {
  std::map<std::string_view, const Result*> first;
  const auto all = results_of("");
  for (const Result& result : all) {
    if (result.name.ends_with(".*")) continue;  // names of regions, stages and the like
    const auto [known, is_new] = first.emplace(last_part(result.name), &result);
    const bool is_word_as_number = result.name == "origin" && result.file == "*.vtkhdf";
    EXPECT_EQ(known->second->unit, is_word_as_number ? "" : result.unit)
        << result.file << ": " << result.name;
    EXPECT_FALSE(result.meaning.empty()) << result.name;
    EXPECT_FALSE(result.meaning.ends_with('.')) << result.name;
    EXPECT_FALSE(result.programs.empty()) << result.file << ": " << result.name;
  }
}

TEST(Results, UnitsInNamesAreTheUnits) {
  const std::pair<std::string_view, std::string_view> endings[] = {
      {"_hz", "Hz"},     {"_deg", "deg"},     {"_dbi", "dBi"},  {"_dbsm", "dBsm"}, {"_dbm", "dBm"},
      {"_db", "dB"},     {"_ohm", "ohm"},     {"_w", "W"},      {"_pa", "Pa"},     {"_m2", "m^2"},
      {"_per_m", "1/m"}, {"_bytes", "bytes"}, {"_seconds", "s"}};
  for (const Result& result : results_of("")) {
    if (result.name.ends_with("j_a_per_m")) continue;                        // A/m, its own ending
    if (result.file == "near_*.csv" && result.name == "re|im_hz") continue;  // H along z
    if (result.name.ends_with("_c_per_m2")) continue;
    for (const auto& [ending, unit] : endings) {
      if (!result.name.ends_with(ending)) continue;
      EXPECT_EQ(result.unit, unit) << result.name;
      break;
    }
  }
}

TEST(Results, UndeclaredNamesAreRefused) {
  EXPECT_NO_THROW(check_summary_name("ie-solve", "results.scattering[].backscatter_dbsm"));
  EXPECT_NO_THROW(check_summary_name("ie-solve", "results.backscatter_dbsm"));
  EXPECT_NO_THROW(check_summary_name("fem-solve", "results.modes[].participation.left air"));
  EXPECT_THROW(check_summary_name("ie-solve", "results.power_imbalance"), std::logic_error);
  EXPECT_THROW(check_summary_name("mom2d", "results.s1_1_db"), std::logic_error);
  EXPECT_THROW(check_file_name("mom2d", "rcs.csv"), std::logic_error);
  EXPECT_NO_THROW(check_file_name("mom2d", "current_2.csv"));
  EXPECT_THROW(check_columns("out/rcs.csv.part-17", {"frequency_hz"}), std::logic_error);
  EXPECT_NO_THROW(check_columns("out/history.csv.part-17", {"frequency_hz", "iteration", "relative_error"}));
  EXPECT_THROW(check_columns("out/other.csv", {"frequency_hz"}), std::logic_error);
  EXPECT_NO_THROW(check_array("E_scattered_2_re", "V/m"));
  EXPECT_THROW(check_array("E", "A/m"), std::logic_error);
  EXPECT_THROW(check_array("Current", "A/m"), std::logic_error);
}

TEST(Results, ColumnsStandInTheirOrder) {
  EXPECT_EQ(columns_of("received.csv"),
            (std::vector<std::string>{"frequency_hz", "excitation", "port", "re_b", "im_b", "power_w"}));
  EXPECT_TRUE(columns_of("sweep.csv").empty());
}

TEST(Results, ListingIsJson) {
  const auto listing = nlohmann::json::parse(results_as_json("fem-solve"));
  EXPECT_FALSE(listing["files"].empty());
  EXPECT_FALSE(listing["results"].empty());
}

}  // namespace
}  // namespace curlew::io::schema
