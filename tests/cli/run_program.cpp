// SPDX-License-Identifier: BSD-3-Clause
#include "run_program.hpp"

#include "run_summary.hpp"

namespace curlew::test {

void ProgramTest::SetUp() {
  std::string pattern = (std::filesystem::temp_directory_path() / "curlew-cli-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
  // Meshes are kept by content and em-mesh's build: tests that run beside or after each other share them.
  const std::filesystem::path kept = test::program_dir() + "/../kept_meshes";
  std::filesystem::create_directories(kept);
  std::filesystem::create_directory_symlink(kept, folder_ / ".mesh-cache");
}

void ProgramTest::TearDown() {
  std::filesystem::remove_all(folder_);
}

Ended ProgramTest::run(const std::string& command) const {
  const std::string streams = " > '" + path("out.txt") + "' 2> '" + path("err.txt") + "'";
  const std::string setup = "cd '" + folder_.string() + "' && export CURLEW_CHECK_SCHEMA=1 PATH='" +
                            test::program_dir() + "':\"$PATH\" && ";
  const int status = std::system((setup + command + streams).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, io::read_text_file(path("out.txt")),
          io::read_text_file(path("err.txt"))};
}

nlohmann::json SummaryTest::summary(const std::string& folder) const {
  return nlohmann::json::parse(io::read_text_file(path(folder + "/summary.json")));
}

void SummaryTest::expect_results_stage(const std::string& folder) const {
  const auto told = summary(folder);
  const auto& stages = told.at("stages");
  ASSERT_TRUE(stages.contains("fields and files")) << stages;
  EXPECT_GT(stages["fields and files"].get<double>(), 0);
  EXPECT_LT(stages["fields and files"].get<double>(), told.at("total_seconds").get<double>());
}

}  // namespace curlew::test
