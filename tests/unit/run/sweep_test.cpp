// SPDX-License-Identifier: BSD-3-Clause
#include "run/sweep.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "io/csv.hpp"
#include "toy_program.hpp"

namespace curlew::test {
namespace {

using Names = std::vector<std::string>;

TEST(Sweep, ParsesRangesAndLists) {
  EXPECT_EQ(run::parse_sweep("mesh.size=0.1:0.3:3").values, (Names{"0.1", "0.2", "0.3"}));
  EXPECT_EQ(run::parse_sweep("len=9.6:10.8:7").values[5], "10.6");
  EXPECT_EQ(run::parse_sweep("order=1:3:3").values, (Names{"1", "2", "3"}));
  EXPECT_EQ(run::parse_sweep("f=1e9:2e9:2").values, (Names{"1000000000", "2000000000"}));
  EXPECT_EQ(run::parse_sweep("method=gmres,direct").values, (Names{"gmres", "direct"}));
  EXPECT_EQ(run::parse_sweep("material.0.epsilon_r=[2, -0.1],3").values, (Names{"[2, -0.1]", "3"}));
  EXPECT_EQ(run::parse_sweep("a.b=c=d").key, "a.b");
  EXPECT_EQ(run::parse_sweep("title=10-14").values, Names{"10-14"});  // a name
}

TEST(Sweep, RefusesWhatIsNoSweep) {
  for (const auto* text : {"mesh.size", "=1", "a=1,,2", "a=", "a=1:2:0", "a=1:2:1.5", "a=1:inf:3", "a=8:12",
                           "a=8 mm:12 mm", "a=8-12", "mesh.size=8-12"}) {
    EXPECT_THROW(run::parse_sweep(text), InputError) << text;
  }
}

TEST(Sweep, TheLastAxisVariesFastest) {
  const auto points = run::sweep_points({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}});

  ASSERT_EQ(points.size(), 6U);
  EXPECT_EQ(points[1], (Names{"1", "y"}));
  EXPECT_EQ(points[3], (Names{"2", "x"}));
}

TEST(Sweep, FlattensNumbersOnly) {
  const nlohmann::json object = {
      {"a", 1}, {"b", {{"c", 2.5}, {"d", "text"}}}, {"e", {1, 2}}, {"n", NAN}, {"f", nullptr}};

  const auto numbers = run::flatten_numbers(object);

  EXPECT_EQ(numbers,
            (std::vector<std::pair<std::string, double>>{{"a", 1}, {"b.c", 2.5}, {"e.0", 1}, {"e.1", 2}}));
}

TEST(Sweep, AFailedPointDoesNotStopTheOthers) {
  const Workplace place;

  const Ended ended =
      run_toy({place.config, "--sweep", "input.a=1,0,2", "--sweep", "input.b=1:2:2", "-q", "-o", place.out});

  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.err,
            "toy: point_0003 (input.a=0, input.b=1): the matrix is singular\n"
            "toy: point_0004 (input.a=0, input.b=2): the matrix is singular\n");
  const io::CsvTable table = io::read_csv(place.out + "/sweep.csv");
  EXPECT_EQ(table.columns, (Names{"point", "a", "b", "status", "errors.0.product_error", "nested.list.0",
                                  "nested.list.1", "nested.third", "product"}));
  ASSERT_EQ(table.num_rows, 6U);
  EXPECT_EQ(table.text.at("status"), (Names{"done", "done", "failed", "failed", "done", "done"}));
  EXPECT_EQ(table.text.at("product"), (Names{"1", "2", "", "", "2", "4"}));
  EXPECT_EQ(listing(place.out), (Names{"point_0001", "point_0002", "point_0003", "point_0004", "point_0005",
                                       "point_0006", "report.html", "summary.json", "sweep.csv"}));
  EXPECT_EQ(listing(place.out + "/point_0001"),
            (Names{"report.html", "resolved.toml", "run.log", "solution.h5", "summary.json"}));
  EXPECT_EQ(read_json(place.out + "/summary.json")["points"][2]["error"], "the matrix is singular");
  EXPECT_EQ(read_json(place.out + "/summary.json")["sweep"][1]["csv_column"], "b");
  EXPECT_NE(ended.out.find("point_0006"), std::string::npos);
  // On the screen bars stand behind their quantities.
  EXPECT_NE(ended.out.find("product  errors.0.product_error"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("nested.list.0"), std::string::npos);  // in sweep.csv alone
}

/// Columns of swept keys are words, where these are no results' and no other key's.
TEST(Sweep, ColumnsOfKeysAreWordsThatNoResultHas) {
  const Workplace place;

  run_toy({place.config, "--sweep", "input.polarization=1,2", "--sweep", "input.a=1", "-q", "-o", place.out});

  const Names columns = io::read_csv(place.out + "/sweep.csv").columns;
  EXPECT_EQ(Names(columns.begin(), columns.begin() + 4),
            (Names{"point", "input.polarization", "a", "status"}));
}

TEST(Sweep, SweptValuesAndCountsKeepTheirDigitsOnTheScreen) {
  const Workplace place;

  const Ended ended = run_toy({place.config, "--sweep", "input.a=1234567.125,2450123456", "--set",
                               "input.b=1", "-q", "-o", place.out});

  EXPECT_NE(ended.out.find("1234567.125  done    1.23457e+06"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find(" 2450123456  done     2450123456"), std::string::npos) << ended.out;
}

TEST(Sweep, TheStatusIsTheWorst) {
  const Workplace place;

  EXPECT_EQ(
      run_toy({place.config, "--sweep", "input.a=0,1", "--sweep", "input.b=0,1", "-o", place.out}).status, 2);
  EXPECT_EQ(run_toy({place.config, "--sweep", "input.c=0,1", "-o", place.out}).status, 2);
}

TEST(Sweep, PathsThatLeadNowhereEndItAtOnce) {
  const Workplace place;

  const Ended ended = run_toy({place.config, "--sweep", "input.a.x=1,2", "-o", place.out});

  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.err, "toy: --sweep input.a.x=1: input.a is a value, it has no \"x\"\n");
  EXPECT_EQ(run_toy({place.config, "--sweep", "input.a=1", "--sweep", "input.a=2", "-o", place.out}).err,
            "toy: --sweep input.a: given twice\n");
  EXPECT_FALSE(std::filesystem::exists(place.out));
}

TEST(Sweep, DryRunChecksEveryPoint) {
  const Workplace place;

  const Ended ended = run_toy({place.config, "--sweep", "input.a=1,2", "--dry-run", "-o", place.out});

  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_FALSE(std::filesystem::exists(place.out));
}

TEST(Sweep, ResumeSkipsWhatIsDoneAndOnlyThat) {
  const Workplace place;
  int calls = 0;
  const auto counted = counting(calls);
  const Names sweep{place.config, "--sweep", "input.a=1,0,2", "--resume", "--jobs", "1", "-o", place.out};
  const auto calls_of = [&](Names arguments) {
    calls = 0;
    run_toy(std::move(arguments), counted);
    return calls;
  };

  EXPECT_EQ(calls_of(sweep), 3);
  const std::string table = io::read_text_file(place.out + "/sweep.csv");
  EXPECT_EQ(calls_of(sweep), 1) << "only the failed point again";
  EXPECT_EQ(io::read_text_file(place.out + "/sweep.csv"), table);
  std::filesystem::remove(place.out + "/point_0001/solution.h5");
  EXPECT_EQ(calls_of(sweep), 2) << "a result is gone";
  Names other = sweep;
  other.insert(other.end(), {"--set", "input.b=5"});
  EXPECT_EQ(calls_of(other), 3) << "other inputs";
}

TEST(Sweep, AChangedInputFileIsComputedAgain) {
  const Workplace place;
  const std::string mesh = place.folder / "mesh.h5";
  io::write_text_file(mesh, "one");
  int calls = 0;
  const auto body = [&](const io::Config& config, run::Run& run) {
    ++calls;
    run.depends_on(mesh);
    multiply(config, run);
  };
  const Names sweep{place.config, "--sweep", "input.a=1,2", "--resume", "--jobs", "1", "-o", place.out};

  run_toy(sweep, body);
  run_toy(sweep, body);
  EXPECT_EQ(calls, 2);
  io::write_text_file(mesh, "two");
  run_toy(sweep, body);
  EXPECT_EQ(calls, 4);
}

/// Tables are read while a run solves: skipping, sharing and joining must include them before.
TEST(Sweep, AChangedTableOfAMaterialIsComputedAgain) {
  const Workplace place;
  const std::string table = place.folder / "t.csv";
  io::write_text_file(table, "one");
  io::write_text_file(place.config, "[input]\na = 3\n[[material]]\nregion = \"air\"\ntable = \"t.csv\"\n");
  int calls = 0;
  const auto body = [&](const io::Config& config, run::Run& run) {
    ++calls;
    config.allow({"material"});
    multiply(config, run);
  };
  const auto calls_of = [&](Names options) {
    options.insert(options.begin(), {place.config, "-o", place.out});
    calls = 0;
    run_toy(options, body);
    return calls;
  };
  const Names sweep{"--sweep", "input.a=1,2", "--resume", "--jobs", "1"};
  const auto with = [&](const char* option, const char* value) {
    Names all{"--sweep", "input.a=1,2", option};
    if (*value != 0) all.emplace_back(value);
    return all;
  };

  EXPECT_EQ(calls_of(sweep), 2);
  EXPECT_EQ(calls_of(sweep), 0);
  EXPECT_EQ(calls_of(with("--array", "1/1")), 0);
  const auto before = read_json(place.out + "/point_0001/summary.json");
  io::write_text_file(table, "two");
  EXPECT_NE(run_toy({place.config, "-o", place.out, "--sweep", "input.a=1,2", "--join"}, body).status, 0);
  EXPECT_EQ(calls_of(sweep), 2);
  const auto summary = read_json(place.out + "/point_0001/summary.json");
  EXPECT_EQ(summary["depends_on"][0]["path"], table);
  EXPECT_NE(summary["inputs_hash"], before["inputs_hash"]) << "shares of frequencies know no more";
}

TEST(Sweep, TakesNoFolderOfASingleRun) {
  const Workplace place;
  ASSERT_EQ(run_toy({place.config, "-o", place.out}).status, 0);
  const std::string summary = io::read_text_file(place.out + "/summary.json");

  const Ended sweep = run_toy({place.config, "-q", "-o", place.out, "--sweep", "input.a=1,2"});

  EXPECT_EQ(sweep.status, 2);
  EXPECT_NE(sweep.err.find("contains the results of a single run"), std::string::npos) << sweep.err;
  EXPECT_EQ(io::read_text_file(place.out + "/summary.json"), summary);
}

/// The file that a program without a config starts from.
TEST(Sweep, AnotherInputOfAProgramIsComputedAgain) {
  const Workplace place;
  const std::string input = place.folder / "system.h5";
  int calls = 0;
  const auto body = [&](const io::Config&, run::Run&) { ++calls; };
  for (const char* text : {"one", "one", "two"}) {
    io::write_text_file(input, text);
    EXPECT_EQ(run_toy({input, "--resume", "-o", place.out}, body).status, 0);
  }
  EXPECT_EQ(calls, 2);
}

TEST(Sweep, KilledAndResumedGivesTheSameTable) {
  const Workplace place;
  const auto arguments = [&](const std::string& out) {
    return Names{place.config,  "--sweep",  "input.a=1:5:5", "--sweep",
                 "input.b=3,7", "--resume", "--jobs",        "1",
                 "-o",          out};
  };
  const std::string whole = place.folder / "whole", cut = place.folder / "cut";
  ASSERT_EQ(run_toy(arguments(whole)).status, 0);
  const pid_t child = fork();
  if (child == 0) {
    int calls = 0;
    run_toy(arguments(cut), [&](const io::Config& config, run::Run& run) {
      if (++calls == 5) {
        io::write_text_file(run.output("solution.h5"), "half");
        std::raise(SIGKILL);
      }
      multiply(config, run);
    });
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_FALSE(std::filesystem::exists(cut + "/sweep.csv"));

  EXPECT_EQ(run_toy(arguments(cut)).status, 0);

  EXPECT_EQ(io::read_text_file(cut + "/sweep.csv"), io::read_text_file(whole + "/sweep.csv"));
  EXPECT_EQ(listing(cut + "/point_0005"), listing(whole + "/point_0005"));
}

TEST(Sweep, CtrlCKeepsThePointsThatAreDone) {
  const Workplace place;
  int calls = 0;
  const auto body = [&](const io::Config& config, run::Run& run) {
    if (++calls == 2) throw Interrupted();
    multiply(config, run);
  };

  const Ended ended =
      run_toy({place.config, "--sweep", "input.a=1,2,3", "--jobs", "1", "-q", "-o", place.out}, body);

  EXPECT_EQ(ended.status, 130);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(io::read_csv(place.out + "/sweep.csv").text.at("status"), (Names{"done", "interrupted"}));
}

/// The copies that compute points at once end, and the table replaces that of an earlier sweep.
TEST(Sweep, CtrlCOfPointsAtOnceWritesTheTable) {
  const Workplace place;
  const auto body = [](const io::Config& config, run::Run& run) {
    multiply(config, run);
    if (config.table("input").get<double>("a") != 2) return;
    kill(getppid(), SIGINT);
    while (true) check_interrupt(), std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };

  const Ended ended =
      run_toy({place.config, "--sweep", "input.a=1,2", "--jobs", "2", "-q", "-o", place.out}, body);

  EXPECT_EQ(ended.status, 130);
  EXPECT_EQ(io::read_csv(place.out + "/sweep.csv").text.at("status"), (Names{"done", "interrupted"}));
}

}  // namespace
}  // namespace curlew::test
