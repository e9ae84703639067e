// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5.hpp"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>

#include "address_space.hpp"
#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "temp_folder.hpp"
#include "test_paths.hpp"

namespace curlew::io {
namespace {

const About about{"V/m", "a field"};

template <class T>
void round_trip(const std::string& path, const std::vector<T>& values) {
  H5File out = H5File::create(path);
  out.write("plain", values, about);
  out.write("A/00/packed", values, about, {2, values.size() / 2}, 4);
  out.close();

  const H5File in = H5File::open(path);
  Shape shape;
  EXPECT_EQ(in.read<T>("plain"), values);
  EXPECT_EQ(in.read<T>("A/00/packed", &shape), values);
  EXPECT_EQ(shape, (Shape{2, values.size() / 2}));
  EXPECT_EQ(in.string_attribute("unit", "A/00/packed"), "V/m");
  EXPECT_EQ(in.string_attribute("description", "plain"), "a field");
}

TEST(Hdf5, EveryTypeComesBack) {
  const test::TempFolder folder;
  const std::string path = folder / "a.h5";
  round_trip<double>(path, {1.0 / 3, -2, 1e300, 0});
  round_trip<float>(path, {1.5F, -2, 3, 0});
  round_trip<std::int32_t>(path, {1, -2, 2147483647, 0});
  round_trip<std::int64_t>(path, {1, -2, std::int64_t(1) << 40, 0});
  round_trip<std::uint8_t>(path, {1, 2, 255, 0});
  round_trip<Complex>(path, {{1, 2}, {3, -4}, {0, 0}, {1e-9, 5}});
  round_trip<ComplexF>(path, {{1, 2}, {3, -4}, {0, 0}, {1e-9F, 5}});
}

TEST(Hdf5, H5pyReadsComplexNumbersAndTexts) {
  const test::TempFolder folder;
  H5File out = H5File::create(folder / "a.h5");
  out.write("z", std::vector<Complex>{{1, 2}, {3, -4}}, about, {1, 2});
  out.write("w", std::vector<ComplexF>{{1, 2}}, about);
  out.write_string("config", "µ", "a text");
  out.set_attribute("format", std::string("µ"));
  out.close();

  const int status =
      std::system((test::python() + " " + test::source_dir() + "/tests/unit/io/check_h5py.py " +
                   (folder / "a.h5") + " " + (folder / "b.h5"))
                      .c_str());

  constexpr int skipped = 77;
  if (WEXITSTATUS(status) == skipped) GTEST_SKIP() << "Python's h5py is not installed (scripts/setup)";
  ASSERT_EQ(WEXITSTATUS(status), 0);
  const H5File in = H5File::open(folder / "b.h5");
  EXPECT_EQ(in.read<Complex>("z"), (std::vector<Complex>{{1, 2}, {3, -4}}));
  EXPECT_EQ(in.read<Complex>("w"), (std::vector<Complex>{{5, 6}}));
  EXPECT_EQ(in.read_string("config"), "µ");
  EXPECT_EQ(in.string_attribute("format"), "µ");
  EXPECT_EQ(in.read_string("nothing"), "");
  EXPECT_EQ(in.string_attribute("nothing"), "");
}

TEST(Hdf5, ConvertsWidthsAndRealToComplex) {
  const test::TempFolder folder;
  H5File out = H5File::create(folder / "a.h5");
  out.write("real", std::vector<float>{1, 2}, about);
  out.write("complex", std::vector<ComplexF>{{1, 2}}, about);
  out.write("whole", std::vector<std::int32_t>{7}, about);
  out.close();

  const H5File in = H5File::open(folder / "a.h5");

  EXPECT_EQ(in.read<Complex>("real"), (std::vector<Complex>{1, 2}));
  EXPECT_EQ(in.read<Complex>("complex"), (std::vector<Complex>{{1, 2}}));
  EXPECT_EQ(in.read<std::int64_t>("whole"), (std::vector<std::int64_t>{7}));
  EXPECT_TRUE(in.is_complex("complex"));
  EXPECT_FALSE(in.is_complex("real"));
}

TEST(Hdf5, GroupsMembersStringsAndAttributes) {
  const test::TempFolder folder;
  H5File out = H5File::create(folder / "a.h5");
  H5Group block = out.create_group("A/00");
  block.write("values", std::vector<double>{1}, about);
  block.set_attribute("rows", std::int64_t(12));
  block.set_attribute("scale", 0.5);
  block.set_attribute("scale", 0.25);  // replaces
  out.write_string("config", "title = \"µ\"\n", "the config");
  out.write("empty", std::vector<double>{}, about);
  out.write_provenance({"fem-assemble", "a.toml", "x = 1"}, "curlew-system", 1);
  out.close();

  const H5File in = H5File::open(folder / "a.h5");

  EXPECT_EQ(in.members(), (std::vector<std::string>{"A", "config", "empty"}));
  EXPECT_EQ(in.group("A/00").members(), (std::vector<std::string>{"values"}));
  EXPECT_EQ(in.group("A").number_attribute("rows", "00"), 12);
  EXPECT_EQ(in.group("A/00").number_attribute("scale"), 0.25);
  EXPECT_EQ(in.read_string("config"), "title = \"µ\"\n");
  EXPECT_TRUE(in.read<double>("empty").empty());
  EXPECT_TRUE(in.has("A/00/values"));
  EXPECT_FALSE(in.has("A/11/values"));
  EXPECT_TRUE(in.is_group("A"));
  EXPECT_FALSE(in.is_group("config"));
  EXPECT_EQ(in.check_format("curlew-system", 1), 1);
  EXPECT_EQ(in.string_attribute("program"), "fem-assemble");
  EXPECT_NE(in.string_attribute("time_convention").find("exp(+jwt)"), std::string::npos);
}

TEST(Hdf5, AppendsRows) {
  const test::TempFolder folder;
  H5File out = H5File::create(folder / "a.h5");
  out.append("E", std::vector<double>{1, 2, 3, 4}, about, {2});
  out.append("E", std::vector<double>{5, 6}, about, {2});
  out.append("t", std::vector<std::int64_t>{9}, about);
  out.close();

  const H5File in = H5File::open(folder / "a.h5");

  EXPECT_EQ(in.shape("E"), (Shape{3, 2}));
  EXPECT_EQ(in.read<double>("E"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(in.read<std::int64_t>("t"), (std::vector<std::int64_t>{9}));
}

/// The type of a float and that of a double as they stand in a file: HDF5 file format 3.0, IV.A.2.d.
const std::string float_type("\x11\x20\x1f\0\4\0\0\0\0\0\x20\0\x17\x08\0\x17\x7f\0\0\0", 20),
    double_type("\x11\x20\x3f\0\x08\0\0\0\0\0\x40\0\x34\x0b\0\x34\xff\x03\0\0", 20);

TEST(Hdf5, TypesThatClaimMoreThanIsStoredAreRefused) {
  const test::TempFolder folder;
  for (const int deflate : {0, 1}) {
    const std::string path = folder / "a.h5";
    H5File out = H5File::create(path);
    out.write("x", std::vector<float>(3000, 0.5F), about, {1000, 3}, deflate);
    out.close();
    EXPECT_EQ(H5File::open(path).read<double>("x"), std::vector<double>(3000, 0.5));
    std::string bytes = read_text_file(path);
    const auto at = bytes.find(float_type);
    ASSERT_NE(at, std::string::npos);
    write_text_file(path, bytes.replace(at, float_type.size(), double_type));
    const auto message = test::message_of<InputError>([&] { H5File::open(path).read<double>("x"); });
    EXPECT_NE(
        message.find(deflate > 0 ? "x: a compressed part is damaged" : "x: has 3000 values by its shape"),
        std::string::npos)
        << message;
    // the smallest type with more bits than bytes
    bytes.replace(at, double_type.size(), float_type);
    bytes[at + 10] = 64;
    write_text_file(path, bytes);
    EXPECT_THROW(H5File::open(path).read<double>("x"), InputError);
  }
}

TEST(Hdf5, ErrorsNameFileAndDataset) {
  const test::TempFolder folder;
  H5File out = H5File::create(folder / "a.h5");
  out.write("x", std::vector<Complex>{{1, 2}}, about);
  out.write("d", std::vector<double>{1}, about);
  out.write_string("s", "text", "text");
  out.create_group("g");
  out.close();
  const H5File in = H5File::open(folder / "a.h5");
  const auto fault = [&](auto&& call) { return test::message_of<InputError>(call); };

  EXPECT_NE(fault([&] { in.read<double>("y"); }).find("a.h5: y: there is no such dataset"),
            std::string::npos);
  EXPECT_NE(fault([&] { in.read<double>("x"); }).find("a.h5: x: must hold real numbers, holds complex ones"),
            std::string::npos);
  EXPECT_NE(fault([&] { in.read<Complex>("s"); }).find("must hold real or complex numbers"),
            std::string::npos);
  EXPECT_NE(fault([&] { in.read<std::int64_t>("d"); }).find("must hold whole numbers"), std::string::npos);
  EXPECT_NE(fault([&] { in.read<double>("g"); }).find("is not a dataset"), std::string::npos);
  EXPECT_NE(fault([&] { in.group("d"); }).find("there is no such group"), std::string::npos);
  EXPECT_NE(fault([&] { in.read_string("d"); }).find("must be one text"), std::string::npos);
  EXPECT_NE(fault([&] { in.string_attribute("none"); }).find("no text attribute \"none\""),
            std::string::npos);
  EXPECT_NE(fault([&] { in.number_attribute("none"); }).find("no number attribute \"none\""),
            std::string::npos);
  EXPECT_NE(fault([&] {
              in.check_format("curlew-mesh", 1);
            }).find("must be a file of format \"curlew-mesh\", states none"),
            std::string::npos);
}

TEST(Hdf5, WritesNoResultThatIsNoNumber) {
  const test::TempFolder folder;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  H5File out = H5File::create(folder / "a.h5");
  const auto complaint = [](const auto& write) -> std::string {
    try {
      write();
    } catch (const NumericalError& e) {
      return e.what();
    }
    return "";
  };
  const auto says = [](const std::string& text, const std::string& place) {
    return text.find("a.h5: " + place) != std::string::npos;
  };
  EXPECT_TRUE(says(complaint([&] {
                     out.write("E", std::vector<Complex>{1, {0, nan}}, about);
                   }),
                   "E: value 1 of 2 is not finite"));
  EXPECT_TRUE(says(complaint([&] {
                     out.write("E", std::vector<ComplexF>{{float(inf), 0}}, about);
                   }),
                   "E: value 0 of 1 is not finite"));
  EXPECT_TRUE(says(complaint([&] {
                     out.write("g/x", std::vector<double>{1, 2, nan}, about);
                   }),
                   "g/x: value 2 of 3 is not finite"));
  EXPECT_TRUE(says(complaint([&] { out.append("rows", std::vector<float>{float(nan)}, about); }),
                   "rows: value 0 of 1 is not finite"));
  out.write("ratio", std::vector<double>{inf, -inf}, about);  // of a linear polarisation, of no power in dB
  EXPECT_EQ(out.members(), std::vector<std::string>{"ratio"}) << "nothing of the others is begun";
}

TEST(Hdf5, TruncatedForeignAndMissingFiles) {
  const test::TempFolder folder;
  std::vector<double> values(100000);
  std::iota(values.begin(), values.end(), 0.0);
  H5File out = H5File::create(folder / "a.h5");
  out.write("x", values, about);
  out.close();
  std::filesystem::resize_file(folder / "a.h5", 5000);
  write_text_file(folder / "b.h5", "this is not an HDF5 file");
  const auto fault = [&](const char* name) {
    return test::message_of<InputError>([&] { H5File::open(folder / name); });
  };

  EXPECT_NE(fault("a.h5").find("a.h5: is a damaged or truncated HDF5 file"), std::string::npos);
  EXPECT_NE(fault("b.h5").find("b.h5: is not an HDF5 file"), std::string::npos);
  EXPECT_NE(fault("c.h5").find("c.h5: cannot be read (No such file or directory)"), std::string::npos);
  EXPECT_NE(test::message_of<ResourceError>([] {
              H5File::create("/nonexistent/a.h5");
            }).find("No such file or directory"),
            std::string::npos);
}

TEST(Hdf5, ShapeMustFitTheValues) {
  const test::TempFolder folder;
  H5File out = H5File::create(folder / "a.h5");

  EXPECT_THROW(out.write("x", std::vector<double>{1, 2, 3}, about, {2, 2}), std::logic_error);
}

/// Exit status of a child process that does this: 42 for a ResourceError, 1000 and more for a signal.
template <class F>
int status_of_child(F&& action) {
  const pid_t child = fork();
  if (child != 0) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  try {
    action();
  } catch (const ResourceError&) {
    exit(42);  // with HDF5's own clean-up, which must not fail either
  } catch (...) {
    exit(43);
  }
  exit(0);
}

/// Files may not exceed a size, as on a full disk.
int write_with_limit(const std::string& path, bool large) {
  return status_of_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{20000, 20000};
    setrlimit(RLIMIT_FSIZE, &limit);
    AtomicFile target(path);
    H5File out = H5File::create(target.part());
    const std::size_t pieces = large ? 1 : 100;
    for (std::size_t i = 0; i < pieces; ++i) {
      out.write("x" + std::to_string(i), std::vector<double>(large ? 100000 : 100, 1.0), about);
    }
    out.close();
    target.commit();
  });
}

TEST(Hdf5, FullDiskIsAResourceErrorAndLeavesNoFile) {
  const test::TempFolder folder;

  EXPECT_EQ(write_with_limit(folder / "a.h5", true), 42);
  EXPECT_EQ(write_with_limit(folder / "b.h5", false), 42);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

std::size_t data_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages[6] = {};
  for (std::size_t& number : pages) file >> number;
  return pages[5] * std::size_t(sysconf(_SC_PAGESIZE));
}

/// A text and, if there are values, a compressed dataset, with so many bytes more than are in use when the
/// file is open. 44: the library found out by itself, in the middle of its work.
int write_in_memory(const std::string& path, const std::vector<double>& values, std::size_t bytes) {
  return status_of_child([&] {
    mallopt(M_MMAP_THRESHOLD, 1 << 17);  // freed memory can be allocated again
    AtomicFile target(path);
    H5File out = H5File::create(target.part());
    malloc_trim(0);
    const rlim_t all = data_bytes() + bytes;
    const rlimit limit{all, all};
    setrlimit(RLIMIT_DATA, &limit);
    try {
      out.write_string("text", "a text", "");
      if (!values.empty()) out.write("x", values, about, {values.size() / 8, 8}, 4);
      out.close();
    } catch (const ResourceError& e) {
      if (std::string(e.what()).find("out of memory") == std::string::npos) exit(44);
      throw;
    }
    target.commit();
  });
}

TEST(Hdf5, MemoryThatEndsIsFoundOutBeforeTheLibraryAsksForIt) {
  CURLEW_LIMITS_ADDRESS_SPACE();
  const test::TempFolder folder;
  std::vector<double> values(std::size_t(1) << 17);
  double value = 0.3;
  for (double& v : values) v = value = 3.9 * value * (1 - value);  // parts stay as large as they were
  const std::string path = folder / "a.h5";
  int refused = 0;
  for (std::size_t kibibytes = 256; kibibytes <= 3072; kibibytes += 64) {
    const int status = write_in_memory(path, values, kibibytes * 1024);
    EXPECT_TRUE(status == 0 || status == 42) << status << " with " << kibibytes << " KiB";
    EXPECT_EQ(std::filesystem::exists(path), status == 0) << kibibytes;
    refused += status == 42;
    std::filesystem::remove(path);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_GT(refused, 10);
  EXPECT_EQ(write_in_memory(path, {}, std::size_t(256) << 10), 0);
  EXPECT_EQ(write_in_memory(path, values, std::size_t(8) << 20), 0);
}

}  // namespace
}  // namespace curlew::io
