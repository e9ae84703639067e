// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Programs run as a user would: in a separate folder, with their streams and exit status.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "../support/address_space.hpp"
#include "io/atomic_file.hpp"
#include "test_paths.hpp"

namespace curlew::test {

struct Ended {
  int status;
  std::string out, err;
};

/// A folder that is removed at the end of the test.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Runs a shell command in the folder; programs of the build come first on the path, and check that they
  /// read nothing but the keys in src/io/schema.
  Ended run(const std::string& command) const;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  std::filesystem::path folder_;
};

}  // namespace curlew::test
