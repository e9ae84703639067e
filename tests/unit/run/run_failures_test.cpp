// SPDX-License-Identifier: BSD-3-Clause
// Every failure of a program: the status, the one line, and the files on disk.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "run/run_app.hpp"
#include "toy_program.hpp"

namespace curlew::test {
namespace {

using Names = std::vector<std::string>;

bool is_one_line(const std::string& text) {
  return !text.empty() && text.find('\n') == text.size() - 1;
}

TEST(RunFailures, BadInputIsStatusTwoWithOneLineAndNoFolder) {
  const Workplace place("[input]\na = 3\nbb = 4\n");

  const Ended unknown = run_toy({place.config, "-o", place.out});
  const Ended type = run_toy({place.config, "--set", "input.a=x", "-o", place.out});
  const Ended missing = run_toy({place.folder / "none.toml", "-o", place.out});

  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.err, "toy: " + place.config + ":3: input: unknown key \"bb\" (nearest known: \"b\")\n");
  EXPECT_EQ(type.status, 2);
  EXPECT_EQ(type.err, "toy: --set input.a=x: input: a = 'x' must be a finite number\n");
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.err,
            "toy: " + (place.folder / "none.toml") + ": cannot be read (No such file or directory)\n");
  EXPECT_FALSE(std::filesystem::exists(place.out));
}

TEST(RunFailures, AWrongInputFoundLateLeavesNoFileEither) {
  const Workplace place;

  const Ended ended = run_toy({place.config, "--set", "input.b=0", "-q", "-o", place.out});

  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.err, "toy: --set input.b=0: input: b must not be zero\n");
  EXPECT_FALSE(std::filesystem::exists(place.out));
}

TEST(RunFailures, WrongCommandLines) {
  const Workplace place;
  const auto fault = [&](std::vector<std::string> arguments) {
    const Ended ended = run_toy(std::move(arguments));
    EXPECT_EQ(ended.status, 2);
    EXPECT_TRUE(is_one_line(ended.err)) << ended.err;
    return ended.err;
  };

  EXPECT_NE(fault({}).find("CONFIG.toml is required"), std::string::npos);
  EXPECT_EQ(fault({place.config, "--thread", "2"}),
            "toy: unknown option --thread (nearest: --threads; see --help)\n");
  EXPECT_EQ(fault({place.config, "-v", "-q"}), "toy: -v and -q exclude each other\n");
  EXPECT_EQ(fault({place.config, "--device", "tpu"}), "toy: device \"tpu\": must be auto, cpu or cuda\n");
  EXPECT_EQ(fault({place.config, "--set", "input.a"}), "toy: --set input.a: must be key=value\n");
  EXPECT_NE(fault({place.config, "--precision", "half"}).find("--precision"), std::string::npos);
  EXPECT_NE(fault({place.config, "--threads", "-1"}).find("--threads"), std::string::npos);
  EXPECT_NE(fault({place.config, "--threads", "many"}).find("--threads"), std::string::npos);
  EXPECT_NE(fault({place.config, "--output"}).find("--output"), std::string::npos);
  EXPECT_NE(fault({place.config, "second.toml"}).find("second.toml"), std::string::npos);
}

TEST(RunFailures, ANumericalFailureKeepsLogAndSummaryOnly) {
  const Workplace place;

  const Ended ended = run_toy({place.config, "--set", "input.a=0", "-q", "-o", place.out});

  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.err, "toy: the matrix is singular\n");
  EXPECT_EQ(listing(place.out), (Names{"run.log", "summary.json"}));
  const auto summary = read_json(place.out + "/summary.json");
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["exit_status"], 1);
  EXPECT_EQ(summary["error"], "the matrix is singular");
  EXPECT_NE(io::read_text_file(place.out + "/run.log").find("[error] the matrix is singular"),
            std::string::npos);
}

TEST(RunFailures, AFailedRunLeavesEarlierResultsWhole) {
  const Workplace place;
  ASSERT_EQ(run_toy({place.config, "-o", place.out}).status, 0);

  EXPECT_EQ(run_toy({place.config, "--set", "input.a=0", "-o", place.out}).status, 1);

  EXPECT_EQ(io::H5File::open(place.out + "/solution.h5").read<double>("x"), (std::vector<double>{6}));
  EXPECT_EQ(read_json(place.out + "/summary.json")["status"], "failed");
}

TEST(RunFailures, MemoryAndSurprises) {
  const Workplace place;
  const auto ends = [&](auto exception) {
    return run_toy({place.config, "-q", "-o", place.out},
                   [&](const io::Config&, run::Run&) { throw exception; });
  };

  EXPECT_EQ(ends(std::bad_alloc()).status, 3);
  EXPECT_EQ(ends(ResourceError("disk")).status, 3);
  EXPECT_EQ(ends(Interrupted()).status, 130);
  const Ended surprise = ends(std::logic_error("bug"));
  EXPECT_EQ(surprise.status, 1);
  EXPECT_EQ(surprise.err, "toy: internal error: bug\n");
  EXPECT_EQ(ends(NumericalError("two\nlines")).err, "toy: two lines\n");
}

TEST(RunFailures, OutputFoldersThatCannotBe) {
  const Workplace place;
  io::write_text_file(place.folder / "file", "");

  const Ended file = run_toy({place.config, "-o", place.folder / "file"});
  const Ended below = run_toy({place.config, "-o", place.folder / "file/out"});
  const Ended readonly = run_toy({place.config, "-o", "/proc/none/out"});

  EXPECT_EQ(file.status, 2);
  EXPECT_EQ(file.err, "toy: --output " + (place.folder / "file") + ": is a file, must be a folder\n");
  EXPECT_EQ(below.status, 2);
  EXPECT_NE(below.err.find("a folder of the path is a file"), std::string::npos);
  EXPECT_EQ(readonly.status, 3);
  EXPECT_NE(readonly.err.find("--output /proc/none/out: the folder cannot be made"), std::string::npos);
}

/// The toy in a child process. @returns its exit status, or 1000 + the signal that ended it
int run_child(
    const std::vector<std::string>& arguments, const run::AppBody& body,
    const std::function<void()>& prepare = [] {}) {
  const pid_t child = fork();
  if (child == 0) {
    prepare();
    _exit(run_toy(arguments, body).status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(RunFailures, AFullDiskIsStatusThreeAndLeavesNoHalfFile) {
  const Workplace place;
  const auto body = [](const io::Config& config, run::Run& run) {
    config.allow({"input"});
    auto file = io::H5File::create(run.output("solution.h5"));
    file.write("x", std::vector<double>(100000, 1.0), {"1", "ones"});
    file.close();
  };
  const auto limit_files = [] {
    const rlimit limit{50000, 50000};
    setrlimit(RLIMIT_FSIZE, &limit);
  };

  EXPECT_EQ(run_child({place.config, "-o", place.out}, body, limit_files), 3);
  EXPECT_EQ(listing(place.out), (Names{"run.log", "summary.json"}));
  EXPECT_NE(read_json(place.out + "/summary.json")["error"].get<std::string>().find("File too large"),
            std::string::npos);
}

TEST(RunFailures, CtrlCIsStatus130AndLeavesNoHalfFile) {
  const Workplace place;
  const auto body = [](const io::Config& config, run::Run& run) {
    config.allow({"input"});
    auto file = io::H5File::create(run.output("solution.h5"));
    file.write("x", std::vector<double>(10, 1.0), {"1", "ones"});
    std::raise(SIGINT);
    for (;;) check_interrupt();
  };

  EXPECT_EQ(run_child({place.config, "-o", place.out}, body), 130);
  EXPECT_EQ(listing(place.out), (Names{"run.log", "summary.json"}));
  EXPECT_EQ(read_json(place.out + "/summary.json")["status"], "interrupted");
}

TEST(RunFailures, ASecondCtrlCEndsALibraryCallAndRemovesTheParts) {
  const Workplace place;
  const auto body = [](const io::Config& config, run::Run& run) {
    config.allow({"input"});
    io::write_text_file(run.output("solution.h5"), "half");
    std::raise(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));  // sooner it would count as the same signal
    std::raise(SIGINT);
  };

  EXPECT_EQ(run_child({place.config, "-o", place.out}, body), 1000 + SIGINT);
  EXPECT_EQ(listing(place.out), (Names{".lock", "run.log"}));  // a lock that no process holds
}

/// Memory that ends in a loop that passes no exception on is status 3; any other exception there is a bug.
TEST(RunFailures, MemoryThatEndsInAParallelLoopIsStatusThree) {
  const Workplace place;
  const auto body = [](const io::Config& config, run::Run& run) {
    config.allow({"input"});
    auto file = io::H5File::create(run.output("solution.h5"));
    const auto loop = [](auto step) noexcept { step(); };  // as a parallel loop passes nothing on
    loop([] { throw std::bad_alloc(); });
  };
  const auto bug = [](const io::Config& config, run::Run&) {
    config.allow({"input"});
    [](auto step) noexcept { step(); }([] { throw std::logic_error("a bug"); });
  };

  EXPECT_EQ(run_child({place.config, "-o", place.out}, body, [] {}), 3);
  EXPECT_EQ(listing(place.out), (Names{".lock", "run.log"}));
  EXPECT_EQ(run_child({place.config, "-o", place.out}, bug, [] {}), 1000 + SIGABRT);
}

TEST(RunFailures, ClosedStreamsHideNoResult) {
  const Workplace place;
  const pid_t child = fork();
  if (child == 0) {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(stream);
    std::string name = "toy", config = place.config, option = "-o", out = place.out;
    char* argv[] = {name.data(), config.data(), option.data(), out.data(), nullptr};
    const auto body = [](const io::Config& given, run::Run& run) {
      given.allow({"input"});
      std::ofstream file(run.output("solution.csv"));
      file << "a\n" << std::flush;
      run.warn("a line of the log");
      run.warn("another one");
      file << "b\n";
    };
    _exit(run::run_app(toy, 4, argv, body));
  }
  int status = 0;
  waitpid(child, &status, 0);

  EXPECT_EQ(WEXITSTATUS(status), 0);  // it has no table to print
  EXPECT_EQ(io::read_text_file(place.out + "/solution.csv"), "a\nb\n");
}

/// A folder unpacked from an untrusted archive may contain them.
TEST(RunFailures, LinksInTheFolderDoNotLeadOutOfIt) {
  const Workplace place;
  const std::string outside = place.folder / "outside";
  io::write_text_file(outside, "keep");
  std::filesystem::create_directory(place.out);
  for (const std::string name : {"run.log", "summary.json", "solution.h5", "resolved.toml", "report.html"})
    std::filesystem::create_symlink(outside, place.out + "/" + name);

  EXPECT_EQ(run_toy({place.config, "-o", place.out}).status, 0);
  EXPECT_EQ(io::read_text_file(outside), "keep");
  EXPECT_FALSE(std::filesystem::is_symlink(place.out + "/run.log"));

  std::filesystem::create_symlink(outside, place.out + "/.lock");
  EXPECT_EQ(run_toy({place.config, "-o", place.out}).status, 3);
  EXPECT_EQ(io::read_text_file(outside), "keep");
}

TEST(RunFailures, PartsOfAKilledRunAreClearedByTheNext) {
  const Workplace place;
  const auto killed = [](const io::Config&, run::Run& run) {
    io::write_text_file(run.output("solution.h5"), "half");
    std::raise(SIGKILL);
  };

  EXPECT_EQ(run_child({place.config, "-o", place.out}, killed), 1000 + SIGKILL);
  EXPECT_EQ(listing(place.out).size(), 3U);  // with the lock, which no process holds
  EXPECT_EQ(run_toy({place.config, "-o", place.out}).status, 0);
  EXPECT_EQ(listing(place.out),
            (Names{"report.html", "resolved.toml", "run.log", "solution.h5", "summary.json"}));
}

}  // namespace
}  // namespace curlew::test
