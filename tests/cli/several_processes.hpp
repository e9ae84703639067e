// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Programs under mpirun, and their results beside those of one process.

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"

namespace curlew::test {

template <class T>
double largest(const std::vector<T>& values) {
  double most = 0;
  for (const T& v : values) most = std::max(most, double(std::abs(v)));
  return most;
}

/// Largest difference over the largest value.
template <class T>
double difference(std::vector<T> a, const std::vector<T>& b) {
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) a[i] -= b[i];
  return largest(a) / largest(b);
}

class SeveralProcesses : public SummaryTest {
 protected:
  explicit SeveralProcesses(std::string program) : program_(std::move(program)) {}

  void SetUp() override {
    SummaryTest::SetUp();
    for (const char* variable : {"OMP_NUM_THREADS", "OMPI_ALLOW_RUN_AS_ROOT",
                                 "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
      setenv(variable, "1", 1);
    setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
#ifdef __SANITIZE_ADDRESS__
    // Open MPI unloads its modules before it is asked what it has kept: no suppression can name them.
    setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=0", 1);
#endif
  }
  Ended run_on_one(const std::string& arguments) const {
    return run(program_ + " " + arguments);
  }
  Ended run_on(int processes, const std::string& arguments) const {
    return run("timeout 400 mpirun -quiet -n " + std::to_string(processes) + " " + program_ + " " +
               arguments);
  }
  /// A copy of the program without PROGRAM-mpi beside it.
  Ended run_without_parallel_program(const std::string& arguments) const {
    return run("mkdir bin && cp $(command -v " + program_ + ") bin && mpirun -quiet -n 2 bin/" + program_ +
               " " + arguments);
  }
  /// Three processes, of which one is killed once the log of the first holds `awaited`.
  /// Its temporary files are in the folder "temporary".
  /// @param arguments of a run of many seconds, without -o @returns the exit status of mpirun
  std::string status_after_kill(const std::string& arguments,
                                const std::string& awaited = "estimates") const {
    write("start", "echo $$ > pid.$OMPI_COMM_WORLD_RANK; exec " + program_ + " " + arguments + " -o out\n");
    write("kill_one", R"(
mkdir temporary
export TMPDIR=$PWD/temporary
wait_for() { for i in $(seq 4000); do "$@" && return; sleep 0.05; done; exit 9; }
ended() { ! grep -qs 'State:.[RSDT]' /proc/$(cat pid.0)/status /proc/$(cat pid.2)/status; }
(timeout 400 mpirun -quiet -n 3 sh start; echo $? > status) &
wait_for grep -qs "$AWAITED" out/run.log
sleep 0.5
kill -9 $(cat pid.1)
wait
wait_for ended
)");
    const Ended ended = run("AWAITED='" + awaited + "' sh kill_one");
    EXPECT_EQ(ended.status, 0) << ended.err;
    return io::read_text_file(path("status"));
  }
  /// A run that kill -9 ends as soon as it has kept `file`: of several processes, the last of them is killed.
  /// One that was too quick, and ended by itself or was killed at its end, is tried again; one that failed is
  /// not.
  void kill_once_kept(const std::string& file, int processes, const std::string& arguments) const {
    write("start", "echo $$ > pid.${OMPI_COMM_WORLD_RANK:-0}; exec " + program_ + " " + arguments + "\n");
    const std::string several = "timeout 400 mpirun -quiet -n " + std::to_string(processes) + " ";
    const std::string line = "{ " + (processes > 1 ? several : "") +
                             "sh start & for i in $(seq 40000); do test -e " + file +
                             " && break; kill -0 $! || break; sleep 0.005; done; kill -9 $(cat pid." +
                             std::to_string(processes - 1) + "); wait $!; }";
    for (int attempt = 0; attempt < 5 && !exists(file); ++attempt) {
      std::filesystem::remove_all(std::filesystem::path(path(file)).parent_path());
      const Ended ended = run(line);
      ASSERT_TRUE(ended.status == 0 || ended.status == 137) << ended.status << ended.err;
    }
    ASSERT_TRUE(exists(file)) << "killed too late: the test tests nothing";
  }
  /// Runs continued after a killed run, by one process or several, give the results of "one".
  void expect_same_behind_a_killed_run(const std::string& arguments, double same,
                                       const std::vector<std::pair<int, int>>& processes) const {
    for (const auto& [killed, resuming] : processes) {
      const std::string folder = "of" + std::to_string(killed) + "on" + std::to_string(resuming);
      ASSERT_NO_FATAL_FAILURE(
          kill_once_kept(folder + "/solved_1.h5", killed, arguments + " -q -o " + folder));
      const Ended resumed = run_on(resuming, arguments + " --resume -o " + folder);
      ASSERT_EQ(resumed.status, 0) << folder << resumed.err;
      EXPECT_NE(resumed.err.find("solved before"), std::string::npos) << folder << resumed.err;
      expect_same(folder, "one", same);
    }
  }
  std::vector<Complex> unknowns(const std::string& folder) const {
    return io::H5File::open(path(folder + "/solution.h5")).read<Complex>("x");
  }
  std::vector<Complex> s_parameters(const std::string& folder) const {
    for (const auto& file : std::filesystem::directory_iterator(path(folder))) {
      const std::string extension = file.path().extension().string();
      if (extension.starts_with(".s") && extension.ends_with("p"))
        return test::read_touchstone(file.path()).s;
    }
    return {};
  }
  static std::set<std::string> files(const std::filesystem::path& folder) {
    std::set<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder)) names.insert(file.path().filename());
    return names;
  }
  /// Unknowns, S and cross-sections.
  void expect_same(const std::string& folder, const std::string& serial, double same) const {
    EXPECT_EQ(files(path(folder)), files(path(serial)));
    EXPECT_LT(difference(unknowns(folder), unknowns(serial)), same);
    const auto s = s_parameters(serial);
    if (!s.empty()) {
      EXPECT_LT(difference(s_parameters(folder), s), same);
    }
    if (exists(serial + "/rcs.csv")) expect_same_columns("rcs.csv", {"rcs_m2"}, folder, serial, same);
  }
  void expect_same_columns(const std::string& file, const std::vector<const char*>& names,
                           const std::string& folder, const std::string& serial, double same) const {
    const auto table = io::read_csv(path(folder + "/" + file)),
               expected = io::read_csv(path(serial + "/" + file));
    for (const char* name : names)
      EXPECT_LT(difference(table.numbers(name), expected.numbers(name)), same) << file << " " << name;
  }

  std::string program_;
};

}  // namespace curlew::test
