// SPDX-License-Identifier: BSD-3-Clause
#include "io/csv.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "io/number_text.hpp"

#include "base/error.hpp"
#include "curlew/build.hpp"
#include "io/atomic_file.hpp"
#include "io/provenance.hpp"
#include "temp_folder.hpp"

namespace curlew::io {
namespace {

TEST(Csv, WritesWhatItReads) {
  const test::TempFolder folder;
  CsvWriter writer(folder / "a.csv", {"mom2d 1"}, {"frequency_hz", "name", "n"});
  writer.row({1.0 / 3, "plain", 2});
  writer.row({-1e-300, "with, \"comma\"", 3L});
  writer.close();

  const CsvTable table = read_csv(folder / "a.csv");

  EXPECT_EQ(table.comments, (std::vector<std::string>{"mom2d 1"}));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"frequency_hz", "name", "n"}));
  ASSERT_EQ(table.num_rows, 2U);
  EXPECT_NEAR(table.numbers("frequency_hz")[0], 1.0 / 3, 1e-12);
  EXPECT_EQ(table.numbers("frequency_hz")[1], -1e-300);
  EXPECT_EQ(table.text.at("name")[1], "with, \"comma\"");
  EXPECT_EQ(table.numbers("n")[1], 3.0);
}

TEST(Csv, AZeroHasNoSign) {
  const test::TempFolder folder;
  CsvWriter writer(folder / "a.csv", {}, {"frequency_hz"});
  writer.row({-0.0});
  writer.close();

  EXPECT_EQ(read_csv(folder / "a.csv").text.at("frequency_hz")[0], "0");
}

TEST(Csv, WritesNoNumberThatIsNone) {
  const test::TempFolder folder;
  CsvWriter writer(folder / "a.csv", {}, {"frequency_hz", "name", "db"});
  for (const double nan : {std::nan(""), -std::nan("")}) {
    try {
      writer.row({1e9, "nan", nan});
      FAIL() << "written";
    } catch (const NumericalError& e) {
      EXPECT_NE(std::string(e.what()).find("a.csv: column 3 of a row is not finite"), std::string::npos)
          << e.what();
    }
  }
  writer.row({1e9, "nan", -HUGE_VAL});
  writer.row({1e9, "inf", HUGE_VAL});
  writer.close();
  const CsvTable table = read_csv(folder / "a.csv");
  ASSERT_EQ(table.num_rows, 2U);
  EXPECT_EQ(table.text.at("name")[0], "nan");
  EXPECT_EQ(table.text.at("name")[1], "inf");
  EXPECT_EQ(table.text.at("db")[0], "");
  EXPECT_EQ(table.text.at("db")[1], "");
}

TEST(Csv, HeadSaysProgramConfigAndConvention) {
  const test::TempFolder folder;
  CsvWriter writer(folder / "a.csv", provenance_lines({"mom2d", "c.toml", "text"}), {"x"});
  writer.close();

  const std::string text = read_text_file(folder / "a.csv");

  for (const auto* part : {"# mom2d " CURLEW_VERSION, "c.toml", "exp(+jwt)", "\nx\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(Csv, ErrorsNameFileLineAndColumn) {
  const test::TempFolder folder;
  write_text_file(folder / "a.csv", "x,y\n1,2\n3\n");
  write_text_file(folder / "b.csv", "x,y\r\n1,two\r\n");

  EXPECT_NE(test::message_of<InputError>([&] {
              read_csv(folder / "a.csv");
            }).find("a.csv:3: 1 fields where the header has 2"),
            std::string::npos);
  const CsvTable table = read_csv(folder / "b.csv");
  EXPECT_NE(test::message_of<InputError>([&] {
              table.numbers("y");
            }).find("column \"y\", row 1: \"two\" is not a finite number"),
            std::string::npos);
  EXPECT_NE(test::message_of<InputError>([&] {
              table.numbers("z");
            }).find("there is no column \"z\" (columns: x, y)"),
            std::string::npos);
}

TEST(Csv, FullDiskIsAResourceError) {
  CsvWriter writer("/dev/full", {}, {"x"});
  const auto fill = [&] {
    for (int i = 0; i < 100000; ++i) writer.row({i});
    writer.close();
  };

  EXPECT_EQ(test::message_of<ResourceError>(fill), "/dev/full: cannot be written (No space left on device)");
}

TEST(Csv, FolderThatIsNotThere) {
  EXPECT_NE(test::message_of<ResourceError>([] {
              CsvWriter("/nonexistent/a.csv", {}, {"x"});
            }).find("No such file"),
            std::string::npos);
}

TEST(NumberText, IsANumberAsAWhole) {
  for (const char* text :
       {"1", "+1.5", " -2e-3", "1.23456789012e+05", ".5", "5.", "1e-310", "1e400", "-1e-400"})
    EXPECT_EQ(number_of(text), std::strtod(text, nullptr)) << text;
  for (const char* text : {"", " ", "a", "1 ", "1a", "1e", "+-1", "++1", "+", "1,5"})
    EXPECT_EQ(number_of(text), std::nullopt) << text;
}

TEST(NumberText, IsThatOfTheStandardFormat) {
  const auto text = [](double value) {
    std::string out = "x";
    append_number(value, out);
    return out.substr(1);
  };
  for (const double value : {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             300e6,
                             1e11,
                             999999999999.0,
                             1e12,
                             123456789012345.0,
                             0.1,
                             1e-4,
                             1e-5,
                             -2.5e-7,
                             0.000123456789012,
                             9.9999999999996,
                             9.9999999999994,
                             99999999999.96,
                             1e-15,
                             1e-30,
                             1e300,
                             5e-324,
                             1e22,
                             123456e12,
                             1.0 / 3,
                             -2.0 / 3e10,
                             1e34,
                             std::nextafter(1e5, 0.0),
                             std::nextafter(1e5, 1e6),
                             double(INFINITY),
                             double(NAN)})
    EXPECT_EQ(text(value), fmt::format("{:.12g}", value));
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-20, 20), digits(-1, 1);
  for (int i = 0; i < 100000; ++i) {
    const double value = digits(random) * std::pow(10, exponent(random));
    ASSERT_EQ(text(value), fmt::format("{:.12g}", value));
  }
}

}  // namespace
}  // namespace curlew::io
