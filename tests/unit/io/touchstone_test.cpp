// SPDX-License-Identifier: BSD-3-Clause
#include "io/touchstone.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "read_touchstone.hpp"
#include "temp_folder.hpp"
#include "test_paths.hpp"

namespace curlew::io {
namespace {

/// S_ij = (i + 1) + j (j + 1) + f, each entry different.
Touchstone sample(int ports) {
  Touchstone data;
  data.num_ports = ports;
  data.frequencies = {1e9, 2.5e9};
  for (int f = 0; f < 2; ++f) {
    for (int i = 0; i < ports; ++i) {
      for (int j = 0; j < ports; ++j) data.s.emplace_back(i + 1 + 100 * f, -(j + 1));
    }
  }
  data.comments = {"exp(+jwt)"};
  return data;
}

TEST(Touchstone, TwoPortsStandColumnByColumn) {
  const test::TempFolder folder;
  Touchstone data = sample(2);
  data.frequencies = {1e9};
  data.s = {{0.5, 0}, {0.25, -1}, {0.125, 1}, {-0.5, 0}};  // S11 S12 S21 S22
  write_touchstone(folder / "a.s2p", data);

  EXPECT_EQ(
      read_text_file(folder / "a.s2p"),
      "! exp(+jwt)\n# Hz S RI R 50\n1000000000  5.000000000000e-01  0.000000000000e+00  1.250000000000e-01  "
      "1.000000000000e+00  2.500000000000e-01 -1.000000000000e+00 -5.000000000000e-01  0.000000000000e+00\n");
}

TEST(Touchstone, RowsOfManyPortsWrapAfterFour) {
  const test::TempFolder folder;
  Touchstone data = sample(6);
  data.frequencies.resize(1);
  data.s.resize(36);
  write_touchstone(folder / "a.s6p", data);

  std::istringstream lines(read_text_file(folder / "a.s6p"));
  std::vector<int> words_per_line;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    int count = 0;
    for (std::string word; words >> word;) ++count;
    words_per_line.push_back(count);
  }

  EXPECT_EQ(words_per_line, (std::vector<int>{2, 6, 9, 4, 8, 4, 8, 4, 8, 4, 8, 4, 8, 4}));
}

TEST(Touchstone, EverySizeIsReadBack) {
  const test::TempFolder folder;
  for (const int ports : {1, 2, 3, 4, 5, 9}) {
    const Touchstone data = sample(ports);
    const std::string path = folder / touchstone_name("a", ports);
    write_touchstone(path, data);

    const Touchstone again = test::read_touchstone(path);

    ASSERT_EQ(again.num_ports, ports);
    EXPECT_EQ(again.frequencies, data.frequencies);
    EXPECT_EQ(again.comments, data.comments);
    EXPECT_EQ(again.reference_impedance, 50);
    EXPECT_EQ(again.s, data.s);
  }
}

/// Keywords in the order of the specification (version 2.0, 2009): the version first, then the option line.
TEST(Touchstone, Version2StatesAReferenceForEachPort) {
  const test::TempFolder folder;
  Touchstone data = sample(2);
  data.references = {50, 75.5};
  write_touchstone(folder / "a.s2p", data);

  const std::string text = read_text_file(folder / "a.s2p");
  EXPECT_NE(text.find("[Version] 2.0\n# Hz S RI R 50\n[Number of Ports] 2\n[Two-Port Data Order] 21_12\n"
                      "[Number of Frequencies] 2\n[Reference] 50 75.5\n[Network Data]\n1000000000 "),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("\n[End]\n")) << text;
  const Touchstone again = test::read_touchstone(folder / "a.s2p");
  EXPECT_EQ(again.references, data.references);
  EXPECT_EQ(again.frequencies, data.frequencies);
  for (std::size_t i = 0; i < data.s.size(); ++i) EXPECT_LT(std::abs(again.s[i] - data.s[i]), 1e-11);

  data.references = {50};
  EXPECT_THROW(write_touchstone(folder / "b.s2p", data), InputError);
}

/// Real and imaginary part of each port after the numbers of each frequency, as scikit-rf reads them too
/// (below).
TEST(Touchstone, ImpedancesOfPortsFollowEachFrequency) {
  const test::TempFolder folder;
  Touchstone data = sample(1);
  data.port_impedances = {{50, -2}, {48, 0.5}};
  write_touchstone(folder / "a.s1p", data);

  const std::string text = read_text_file(folder / "a.s1p");
  const auto first = text.find("\n1000000000 "), second = text.find("\n2500000000 "),
             of_first = text.find("\n! Port Impedance 5.000000000000e+01 -2.000000000000e+00\n"),
             of_second = text.find("\n! Port Impedance 4.800000000000e+01 5.000000000000e-01\n");
  ASSERT_NE(of_second, std::string::npos) << text;
  EXPECT_TRUE(first < of_first && of_first < second && second < of_second) << text;
}

TEST(Touchstone, ScikitRfReadsTheSameMatrices) {
  const test::TempFolder folder;
  std::string command = test::python() + " " + test::source_dir() + "/tests/unit/io/check_touchstone.py";
  for (const int ports : {1, 2, 3, 5}) {
    const std::string path = folder / touchstone_name("a", ports);
    write_touchstone(path, sample(ports));
    command += " " + path;
  }
  Touchstone own = sample(3);
  for (int f = 0; f < 2; ++f)
    for (int i = 0; i < 3; ++i) own.port_impedances.emplace_back(10 * (i + 1) + f, -(i + 2));
  write_touchstone(folder / "own.s3p", own);
  command += " " + (folder / "own.s3p");
  for (const int ports : {2, 3}) {
    Touchstone second = sample(ports);
    for (int i = 0; i < ports; ++i) second.references.push_back(50 + 10 * i);
    const std::string path = folder / touchstone_name("second", ports);
    write_touchstone(path, second);
    command += " " + path;
  }

  const int status = std::system(command.c_str());

  constexpr int skipped = 77;
  if (WEXITSTATUS(status) == skipped) GTEST_SKIP() << "Python's scikit-rf is not installed (scripts/setup)";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Touchstone, FrequenciesAscend) {
  const test::TempFolder folder;
  Touchstone data = sample(1);
  std::swap(data.frequencies[0], data.frequencies[1]);
  write_touchstone(folder / "a.s1p", data);

  EXPECT_EQ(test::read_touchstone(folder / "a.s1p").frequencies, (std::vector<double>{1e9, 2.5e9}));
  EXPECT_EQ(test::read_touchstone(folder / "a.s1p").s[1], data.s[0]);
  data.frequencies[1] = data.frequencies[0];
  EXPECT_NE(test::message_of<InputError>([&] {
              write_touchstone(folder / "a.s1p", data);
            }).find("2500000000 Hz occurs twice"),
            std::string::npos);
}

TEST(Touchstone, WritesNoParameterThatIsNoNumber) {
  const test::TempFolder folder;
  Touchstone data;
  data.num_ports = 1;
  data.frequencies = {1e9, 2e9};
  data.s = {0.5, {std::nan(""), 0}};
  try {
    write_touchstone(folder / "a.s1p", data);
    FAIL() << "written";
  } catch (const NumericalError& e) {
    EXPECT_NE(std::string(e.what()).find("a.s1p: an S-parameter at 2000000000 Hz is not finite"),
              std::string::npos)
        << e.what();
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "a.s1p"));
  EXPECT_NE(test::message_of<InputError>([&] { write_touchstone(folder / "f.s2p", {}); }), "nothing");
}

}  // namespace
}  // namespace curlew::io
