// SPDX-License-Identifier: BSD-3-Clause
#include "run/run_app.hpp"

#include "io/config.hpp"
#include "run/optional_part.hpp"
#include "thread_group.hpp"
#include "toy_program.hpp"

namespace curlew::test {
namespace {

using Names = std::vector<std::string>;

TEST(RunApp, WritesResultsSummaryAndResolvedConfig) {
  const Workplace place;

  const Ended ended = run_toy({place.config, "--output", place.out, "--threads", "1", "--device", "cpu"});

  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(listing(place.out),
            (Names{"report.html", "resolved.toml", "run.log", "solution.h5", "summary.json"}));
  const auto summary = read_json(place.out + "/summary.json");
  EXPECT_EQ(summary["program"], "toy");
  EXPECT_EQ(summary["status"], "done");
  EXPECT_EQ(summary["exit_status"], 0);
  EXPECT_EQ(summary["device"], "cpu");
  EXPECT_EQ(summary["threads"], 1);
  EXPECT_EQ(summary["precision"], "double");
  EXPECT_EQ(summary["sizes"]["unknowns"], 2);
  EXPECT_EQ(summary["solver"]["iterations"], 3);
  EXPECT_EQ(summary["solver"]["residual"], 1e-12);
  EXPECT_EQ(summary["results"]["product"], 6.0);
  EXPECT_EQ(summary["files"], (Names{"solution.h5", "resolved.toml"}));
  EXPECT_TRUE(summary["stages"]["multiply"].is_number());
  EXPECT_GT(summary["peak_memory_bytes"].get<long>(), 0);
  EXPECT_FALSE(summary["machine"]["cpu"].get<std::string>().empty());
  EXPECT_NE(ended.out.find("Products"), std::string::npos);
  EXPECT_NE(ended.err.find("toy: multiply:"), std::string::npos);
  EXPECT_EQ(io::Config::load(place.out + "/resolved.toml").table("input").get<double>("b"), 2.0);
}

TEST(RunApp, DefaultFolderIsNamedAfterTheConfig) {
  const Workplace place;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(place.folder.path());

  const Ended ended = run_toy({"a.toml"});
  std::filesystem::current_path(before);

  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(std::filesystem::exists(place.folder / "results/a/summary.json"));
}

TEST(RunApp, OptionsWinOverTheFile) {
  const Workplace place;

  const Ended ended = run_toy(
      {place.config, "--set", "input.a=5", "--set", "input.b=7", "-o", place.out, "--scale", "2", "--extra"});

  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(read_json(place.out + "/summary.json")["results"]["product"], 70.0);
  EXPECT_EQ(io::Config::load(place.out + "/resolved.toml").table("input").get<double>("a"), 5.0);
}

TEST(RunApp, SinglePrecisionCountsOnlyWhereAProgramHasIt) {
  const Workplace place;
  const std::vector<std::string> arguments = {place.config, "-o", place.out, "--precision", "single"};

  const Ended without = run_toy(arguments);
  EXPECT_EQ(without.status, 0) << without.err;
  EXPECT_NE(without.err.find("--precision single: toy computes in double"), std::string::npos);
  EXPECT_EQ(read_json(place.out + "/summary.json")["precision"], "double");

  run::AppInfo info = toy;
  info.has_single_precision = true;
  const Ended with = run_toy(arguments, multiply, info);
  EXPECT_EQ(with.status, 0) << with.err;
  EXPECT_EQ(with.err.find("--precision"), std::string::npos);
  EXPECT_EQ(read_json(place.out + "/summary.json")["precision"], "single");
}

TEST(RunApp, OwnOptionsReachTheBody) {
  const Workplace place;
  bool extra = false, missing = true;
  const auto body = [&](const io::Config& config, run::Run& run) {
    extra = run.flag("extra");
    missing = run.flag("scale");
    multiply(config, run);
  };

  EXPECT_EQ(run_toy({place.config, "--extra", "-o", place.out}, body).status, 0);
  EXPECT_TRUE(extra);
  EXPECT_FALSE(missing);
  EXPECT_EQ(run_toy({place.config, "--scale", "wide", "-o", place.out}).err,
            "toy: --scale wide: must be a finite number\n");
}

TEST(RunApp, AnotherKindOfInputGetsAnEmptyConfig) {
  const Workplace place;
  const std::string file = place.folder / "system.h5";
  const auto body = [&](const io::Config& config, run::Run& run) {
    EXPECT_FALSE(run.has_config());
    EXPECT_EQ(run.input(), file);
    EXPECT_FALSE(config.has("input"));
    run.results()["x"] = 1;
  };

  EXPECT_EQ(run_toy({file, "-o", place.out}, body).status, 0);
  EXPECT_EQ(listing(place.out), (Names{"report.html", "run.log", "summary.json"}));
  EXPECT_EQ(run_toy({file, "-o", place.out, "--set", "a=1"}, body).status, 2);
}

TEST(RunApp, OneOutputFileInsteadOfAFolder) {
  const Workplace place;
  run::AppInfo info = toy;
  info.output_file = true;
  const std::string file = place.folder / "mesh.h5";
  const auto body = [&](const io::Config&, run::Run& run) { io::write_text_file(run.output_file(), "mesh"); };
  const auto failing = [&](const io::Config&, run::Run& run) {
    io::write_text_file(run.output_file(), "half");
    throw NumericalError("no");
  };

  EXPECT_EQ(run_toy({place.config, "-o", file}, failing, info).status, 1);
  EXPECT_EQ(listing(place.folder.path().string()), (Names{"a.toml"}));
  EXPECT_EQ(run_toy({place.config, "-o", file}, body, info).status, 0);
  EXPECT_EQ(io::read_text_file(file), "mesh");
  EXPECT_EQ(listing(place.folder.path().string()), (Names{"a.toml", "mesh.h5"}));
  EXPECT_EQ(run_toy({place.config}, body, info).err, "toy: --output FILE is needed: the file to write\n");
}

TEST(RunApp, DryRunPrintsSizesAndMemoryAndWritesNothing) {
  const Workplace place;

  const Ended ended = run_toy({place.config, "--dry-run", "-o", place.out});

  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find("unknowns"), std::string::npos);
  EXPECT_NE(ended.out.find("assembly"), std::string::npos);
  EXPECT_NE(ended.out.find("together"), std::string::npos);
  EXPECT_NE(ended.out.find("available:"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(place.out));
}

TEST(RunApp, MemoryThatIsNotThereIsStatusThree) {
  const Workplace place;
  const auto body = [](const io::Config& config, run::Run& run) {
    static_cast<void>(config.has("input"));
    run.plan("factorisation", std::size_t(1) << 60);
  };

  const Ended real = run_toy({place.config, "-o", place.out}, body),
              dry = run_toy({place.config, "--dry-run"}, body);

  EXPECT_EQ(real.status, 3);
  EXPECT_NE(real.err.find("toy: factorisation needs 1073741824.00 GiB of memory"), std::string::npos);
  EXPECT_EQ(dry.status, 3);
  EXPECT_NE(dry.out.find("factorisation"), std::string::npos);
}

/// GiB of the row of a dry run's table that begins with these words.
double stated_gib(const std::string& out, const std::string& row) {
  const auto begin = out.find("\n" + row), where = out.find("host", begin);
  return begin == std::string::npos ? -1 : std::stod(out.substr(where + 4));
}

TEST(RunApp, AnOptionalPartThatDoesNotFitIsLeftOut) {
  const Workplace place;
  bool fits = true;
  const auto body = [&](const io::Config& config, run::Run& run) {
    static_cast<void>(config.has("input"));
    run.plan("factorisation", std::size_t(1) << 30);
    fits = run::plan_optional(run, {"estimate", std::size_t(1) << 60});
  };

  const Ended real = run_toy({place.config, "-o", place.out}, body);
  EXPECT_FALSE(fits);
  fits = true;
  const Ended dry = run_toy({place.config, "--dry-run"}, body);
  EXPECT_FALSE(fits);

  EXPECT_EQ(real.status, 0);
  EXPECT_NE(real.err.find(
                "estimate is left out: it would need 1073741824.00 GiB of host memory in addition to 1.00"),
            std::string::npos)
      << real.err;
  EXPECT_EQ(dry.status, 0);
  EXPECT_EQ(stated_gib(dry.out, "estimate (left out: not enough memory)"), 1073741824);
  EXPECT_LT(stated_gib(dry.out, "together"), 2);
}

TEST(RunApp, TogetherIsTheMostOfRunAndOptionalParts) {
  const Workplace place;
  constexpr std::size_t unit = std::size_t(1) << 28;
  const auto together = [&](std::size_t bytes, bool is_beside) {
    const auto body = [&](const io::Config& config, run::Run& run) {
      static_cast<void>(config.has("input"));
      run.plan("factorisation", unit);
      if (bytes == 0) return;
      EXPECT_TRUE(run::plan_optional(run, {"estimate", bytes, 0, is_beside}));
    };
    return stated_gib(run_toy({place.config, "--dry-run"}, body).out, "together");
  };

  const double alone = together(0, true), rounding = 0.02;  // digits, and pages that the test itself takes
  EXPECT_GT(alone, 0.25);
  EXPECT_NEAR(together(unit / 2, true), alone + 0.125, rounding);
  EXPECT_NEAR(together(unit / 2, false), alone, rounding);
  EXPECT_NEAR(together(2 * unit, false), alone + 0.25, rounding);
}

TEST(RunApp, OptionsMayStandBeforeTheInput) {
  const Workplace place;

  const Ended ended = run_toy({"--set", "input.a=5", "--scale", "2", "-q", "-o", place.out, place.config});

  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(read_json(place.out + "/summary.json")["results"]["product"], 20.0);
}

/// It runs, but prints errors only, and its files are gone.
TEST(RunApp, AnotherProcessThanTheFirstShowsNothing) {
  const Workplace place;
  ThreadGroup::Meeting two(2);
  const ThreadGroup second(two, 1);
  run::AppInfo info = toy;
  info.processes = &second;
  int calls = 0;
  const auto counted = counting(calls);

  for (const Names& words : {Names{place.config, "-o", place.out, "-v"}, Names{place.config, "--dry-run"},
                             Names{"--help"}, Names{"--version"}, Names{"--machine"}}) {
    const Ended ended = run_toy(words, counted, info);
    EXPECT_EQ(ended.status, 0) << words.back();
    EXPECT_EQ(ended.out + ended.err, "") << words.back();
  }
  const Ended wrong = run_toy({place.config, "-o", place.out, "--set", "input.b=0"}, counted, info);

  EXPECT_EQ(calls, 3);
  EXPECT_FALSE(std::filesystem::exists(place.out));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("b must not be zero"), std::string::npos) << wrong.err;
}

TEST(RunApp, AGeometryIsNoConfig) {
  const Workplace place;
  const std::string path = place.folder / "box.geo";
  io::write_text_file(path, "Point(1) = {0, 0, 0};\n");
  const Ended ended = run_toy({path, "-o", place.out});
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("must be a config (.toml) whose [mesh] file names it"), std::string::npos)
      << ended.err;
}

TEST(RunApp, ResumeSkipsASingleRunThatIsDone) {
  const Workplace place;
  int calls = 0;
  const auto counted = counting(calls);

  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(run_toy({place.config, "--resume", "-o", place.out}, counted).err.find("changed"),
              std::string::npos);
  EXPECT_EQ(calls, 1);
  const Ended other = run_toy({place.config, "--resume", "--set", "input.a=4", "-o", place.out}, counted);
  EXPECT_EQ(other.status, 0);
  EXPECT_EQ(calls, 2);
  EXPECT_NE(other.err.find("the input or a result has changed since that run"), std::string::npos)
      << other.err;
}

TEST(RunApp, ResumeWritesTheReportThatWasLeftOut) {
  const Workplace place;
  run_toy({place.config, "--no-report", "-o", place.out});
  EXPECT_FALSE(std::filesystem::exists(place.out + "/report.html"));
  for (const bool wanted : {false, true}) {
    Names again{place.config, "--resume", "-o", place.out};
    if (!wanted) again.push_back("--no-report");
    EXPECT_EQ(run_toy(again, [](const io::Config&, run::Run&) { FAIL() << "runs again"; }).status, 0);
    EXPECT_EQ(std::filesystem::exists(place.out + "/report.html"), wanted);
  }
}

/// Error bars of a run that made some do not stand beside the results of one that made none; other files
/// stay, and so does a file whose run ended early.
TEST(RunApp, FilesOfTheRunBeforeGo) {
  const Workplace place;
  const auto with_bars = [](const io::Config& config, run::Run& run) {
    io::write_text_file(run.output("errors.csv"), "bars\n");
    multiply(config, run);
  };
  run_toy({place.config, "--output", place.out}, with_bars);
  io::write_text_file(place.out + "/notes.csv", "of the user\n");
  const std::string bars = place.out + "/errors.csv";
  ASSERT_TRUE(std::filesystem::exists(bars));

  EXPECT_EQ(run_toy({place.config, "--output", place.out, "--set", "input.b=0"}).status, 2);
  EXPECT_TRUE(std::filesystem::exists(bars));
  EXPECT_EQ(run_toy({place.config, "--output", place.out, "--dry-run"}).status, 0);
  EXPECT_TRUE(std::filesystem::exists(bars));
  EXPECT_EQ(run_toy({place.config, "--output", place.out}).status, 0);

  EXPECT_EQ(listing(place.out),
            (Names{"notes.csv", "report.html", "resolved.toml", "run.log", "solution.h5", "summary.json"}));
}

TEST(RunApp, ADryRunOfAFileLeavesNoFile) {
  const Workplace place;
  run::AppInfo info = toy;
  info.output_file = true;
  const auto body = [&](const io::Config&, run::Run& run) {
    io::write_text_file(run.output_file(), "mesh");
    run.line("12 cells");
  };

  const Ended ended = run_toy({place.config, "--dry-run", "-o", place.folder / "mesh.h5"}, body, info);

  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find("12 cells"), std::string::npos);
  EXPECT_EQ(listing(place.folder.path().string()), (Names{"a.toml"}));
}

TEST(RunApp, QuietLeavesErrorsOnly) {
  const Workplace place;
  const auto body = [](const io::Config& config, run::Run& run) {
    run.warn("coarse mesh");
    multiply(config, run);
  };

  const Ended quiet = run_toy({place.config, "-q", "-o", place.out}, body),
              loud = run_toy({place.config, "-v", "-o", place.out}, body);

  EXPECT_EQ(quiet.err, "");
  EXPECT_NE(quiet.out.find("Products"), std::string::npos);
  EXPECT_NE(loud.err.find("toy: warning: coarse mesh"), std::string::npos);
  EXPECT_NE(loud.err.find("multiply ..."), std::string::npos);
  EXPECT_EQ(read_json(place.out + "/summary.json")["warnings"], (Names{"coarse mesh"}));
  EXPECT_NE(io::read_text_file(place.out + "/run.log").find("coarse mesh"), std::string::npos);
}

TEST(RunApp, HelpAndVersion) {
  const Ended help = run_toy({"--help"}), version = run_toy({"--version"});

  EXPECT_EQ(help.status, 0);
  for (const auto* part :
       {"CONFIG.toml", "--set", "--sweep", "--resume", "--dry-run", "--device", "--threads", "--precision",
        "toy CONFIG.toml --set input.a=3", "--scale", "Exit status"}) {
    EXPECT_NE(help.out.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(version.status, 0);
  EXPECT_NE(version.out.find("0."), std::string::npos);
}

TEST(RunApp, TwoRunsGiveTheSameSummaryButForTimes) {
  const Workplace place;
  const auto summary = [&] {
    run_toy({place.config, "-o", place.out});
    auto json = read_json(place.out + "/summary.json");
    for (const auto* key : {"started", "stages", "total_seconds", "peak_memory_bytes"}) json.erase(key);
    return json;
  };

  EXPECT_EQ(summary(), summary());
}

TEST(RunApp, SolvesAddUp) {
  const Workplace place;
  const auto body = [](const io::Config& config, run::Run& run) {
    config.allow({"input"});
    run.solver("gmres", 10, 1e-7);
    run.solver("gmres", 5, 1e-6);
    run.solver_fact("preconditioner", "jacobi");
  };

  run_toy({place.config, "-o", place.out}, body);

  const auto solver = read_json(place.out + "/summary.json")["solver"];
  EXPECT_EQ(solver["iterations"], 15);
  EXPECT_EQ(solver["solves"], 2);
  EXPECT_EQ(solver["residual"], 1e-6);
  EXPECT_EQ(solver["converged"], true);
  EXPECT_EQ(solver["preconditioner"], "jacobi");
}

}  // namespace
}  // namespace curlew::test
