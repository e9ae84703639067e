// SPDX-License-Identifier: BSD-3-Clause
// What kept meshes and finished points depend on beside their inputs: the build, whatever its version says.
#include "run/file_identity.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "io/atomic_file.hpp"

#include "temp_folder.hpp"

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

/// The build id of this test by readelf.
std::string build_id_by_readelf() {
  const std::string command = "readelf -n " + fs::read_symlink("/proc/self/exe").string() + " 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text(1 << 16, '\0');
  text.resize(fread(text.data(), 1, text.size(), pipe.get()));
  const std::string words = "Build ID: ";
  const auto at = text.find(words);
  return at == std::string::npos ? "" : text.substr(at + words.size(), 40);
}

TEST(FileIdentity, OfAProgramIsItsBuildId) {
  const std::string id = build_id_by_readelf();
  if (id.empty()) GTEST_SKIP() << "no readelf, or no build id";

  EXPECT_EQ(file_identity(fs::read_symlink("/proc/self/exe")), id);
  EXPECT_NE(build_identity("nothing").find(id), std::string::npos) << build_identity("nothing");
}

/// An installed copy is the same build; one linked from other objects differs in its build id alone.
TEST(FileIdentity, OfAnotherBuildIsAnother) {
  const test::TempFolder folder;
  const std::string own = fs::read_symlink("/proc/self/exe"), id = file_identity(own);
  std::string bytes = io::read_text_file(own);
  io::write_text_file(folder / "copy", bytes);
  EXPECT_EQ(file_identity(folder / "copy"), id);

  std::string digits;
  for (std::size_t i = 0; i < id.size(); i += 2) digits += char(std::stoi(id.substr(i, 2), nullptr, 16));
  const auto at = bytes.find(digits);
  if (at == std::string::npos) GTEST_SKIP() << "no build id";
  bytes[at] ^= 1;
  io::write_text_file(folder / "other", bytes);

  EXPECT_NE(file_identity(folder / "other"), id);
}

}  // namespace
}  // namespace curlew::run
