// SPDX-License-Identifier: BSD-3-Clause
// The steps from a problem to its files, with an artificial problem: x and facts follow from the frequency.
#include "job/job.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "io/csv.hpp"
#include "toy_program.hpp"

namespace curlew::test {
namespace {

struct Numbers {
  std::vector<Complex> x;
  std::vector<double> facts;   ///< an odd number; files store pairs as complex numbers
  std::vector<double> list{};  ///< of a length unknown in advance
};

struct Log {
  std::vector<std::string> events;
  bool is_written_first = false;
  const ProcessGroup* processes = nullptr;
  void add(const std::string& what) { events.push_back(what); }
};

/// The second of two processes without the first one, which has saved nothing.
class SecondProcess : public ProcessGroup {
 public:
  int rank() const override { return 1; }
  int size() const override { return 2; }
  void broadcast(void* data, std::size_t bytes) const override { std::memset(data, 0, bytes); }
  void add_up(Complex*, std::size_t) const override {}
  void send(const void*, std::size_t) const override {}
  void receive(int, void*, std::size_t) const override {}
  void sum(double*, std::size_t) const override {}
  void largest(Index*, std::size_t) const override {}
  void exchange(const char*, const std::vector<std::size_t>&, char*,
                const std::vector<std::size_t>&) const override {}
};

class ToyProblem : public job::Problem<Numbers> {
 public:
  ToyProblem(Log& log, double fails_at) : log_(log), fails_at_(fails_at) {}
  bool is_written_first() const override { return log_.is_written_first; }
  const ProcessGroup* processes() const override { return log_.processes; }
  job::Plan plan(run::Run&) override {
    log_.add("plan");
    return {2, 1 << 20};
  }
  Numbers solve(double f) override {
    if (f == fails_at_) throw ResourceError("no more memory");
    log_.add("solve");
    return {{{f, -f}, {1 / f, 2}}, {f, -1 / f, 3}, std::vector<double>(std::size_t(f / 1e9), -f)};
  }
  Numbers unsolved(double) override { return {std::vector<Complex>(2), std::vector<double>(3)}; }
  job::Arrays arrays(Numbers& s) const override {
    return {{"x", std::span(s.x)}, {"facts", std::span(s.facts)}, {"list", &s.list}};
  }

 private:
  Log& log_;
  double fails_at_;
};

class ToySink : public job::Sink<Numbers> {
 public:
  ToySink(Log& log, bool computes, run::Run& run) : log_(log), computes_(computes), run_(run) {}
  bool computes() const override { return computes_; }
  void open() override {
    log_.add("open");
    csv_.emplace(run_.output(name() + ".csv"), std::vector<std::string>{},
                 std::vector<std::string>{"f", "re0", "im0", "re1", "im1", "a", "b", "c", "l"});
  }
  void plan(const job::Plan& plan) override { log_.add("plan " + std::to_string(plan.unknowns)); }
  void add(std::size_t, double f, const Numbers& s) override {
    if (alone) log_.add(name());
    csv_->row({f, s.x[0].real(), s.x[0].imag(), s.x[1].real(), s.x[1].imag(), s.facts[0], s.facts[1],
               s.facts[2], std::accumulate(s.list.begin(), s.list.end(), 0.5)});
  }
  void close() override {
    log_.add("close " + name());
    csv_->close();
  }
  bool alone = false;  ///< no other thread writes to the log

 private:
  std::string name() const { return computes_ ? "computed" : "written"; }

  Log& log_;
  bool computes_;
  run::Run& run_;
  std::optional<io::CsvWriter> csv_;
};

run::AppBody body(Log& log, std::vector<double> frequencies, double fails_at = 0) {
  return [&log, frequencies, fails_at](const io::Config& config, run::Run& run) {
    config.allow({"input"});
    ToyProblem problem(log, fails_at);
    job::Sinks<Numbers> sinks;
    for (const bool computes : {false, true}) {
      auto sink = std::make_unique<ToySink>(log, computes, run);
      sink->alone = frequencies.size() == 1 || log.is_written_first;
      sinks.push_back(std::move(sink));
    }
    job::run(problem, sinks, frequencies, run);
  };
}

class Job : public testing::Test {
 protected:
  int run(const std::string& out, const run::AppBody& of, const std::string& more = {}) const {
    std::vector<std::string> arguments{place_.config, "-o", place_.folder / out};
    if (!more.empty()) arguments.push_back(more);
    return run_toy(arguments, of).status;
  }
  std::string text(const std::string& file) const { return io::read_text_file(place_.folder / file); }

  Workplace place_;
  Log log_;
};

TEST_F(Job, StepsComeInTheirOrder) {
  ASSERT_EQ(run("out", body(log_, {1e9})), 0);
  EXPECT_EQ(log_.events,
            (std::vector<std::string>{"open", "open", "plan", "plan 2", "plan 2", "solve", "computed",
                                      "written", "close written", "close computed"}));
}

TEST_F(Job, ADryRunEndsBehindThePlans) {
  ASSERT_EQ(run("out", body(log_, {1e9, 2e9}), "--dry-run"), 0);
  EXPECT_EQ(log_.events, (std::vector<std::string>{"plan", "plan 2", "plan 2"}));
}

TEST_F(Job, ASolutionCanBeWrittenBeforeTheNextIsBegun) {
  log_.is_written_first = true;
  ASSERT_EQ(run("out", body(log_, {1e9, 2e9}), "--jobs=1"), 0);
  EXPECT_EQ(log_.events, (std::vector<std::string>{"open", "open", "plan", "plan 2", "plan 2", "solve",
                                                   "computed", "written", "solve", "computed", "written",
                                                   "close written", "close computed"}));
}

/// With several processes the first one saves and reads for all: this one has no saved solutions.
TEST_F(Job, OnlyTheFirstProcessKeeps) {
  const SecondProcess second;
  log_.processes = &second;
  const std::vector<double> frequencies{1e9, 3e9, 7e9};
  EXPECT_EQ(run("part", body(log_, frequencies, 7e9), "--jobs=1"), exit_resource);
  log_.processes = nullptr, log_.events.clear();
  ASSERT_EQ(run("part", body(log_, frequencies), "--resume"), 0);
  EXPECT_EQ(std::count(log_.events.begin(), log_.events.end(), "solve"), 3);
}

/// The second one fails at the third frequency, the third one continues there.
TEST_F(Job, ARunThatFailsGoesOnWithWhatItHasKept) {
  const std::vector<double> frequencies{1e9, 3e9, 7e9, 9e9};
  ASSERT_EQ(run("whole", body(log_, frequencies)), 0);
  EXPECT_EQ(run("part", body(log_, frequencies, 7e9)), exit_resource);
  log_.events.clear();
  ASSERT_EQ(run("part", body(log_, frequencies), "--resume"), 0);
  EXPECT_EQ(std::count(log_.events.begin(), log_.events.end(), "solve"), 2);
  for (const char* file : {"/written.csv", "/computed.csv"})
    EXPECT_EQ(text(std::string("part") + file), text(std::string("whole") + file));
}

TEST(KeptArrays, OfOtherNamesOrSizesAreNotTaken) {
  const run::SolvedArrays known{{"x", {{1, 2}, {3, 4}}}, {"real_facts", {{5, 6}, {7, 0}}}};
  std::vector<Complex> x(2);
  std::vector<double> facts(3), more(5);
  ASSERT_TRUE(job::fill(known, {{"x", std::span(x)}, {"facts", std::span(facts)}}));
  EXPECT_EQ(x, (std::vector<Complex>{{1, 2}, {3, 4}}));
  EXPECT_EQ(facts, (std::vector<double>{5, 6, 7}));
  EXPECT_FALSE(job::fill(known, {{"facts", std::span(more)}}));
  EXPECT_FALSE(job::fill(known, {{"y", std::span(x)}}));
  EXPECT_TRUE(job::fill(known, {{"sources", std::span<Complex>()}}));  // empty ones are not kept
}

TEST(KeptArrays, ListsGetTheLengthThatWasKept) {
  std::vector<double> list(9);
  const auto is_filled = [&](std::vector<Complex> kept) {
    return job::fill({{"real_list", std::move(kept)}}, {{"list", &list}});
  };
  ASSERT_TRUE(is_filled({{2, 8}, {9, 0}}));
  EXPECT_EQ(list, (std::vector<double>{8, 9}));
  ASSERT_TRUE(is_filled({{0, 0}}));
  EXPECT_TRUE(list.empty());
  for (const double wrong : {4.0, 1.0, -1.0, 1e300, std::nan("")})
    EXPECT_FALSE(is_filled({{wrong, 8}, {9, 0}})) << wrong;
}

}  // namespace
}  // namespace curlew::test
