// SPDX-License-Identifier: BSD-3-Clause
// Names of devices and pipes: an untrusted config may give them for a table, a contour or a geometry.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "temp_folder.hpp"

namespace curlew::io {
namespace {

using test::message_of;

TEST(SpecialFiles, DevicesAreNotReadToTheirEnd) {
  for (const std::string device : {"/dev/zero", "/dev/urandom", "/dev/null"}) {
    const auto message = message_of<InputError>([&] { read_text_file(device); });
    EXPECT_EQ(message, device + ": is a device: must be a file");
  }
}

TEST(SpecialFiles, APipeIsReadAndAnEndlessOneRefused) {
  const test::TempFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "a = 1\n"; });
  EXPECT_EQ(read_text_file(pipe), "a = 1\n");
  writer.join();

  // yes(1), which ends when its pipe has no reader
  std::FILE* endless = popen(("yes > '" + pipe + "' 2>/dev/null").c_str(), "r");
  ASSERT_NE(endless, nullptr);
  const auto message = message_of<InputError>([&] { read_text_file(pipe); });
  EXPECT_EQ(message, pipe + ": does not end within 64 MiB");
  pclose(endless);
}

TEST(SpecialFiles, AFileBeyondTheMemoryIsNotRead) {
  const test::TempFolder folder;
  const std::string sparse = folder / "sparse";
  std::ofstream(sparse).put(' ');
  ASSERT_EQ(truncate(sparse.c_str(), off_t(1) << 42), 0);

  const auto message = message_of<ResourceError>([&] { read_text_file(sparse); });
  EXPECT_NE(message.find("needs 4096.00 GiB"), std::string::npos) << message;
}

/// Without a writer the program would wait for the pipe.
TEST(SpecialFiles, Hdf5NeedsAFile) {
  const test::TempFolder folder;
  const std::string pipe = folder / "pipe.h5";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);

  EXPECT_EQ(message_of<InputError>([&] { H5File::open(pipe); }), pipe + ": is no file");
  EXPECT_EQ(message_of<InputError>([&] { H5File::open("/dev/zero"); }), "/dev/zero: is no file");
}

}  // namespace
}  // namespace curlew::io
