// SPDX-License-Identifier: BSD-3-Clause
#include "base/device_faults.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "base/error.hpp"

namespace curlew {
namespace {

TEST(DeviceFaults, FailFromTheNumberOn) {
  DeviceFaults faults("memory 3", "");
  std::vector<bool> memory, calls;
  for (int i = 0; i < 5; ++i) {
    memory.push_back(faults.strike(DeviceFault::memory));
    calls.push_back(faults.strike(DeviceFault::call));
  }
  EXPECT_EQ(memory, (std::vector<bool>{false, false, true, true, true}));
  EXPECT_EQ(calls, std::vector<bool>(5, false));
}

TEST(DeviceFaults, CountBothKindsInAllThreads) {
  const auto file = std::filesystem::temp_directory_path() / "curlew_device_faults_count";
  {
    DeviceFaults faults("", file.string());
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) EXPECT_FALSE(faults.strike(DeviceFault::call));
      });
    threads.clear();
    faults.strike(DeviceFault::memory);
  }
  std::ifstream in(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "1 4000\n");
  std::filesystem::remove(file);
}

TEST(DeviceFaults, RefuseAnotherRequest) {
  for (const char* request :
       {"memory", "memory 0", "calls -1", "calls 1x", "memory 99999999999999999999", "3"})
    EXPECT_THROW(DeviceFaults(request, ""), InputError) << request;
}

TEST(DeviceFaults, DoNothingUnasked) {
  EXPECT_FALSE(device_fails_on_request(DeviceFault::memory));
  EXPECT_FALSE(device_fails_on_request(DeviceFault::call));
}

}  // namespace
}  // namespace curlew
