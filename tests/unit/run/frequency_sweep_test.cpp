// SPDX-License-Identifier: BSD-3-Clause
// A sweep that writes in a second thread: in order, complete, and the same after every fault at every moment.
#include "run/frequency_sweep.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <memory>
#include <ostream>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "toy_program.hpp"

namespace curlew::test {
namespace {

constexpr std::size_t count = 6, unknowns = 2000;

/// Faults at a frequency, in the solver or in the writer.
struct Fault {
  std::function<void()> happen = [] {};
  std::size_t at = count;
  bool is_behind = false;
  void strike(std::size_t number, bool behind) const {
    if (number == at && behind == is_behind) happen();
  }
};

/// Any numbers that the frequency determines.
std::vector<Complex> solve(std::size_t number) {
  std::vector<Complex> x(unknowns);
  for (std::size_t i = 0; i < unknowns; ++i) x[i] = {1.0 / double(number * unknowns + i + 1), double(i)};
  return x;
}

/// Solves, keeps and writes as fem-solve does: a dataset and a row for each frequency, both by the
/// writer.
run::AppBody body_with(const Fault& fault) {
  return [fault](const io::Config& config, run::Run& run) {
    config.allow({"input"});
    std::vector<double> frequencies(count);
    for (std::size_t i = 0; i < count; ++i) frequencies[i] = double(i + 1) * 1e9;
    auto file = io::H5File::create(run.output("solution.h5"));
    io::CsvWriter table(run.output("sums.csv"), {}, {"frequency_hz", "sum"});
    run::FrequencySweep sweep(frequencies, run);
    sweep.each_behind([&](std::size_t number, double frequency, Background& writer) {
      const auto known = sweep.find(number);  // reads HDF5 while the writer may write it
      fault.strike(number, false);
      check_interrupt();
      const auto x = std::make_shared<std::vector<Complex>>(known ? known->at("x") : solve(number));
      const bool is_new = !known;
      writer.add([&, number, frequency, x, is_new] {
        if (is_new) sweep.keep(number, {{"x", *x}});
        sweep.finish_solution(number);
        fault.strike(number, true);
        file.write("x" + std::to_string(number + 1), *x, {"1", "any"});
        double sum = 0;
        for (const Complex value : *x) sum += value.real();
        table.row({frequency, sum});
      });
    });
    file.close();
    table.close();
  };
}

/// In a separate process, as signals and the flag of an interrupt stay. @return its status, or 1000 + the
/// signal
int run_child(const Workplace& place, const Fault& fault, bool resume, int jobs = 1) {
  const pid_t child = fork();
  if (child == 0) {
    std::vector<std::string> arguments{place.config, "-o", place.out, "--jobs", std::to_string(jobs)};
    if (resume) arguments.emplace_back("--resume");
    _exit(run_toy(arguments, body_with(fault)).status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

std::string table_of(const Workplace& place) {
  return io::read_text_file(place.out + "/sums.csv");
}
std::vector<Complex> solution_of(const Workplace& place, std::size_t number) {
  return io::H5File::open(place.out + "/solution.h5").read<Complex>("x" + std::to_string(number));
}

/// One row and one dataset for each of the first frequencies, in order.
void expect_first(const Workplace& place, std::size_t done) {
  const auto table = io::read_csv(place.out + "/sums.csv");
  ASSERT_EQ(table.num_rows, done);
  for (std::size_t i = 0; i < done; ++i) {
    EXPECT_EQ(table.numbers("frequency_hz")[i], double(i + 1) * 1e9);
    EXPECT_EQ(solution_of(place, i + 1), solve(i));
  }
  EXPECT_FALSE(io::H5File::open(place.out + "/solution.h5").has("x" + std::to_string(done + 1)));
}

TEST(FrequencySweep, WritesBehindInOrderAndAll) {
  const Workplace place;
  ASSERT_EQ(run_child(place, {}, false), 0);
  expect_first(place, count);
  EXPECT_FALSE(std::filesystem::exists(place.out + "/solved_1.h5"));  // only --resume wants them
}

struct Moment {
  std::string name;
  std::function<void()> happen;
  int status;
};

/// Otherwise GoogleTest prints the bytes: addresses, and gaps without a value.
void PrintTo(const Moment& moment, std::ostream* out) {
  *out << moment.name;
}

/// A fault, and how many frequencies are solved at once.
class FaultyFrequencySweep : public testing::TestWithParam<std::tuple<Moment, int>> {};

TEST_P(FaultyFrequencySweep, ResumesBitForBit) {
  const auto& [moment, jobs] = GetParam();
  const Workplace whole;
  ASSERT_EQ(run_child(whole, {}, false), 0);
  for (const bool is_behind : {false, true})
    for (const std::size_t at : {std::size_t(0), std::size_t(3), count - 1}) {
      SCOPED_TRACE(moment.name + (is_behind ? ", behind the solver, " : ", in the solver, ") +
                   std::to_string(at));
      const Workplace place;
      const Fault fault{moment.happen, at, is_behind};
      EXPECT_EQ(run_child(place, fault, false, jobs), moment.status);
      // Finished frequencies are written, and nothing else; the writer may lag by two. While an earlier
      // frequency is written, interrupts are held: the solver may take one more.
      if (moment.status == 130 && (at > 0 || is_behind)) {
        const auto rows = io::read_csv(place.out + "/sums.csv").num_rows;
        EXPECT_GE(rows, is_behind ? at + 1 : at);
        EXPECT_LE(rows, is_behind ? std::min(at + 3, count) : at + 1);
        expect_first(place, rows);
      }
      if (moment.status == 3) {
        EXPECT_FALSE(std::filesystem::exists(place.out + "/sums.csv"));
      }
      EXPECT_EQ(run_child(place, {}, true, jobs), 0);
      expect_first(place, count);
      EXPECT_EQ(table_of(place), table_of(whole));
      for (const auto& name : listing(place.out)) EXPECT_EQ(name.find(".part-"), std::string::npos) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Faults, FaultyFrequencySweep,
    testing::Combine(testing::Values(Moment{"kill", [] { std::raise(SIGKILL); }, 1000 + SIGKILL},
                                     Moment{"interrupt", [] { std::raise(SIGINT); }, 130},
                                     Moment{"terminate", [] { std::raise(SIGTERM); }, 130},
                                     Moment{"full disk", [] { throw ResourceError("disk full"); }, 3}),
                     testing::Values(1, 3)),
    [](const auto& instance) {
      std::string name = std::get<0>(instance.param).name;
      std::erase(name, ' ');
      return name + (std::get<1>(instance.param) == 1 ? "" : "InCopies");
    });

/// Groups are saved until the frequency is saved as a whole; for a single frequency only groups are saved.
TEST(FrequencySweep, KeepsGroupsOfAFrequencyUntilItIsDone) {
  const Workplace place;
  const auto x = solve(1), y = solve(2);
  const auto kept = [&] {
    std::vector<std::string> names;
    for (const auto& name : listing(place.out))
      if (name.starts_with("solved_")) names.push_back(name);
    return names;
  };
  const auto with_sweep = [&](std::vector<double> frequencies, bool resume,
                              const std::function<void(run::FrequencySweep&)>& use) {
    std::vector<std::string> arguments{place.config, "-o", place.out};
    if (resume) arguments.emplace_back("--resume");
    return run_toy(arguments,
                   [&](const io::Config& config, run::Run& run) {
                     config.allow({"input"});
                     run::FrequencySweep sweep(frequencies, run);
                     use(sweep);
                   })
        .status;
  };
  const auto stop = [] { throw NumericalError("stopped"); };

  with_sweep({1e9, 2e9}, false, [&](run::FrequencySweep& sweep) {
    sweep.keep_group(0, 0, {{"x", x}}), sweep.keep_group(0, 12, {{"x", y}});
    sweep.keep(0, {{"x", x}});
    sweep.keep_group(1, 0, {{"x", y}});
    EXPECT_FALSE(sweep.find_group(1, 0)) << "only --resume looks for any";
    stop();
  });
  EXPECT_EQ(kept(), (std::vector<std::string>{"solved_1.h5", "solved_2_1.h5"}));
  with_sweep({1e9, 2e9}, true, [&](run::FrequencySweep& sweep) {
    EXPECT_EQ(sweep.find(0)->at("x"), x);
    EXPECT_FALSE(sweep.find_group(0, 0));
    EXPECT_EQ(sweep.find_group(1, 0)->at("x"), y);
    EXPECT_FALSE(sweep.find_group(1, 1));
    stop();
  });
  with_sweep({1e9, 3e9}, true, [&](run::FrequencySweep& sweep) {
    EXPECT_FALSE(sweep.find_group(1, 0)) << "of another frequency";
    stop();
  });
  with_sweep({1e9}, false, [&](run::FrequencySweep& sweep) {
    EXPECT_TRUE(kept().empty()) << "a run that begins again keeps nothing of others";
    sweep.keep_group(0, 1, {{"x", y}});
    sweep.keep(0, {{"x", x}});
    stop();
  });
  EXPECT_EQ(kept(), (std::vector<std::string>{"solved_1_2.h5"}));
  EXPECT_EQ(with_sweep({1e9}, true, [](run::FrequencySweep& sweep) { sweep.each([](auto, auto) {}); }), 0);
  EXPECT_TRUE(kept().empty()) << "the results are in place";

  std::ofstream(place.out + "/solved_by_hand.h5") << "a user's";
  EXPECT_EQ(with_sweep({1e9}, false, [](run::FrequencySweep& sweep) { sweep.each([](auto, auto) {}); }), 0);
  EXPECT_EQ(kept(), (std::vector<std::string>{"solved_by_hand.h5"})) << "no file of a sweep";
}

}  // namespace
}  // namespace curlew::test
