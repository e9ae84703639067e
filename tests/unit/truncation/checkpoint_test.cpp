// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/checkpoint.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace curlew::truncation {
namespace {

TEST(Checkpoint, ComesBackForTheSameInputsOnly) {
  const std::string path = (std::filesystem::temp_directory_path() / "curlew-checkpoint-test.h5").string();
  std::filesystem::remove(path);
  EXPECT_FALSE(read_checkpoint(path, "a"));

  write_checkpoint(path, {"a", 1e9, {{1, 2}, {3, 4}}});

  const auto same = read_checkpoint(path, "a");
  ASSERT_TRUE(same);
  EXPECT_EQ(same->frequency, 1e9);
  EXPECT_EQ(same->interface, (std::vector<Complex>{{1, 2}, {3, 4}}));
  EXPECT_FALSE(read_checkpoint(path, "b"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace curlew::truncation
