// SPDX-License-Identifier: BSD-3-Clause
// em-bench and wrong command lines; its figures are not tested.
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace curlew::test {
namespace {

class EmBench : public ProgramTest {};

TEST_F(EmBench, RefusesWhatItDoesNotKnowInOneLine) {
  write("huge.mtx", "%%MatrixMarket matrix coordinate pattern general\n2147483647 2 2\n1 1\n2 2\n");
  const std::pair<const char*, const char*> bad[] = {
      {"ngim --case nope", "--case nope: ngim has no such case: take near (GPU), "},
      {"lu --case nope",
       "--case nope: lu has no such case: take device (GPU), host (GPU), split (GPU), shared (GPU)"},
      {"spmv --case nope", "--case nope: spmv has no such case: take antenna, "},
      {"truncation --case nope", "take antenna, rcs, "},
      {"assembly --case nope", "take p1-straight, "},
      {"krylov --case nope", "take Audi3D-1, "},
      {"vector --case nope", "vector has no cases"},
      {"ngim --case near", "--case near: this case of ngim needs a GPU"},
      {"ngim --case largest", "--case largest: this case of ngim needs a GPU"},
      {"sparse", "sparse"},
      {"vector --repeat 0", "--repeat"},
      {"vector --threads -1", "--threads -1"},
      {"spmv --matrix none.mtx", "none.mtx"},
      {"spmv --matrix huge.mtx", "huge.mtx:2: 2147483647 rows for 2 entries"},
  };
  for (const auto& [arguments, words] : bad) {
    const Ended ended = run(std::string("em-bench --device cpu ") + arguments);
    EXPECT_EQ(ended.status, 2) << arguments;
    EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_EQ(ended.out, "") << arguments;
  }
}

TEST_F(EmBench, ReplacesNoDevice) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const Ended ended = run("em-bench krylov --case Audi3D-1 --device cpu --json pipe");
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_EQ(ended.out, "") << "before the work";
  EXPECT_NE(ended.err.find("pipe: is a device or a pipe"), std::string::npos) << ended.err;
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
}

TEST_F(EmBench, HelpListsTheCases) {
  const Ended ended = run("em-bench --help");
  EXPECT_EQ(ended.status, 0);
  for (const char* words : {"truncation: antenna, rcs", "near (GPU)", "Twingo3D-2", "multilevel: p2, "})
    EXPECT_NE(ended.out.find(words), std::string::npos) << ended.out;
}

/// A room of several wavelengths, with the paper's cells per wavelength, and a local source.
TEST_F(EmBench, RoomsOfTheKrylovTablesResonate) {
  const Ended ended = run("em-bench krylov --case Audi3D-1 --device cpu --json out.json");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto tables = nlohmann::json::parse(std::ifstream(path("out.json")))["tables"];
  const auto& columns = tables[0]["columns"];
  const auto& row = tables[0]["rows"][0];
  const auto at = [&](const char* name) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i] == name) return row[i].get<double>();
    return 0.0;
  };
  // 17 x 11 x 9 nodes: a box of 16 x 10 x 8 cells of 0.133425 m, and its six modes below 3.5 / m
  EXPECT_NEAR(at("first resonance"), 3.14159265 / (16 * 0.133425), 1e-6);
  EXPECT_EQ(at("resonances below k"), 6);
  EXPECT_NEAR(at("rows") / 1727, 1, 0.05);
  for (const auto& solved : tables[1]["rows"]) EXPECT_LT(solved[10].get<double>(), 1e-9) << solved;
}

TEST_F(EmBench, TableNineHasElevenMatrices) {
  const Ended ended = run("em-bench spmv --case acoustic --device cpu --repeat 1 --json out.json");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto rows = nlohmann::json::parse(std::ifstream(path("out.json")))["tables"][0]["rows"];
  ASSERT_EQ(rows.size(), 11U);
  for (const auto& row : rows)
    EXPECT_NEAR(row[10].get<double>() / row[11].get<double>(), row[12], 0.01) << row;
  EXPECT_EQ(rows[4][2], 15444211);  // Audi3D-4
}

/// The chapter's stages run on a CPU, too: every table with its points and levels, and positive times.
TEST_F(EmBench, StagesOfTheFastSumsOnACpu) {
  const Ended ended = run("em-bench ngim --case stages --device cpu --size 3 --json out.json");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto tables = nlohmann::json::parse(std::ifstream(path("out.json")))["tables"];
  ASSERT_EQ(tables.size(), 6U);
  for (const auto& table : tables) {
    EXPECT_EQ(table["rows"].size(), table["columns"][0] == "level" ? 1U : 3U) << table["title"];
    for (const auto& row : table["rows"]) {
      EXPECT_TRUE(row[1].is_null()) << row;  // no GPU
      EXPECT_GT(row[2].get<double>(), 0) << row;
    }
  }
}

}  // namespace
}  // namespace curlew::test
