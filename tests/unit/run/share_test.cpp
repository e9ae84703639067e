// SPDX-License-Identifier: BSD-3-Clause
// Sweeps shared by processes: the joined table is that of one run, also after faults of a share.
#include "run/share.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "toy_program.hpp"

namespace curlew::test {
namespace {

using Names = std::vector<std::string>;

/// The toy in a separate process. @return its exit status, or minus the signal that ended it
int run_process(const Names& arguments, const run::AppBody& body = multiply) {
  const pid_t child = fork();
  if (child == 0) {
    Names words = arguments;
    words.insert(words.begin(), toy.name);
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    _exit(run::run_app(toy, int(words.size()), argv.data(), body));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class SharedSweep : public testing::Test {
 protected:
  Names arguments(const std::string& out, const Names& more = {}) const {
    Names all{place_.config, "--sweep", "input.a=1:4:4", "--sweep", "input.b=3,5,7", "-q", "-o", out};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string table(const std::string& out) const { return io::read_text_file(out + "/sweep.csv"); }

  Workplace place_;
  std::string whole_ = place_.folder / "whole", shared_ = place_.folder / "shared";
};

/// This program started again would run all tests in place of the toy.
TEST(RunApp, StartsNoOtherProgramAgain) {
  const Workplace place;
  const char* const policy = std::getenv("OMP_WAIT_POLICY");
  const std::string before = policy != nullptr ? policy : "passive";
  unsetenv("OMP_WAIT_POLICY");
  EXPECT_EQ(run_process({place.config, "-o", place.out}), 0);
  setenv("OMP_WAIT_POLICY", before.c_str(), 1);
  EXPECT_TRUE(std::filesystem::exists(place.out + "/summary.json"));
}

TEST(Share, IsReadAndDividesEvenly) {
  const auto share = run::parse_share("2/4");
  EXPECT_EQ(run::numbers_of(share, 12), (std::vector<std::size_t>{1, 5, 9}));
  EXPECT_EQ(run::numbers_of(share, 1), std::vector<std::size_t>());
  for (const char* text : {"", "2", "0/4", "5/4", "1/0", "a/4", "1/4x", "1/", "-1/4", "1/1000000"})
    EXPECT_THROW(run::parse_share(text), InputError) << text;
}

TEST_F(SharedSweep, GivesTheTableOfOneRunThoughAShareWasKilled) {
  ASSERT_EQ(run_toy(arguments(whole_)).status, 0);
  int calls = 0;
  const auto killed = [&](const io::Config& config, run::Run& run) {
    if (++calls == 2) {
      io::write_text_file(run.output("solution.h5"), "half");
      std::raise(SIGKILL);
    }
    multiply(config, run);
  };
  const auto counted = counting(calls);

  EXPECT_EQ(run_process(arguments(shared_, {"--array", "2/4"}), killed), -SIGKILL);
  for (const char* share : {"1/4", "3/4", "4/4"})
    EXPECT_EQ(run_process(arguments(shared_, {"--array", share})), 0) << share;
  const Ended early = run_toy(arguments(shared_, {"--join"}));
  EXPECT_EQ(early.status, 2);
  EXPECT_EQ(early.err,
            "toy: --join: 2 of 12 points are not done, the first is point_0006 (input.a=2, input.b=7): start "
            "their --array tasks again, they continue\n");
  EXPECT_FALSE(std::filesystem::exists(shared_ + "/sweep.csv"));
  EXPECT_EQ(run_toy(arguments(shared_, {"--array", "2/4"}), counted).status, 0);
  EXPECT_EQ(calls, 2) << "the point that was done is kept";

  EXPECT_EQ(run_toy(arguments(shared_, {"--join"})).status, 0);
  EXPECT_EQ(table(shared_), table(whole_));
  EXPECT_EQ(listing(shared_ + "/point_0006"), listing(whole_ + "/point_0006")) << "no half file";
  const auto manifest = read_json(shared_ + "/manifest.json");
  ASSERT_EQ(manifest["items"].size(), 12U);
  for (const auto& item : manifest["items"]) EXPECT_EQ(item["state"], "done");
  EXPECT_EQ(manifest["items"][5]["values"], "input.a=2, input.b=7");
}

TEST_F(SharedSweep, KeepsPointsThatFailed) {
  Names failing = arguments(whole_);
  failing[2] = "input.a=1,0,2,3", failing[4] = "input.b=3,0";
  const int status = run_toy(failing).status;
  failing[7] = shared_;
  const auto with = [&](const Names& more) {
    Names all = failing;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };

  EXPECT_EQ(run_process(with({"--array", "1/2"})), 1) << "a = 0 is a numerical failure";
  EXPECT_EQ(run_process(with({"--array", "2/2"})), 2) << "b = 0 is a wrong input, which leaves no folder";
  EXPECT_EQ(run_toy(with({"--join"})).status, status);

  EXPECT_EQ(table(shared_), table(whole_));
  EXPECT_EQ(read_json(shared_ + "/summary.json")["points"], read_json(whole_ + "/summary.json")["points"]);
  EXPECT_EQ(read_json(shared_ + "/manifest.json")["items"][1]["state"], "failed");
}

TEST_F(SharedSweep, RefusesAFolderOfAnotherSweep) {
  const Ended none = run_toy(arguments(shared_, {"--join"}));
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("is not there: run the shares first"), std::string::npos) << none.err;
  ASSERT_EQ(run_toy(arguments(shared_, {"--array", "1/2"})).status, 0);

  const Ended other = run_toy(arguments(shared_, {"--array", "2/2", "--set", "title=other"}));
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(other.err,
            "toy: " + shared_ +
                "/manifest.json is of another sweep: config, options or version differ; give another "
                "--output, or remove that folder\n");
  EXPECT_EQ(run_toy(arguments(shared_, {"--join", "--array", "1/2"})).err,
            "toy: --array, --join and --jobs exclude each other\n");
}

TEST_F(SharedSweep, TwoProcessesOfOneShareDoNotMeet) {
  int inner = 0;
  const auto body = [&](const io::Config& config, run::Run& run) {
    if (inner == 0) inner = run_process(arguments(shared_, {"--array", "1/2"}));
    multiply(config, run);
  };

  EXPECT_EQ(run_toy(arguments(shared_, {"--array", "1/2"}), body).status, 0);
  EXPECT_EQ(inner, 2);
}

}  // namespace
}  // namespace curlew::test
