// SPDX-License-Identifier: BSD-3-Clause
// Limits of control groups, read from trees of files as kernels show them.
#include "base/control_group.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <fstream>

#include "base/cores.hpp"
#include "base/temporary_folder.hpp"

namespace curlew {
namespace {

namespace fs = std::filesystem;

class ControlGroups : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    const fs::path file = fs::path(root_.path()) / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  GroupLimits limits() const { return group_limits(root_.path()); }

  TemporaryFolder root_{"control_group_test"};
};

constexpr auto no_memory_limit = std::numeric_limits<std::size_t>::max();

TEST_F(ControlGroups, WithoutLimitsLimitNothing) {
  EXPECT_EQ(limits().cores, std::numeric_limits<double>::infinity());
  write("proc/self/cgroup", "0::/user.slice\n");
  write("sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/user.slice/memory.max", "max\n");

  EXPECT_EQ(limits().cores, std::numeric_limits<double>::infinity());
  EXPECT_EQ(limits().memory, no_memory_limit);
}

TEST_F(ControlGroups, OfVersionTwoTheLeastOfAllAboveCounts) {
  write("proc/self/cgroup", "0::/jobs/mine\n");
  write("sys/fs/cgroup/jobs/cpu.max", "150000 100000\n");
  write("sys/fs/cgroup/jobs/mine/cpu.max", "800000 100000\n");
  write("sys/fs/cgroup/jobs/memory.max", "5000\n");
  write("sys/fs/cgroup/jobs/memory.current", "3000\n");
  write("sys/fs/cgroup/jobs/memory.stat", "anon 2000\ninactive_file 700\nactive_file 300\n");
  write("sys/fs/cgroup/jobs/mine/memory.max", "4000\n");

  EXPECT_DOUBLE_EQ(limits().cores, 1.5);
  EXPECT_EQ(limits().memory, 5000 - (3000 - 700));
}

TEST_F(ControlGroups, OfVersionOneEachControllerHasItsTree) {
  write("proc/self/cgroup", "12:memory:/batch/7\n4:cpu,cpuacct:/batch/7\n1:name=systemd:/x\n0::/\n");
  write("sys/fs/cgroup/cpu,cpuacct/batch/7/cpu.cfs_quota_us", "400000\n");
  write("sys/fs/cgroup/cpu,cpuacct/batch/7/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/memory/batch/7/memory.limit_in_bytes", "9000\n");
  write("sys/fs/cgroup/memory/batch/7/memory.usage_in_bytes", "8000\n");
  write("sys/fs/cgroup/memory/batch/7/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");

  EXPECT_DOUBLE_EQ(limits().cores, 4);
  EXPECT_EQ(limits().memory, 9000 - (8000 - 500));
}

TEST_F(ControlGroups, InAContainerThatShowsThePathOfTheHostTheTopCounts) {
  write("proc/self/cgroup", "3:cpu:/docker/0123\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");

  EXPECT_DOUBLE_EQ(limits().cores, 2);
}

TEST(UsableCores, AreNoMoreThanTheProcessors) {
  EXPECT_GE(usable_cores(), 1);
  EXPECT_LE(usable_cores(), omp_get_num_procs());
}

}  // namespace
}  // namespace curlew
