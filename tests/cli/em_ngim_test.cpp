// SPDX-License-Identifier: BSD-3-Clause
// em-ngim as a user runs it: files in, files out, errors as one line and a status.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "io/hdf5.hpp"
#include "test_paths.hpp"

namespace curlew {
namespace {

class EmNgim : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("em_ngim_" + std::to_string(std::hash<std::string>()(
                                testing::UnitTest::GetInstance()->current_test_info()->name())));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    auto file = io::H5File::create(path("points.h5"));
    file.write("sources", std::vector<double>{0, 0, 0, 3, 4, 0}, {"m", "points"}, {2, 3});
    file.write("observers", std::vector<double>{0, 0, 2}, {"m", "points"}, {1, 3});
    file.write("charges", std::vector<Complex>{{1, 0}, {0, 1}, {0, 0}, {2, 0}}, {"1", "charges"}, {2, 2});
    file.close();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  int run(const std::string& arguments) const {
    const std::string command =
        test::program_dir() + "/em-ngim --device cpu " + arguments + " >" + path("out") + " 2>" + path("err");
    return WEXITSTATUS(std::system(command.c_str()));
  }
  std::string messages() const {
    std::ifstream file(path("err"));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
};

TEST_F(EmNgim, RefusesMoreWavelengthsThanPhasesKeep) {
  EXPECT_EQ(run(path("points.h5") + " -o " + path("u.h5") + " --tolerance 1e-4 --wavenumber 1e30"), 2);
  EXPECT_NE(messages().find("--wavenumber 1e+30: the points spread over 5.39 m"), std::string::npos)
      << messages();
  EXPECT_EQ(run(path("points.h5") + " -o " + path("u.h5") + " --tolerance 1e-4 --wavenumber 1.8e5"), 0)
      << messages();
}

TEST_F(EmNgim, WritesPotentialGradientAndMeasuredError) {
  ASSERT_EQ(run(path("points.h5") + " -o " + path("u.h5") + " --tolerance 1e-6 --wavenumber 1.5 --gradient"),
            0)
      << messages();

  const auto file = io::H5File::open(path("u.h5"));
  io::Shape shape, slopes;
  const auto u = file.read<Complex>("potential", &shape);
  const auto g = file.read<Complex>("gradient", &slopes);
  EXPECT_EQ(shape, (io::Shape{1, 2}));
  EXPECT_EQ(slopes, (io::Shape{1, 3, 2}));
  const auto green = [](double r) { return std::exp(Complex(0, -1.5 * r)) / r; };
  const double far = std::sqrt(29.0);
  EXPECT_LT(std::abs(u[0] - green(2)), 1e-12);
  EXPECT_LT(std::abs(u[1] - (Complex(0, 1) * green(2) + 2.0 * green(far))), 1e-12);
  EXPECT_LT(std::abs(g[2 * 2] + (Complex(0, 1.5) + 0.5) * green(2)), 1e-12);
  EXPECT_LT(file.number_attribute("l2_error", "potential"), 1e-6);
  EXPECT_EQ(file.number_attribute("sampled_observers", "potential"), 1);
}

/// Enough points for several leaves and levels.
TEST_F(EmNgim, ThreadsDoNotChangeABit) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(0, 3);
  constexpr std::size_t count = 4000;
  std::vector<double> points(3 * count);
  for (double& x : points) x = place(random);
  auto in = io::H5File::create(path("cloud.h5"));
  in.write("sources", points, {"m", "points"}, {count, 3});
  in.write("observers", points, {"m", "points"}, {count, 3});
  in.write("charges", std::vector<Complex>(count, {1, -0.5}), {"1", "charges"}, {count, 1});
  in.close();
  std::vector<Complex> potentials[2], gradients[2];
  for (const int threads : {1, 2}) {
    ASSERT_EQ(run(path("cloud.h5") + " -o " + path("u.h5") +
                  " --tolerance 1e-4 --wavenumber 9 --gradient --threads " + std::to_string(threads)),
              0)
        << messages();
    const auto out = io::H5File::open(path("u.h5"));
    potentials[threads - 1] = out.read<Complex>("potential");
    gradients[threads - 1] = out.read<Complex>("gradient");
  }
  EXPECT_EQ(potentials[0], potentials[1]);
  EXPECT_EQ(gradients[0], gradients[1]);
}

TEST_F(EmNgim, ReplacesNoDevice) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(run(path("points.h5") + " -o " + path("pipe") + " --tolerance 1e-4 --static"), 2);
  EXPECT_NE(messages().find("pipe: is a device or a pipe"), std::string::npos) << messages();
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
}

TEST_F(EmNgim, RefusesWhatIsMissingOrWrong) {
  const std::string in = path("points.h5") + " -o " + path("u.h5");
  EXPECT_EQ(run(in + " --static"), 2);
  EXPECT_NE(messages().find("--tolerance"), std::string::npos);
  EXPECT_EQ(run(in + " --tolerance 1e-4"), 2);
  EXPECT_NE(messages().find("--wavenumber"), std::string::npos);
  EXPECT_EQ(run(in + " --tolerance 1e-4 --wavenumber -2"), 2);
  EXPECT_EQ(run(in + " --tolerance 1e-9 --static --precision single"), 2);
  for (const char* samples : {"0", "-1", "1.5", "1e30"})
    EXPECT_EQ(run(in + " --tolerance 1e-4 --static --samples " + samples), 2) << samples;
  for (const char* gpus : {"0", "1.5", "1000"})
    EXPECT_EQ(run(in + " --tolerance 1e-4 --static --gpus " + gpus), 2) << gpus;
  EXPECT_EQ(run(path("none.h5") + " -o " + path("u.h5") + " --tolerance 1e-4 --static"), 2);
  EXPECT_FALSE(std::filesystem::exists(path("u.h5"))) << "a failed run leaves no file";
}

}  // namespace
}  // namespace curlew
