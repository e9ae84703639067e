// SPDX-License-Identifier: BSD-3-Clause
// Numbers, vectors, constants and errors.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <limits>

#include "address_space.hpp"
#include "base/allocation.hpp"
#include "base/complex.hpp"
#include "base/constants.hpp"
#include "base/device.hpp"
#include "base/error.hpp"
#include "base/passive_root.hpp"
#include "base/threads.hpp"
#include "base/types.hpp"
#include "base/vec3.hpp"
#include "curlew/build.hpp"
#include "message_of.hpp"

namespace curlew {
namespace {

TEST(Constants, AgreeWithEachOther) {
  EXPECT_NEAR(vacuum_permittivity * vacuum_permeability * speed_of_light * speed_of_light, 1.0, 1e-15);
  EXPECT_NEAR(vacuum_impedance, 376.730313668, 1e-8);
}

TEST(ComplexNumber, AgreesWithStd) {
  const Complex samples[] = {{3, 4}, {-3, 4}, {-3, -4}, {0, -2}, {1e-3, 5}, {-7, 0}};
  for (const Complex a : samples) {
    for (const Complex b : samples) {
      EXPECT_LT(std::abs(Complex(complex<double>(a) * complex<double>(b)) - a * b), 1e-14 * std::abs(a * b));
      EXPECT_LT(std::abs(Complex(complex<double>(a) / complex<double>(b)) - a / b), 1e-14 * std::abs(a / b));
    }
    EXPECT_LT(std::abs(Complex(sqrt(complex<double>(a))) - std::sqrt(a)), 1e-14 * std::abs(std::sqrt(a)));
    EXPECT_LT(std::abs(Complex(exp(complex<double>(a))) - std::exp(a)), 1e-14 * std::abs(std::exp(a)));
  }
}

/// On the lower half plane it is std::sqrt; across the negative real axis it continues as its Taylor series.
TEST(PassiveRoot, GoesOnAcrossTheNegativeRealAxis) {
  for (const Complex z : {Complex(4, 0), Complex(2, -1), Complex(0, -3), Complex(-4, -1e-3), Complex(1, 0.1)})
    EXPECT_EQ(passive_root(z), std::sqrt(z)) << z;
  EXPECT_EQ(passive_root({-4, 0.0}), Complex(0, -2));
  EXPECT_EQ(passive_root({-4, -0.0}), Complex(0, -2));
  const double h = 1e-3;  // sqrt(-4 + jh) = -2j (1 - jh/8) to h²/128
  EXPECT_LT(std::abs(passive_root({-4, h}) - Complex(0, -2) * Complex(1, -h / 8)), 2 * h * h / 120);
}

TEST(ComplexNumber, HasTheLayoutOfStd) {
  static_assert(sizeof(complex<double>) == sizeof(Complex) && sizeof(complex<float>) == sizeof(ComplexF));
  const Complex z{1, 2};
  complex<double> ours;
  std::memcpy(static_cast<void*>(&ours), &z, sizeof ours);
  EXPECT_EQ(ours, complex<double>(1, 2));
}

TEST(Vec3, CrossIsOrthogonalAndRightHanded) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, a{1, -2, 3}, b{4, 5, -6};
  EXPECT_EQ(cross(x, y), (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(dot(cross(a, b), a), 0);
}

TEST(Threads, RefuseMoreMemoryThanThereIs) {
  EXPECT_NO_THROW(require_memory(1024, "a test"));
  EXPECT_THROW(require_memory(std::numeric_limits<std::size_t>::max() / 2, "a test"), ResourceError);
  EXPECT_GT(peak_memory(), std::size_t(1) << 20);
  EXPECT_THROW(set_num_threads(-1), InputError);
  EXPECT_THROW(set_num_threads(100000), InputError);
}

TEST(Allocation, NamesWhatALimitForbids) {
  CURLEW_LIMITS_ADDRESS_SPACE();
  EXPECT_NO_THROW(require_allocation(1024, "a file"));
  const auto said = test::message_of<ResourceError>(
      [] { require_allocation(std::numeric_limits<std::size_t>::max() / 2, "a file"); });
  EXPECT_TRUE(said.starts_with("a file: out of memory")) << said;
}

TEST(DeviceChoice, KnowsThreeWords) {
  EXPECT_EQ(select_device("cpu"), Device::cpu);
  EXPECT_THROW(select_device("gpu"), InputError);
  if (device_info().name.empty()) {
    EXPECT_EQ(select_device("auto"), Device::cpu);
    const auto said = test::message_of<ResourceError>([] { select_device("cuda"); });
    EXPECT_TRUE(said.starts_with("--device cuda: ")) << said;
#ifdef CURLEW_HAVE_CUDA
    EXPECT_EQ(said.find("no NVIDIA driver") != said.npos,
              !std::filesystem::exists("/proc/driver/nvidia/version"))
        << said;
#else
    EXPECT_NE(said.find("curlew-em-cuda"), said.npos) << said;
#endif
  }
}

TEST(CoreShare, DividesTheCoresThatProcessesHaveInCommon) {
  const std::vector<int> all{0, 1, 2, 3, 4, 5, 6, 7}, first{0, 1, 2, 3}, second{4, 5, 6, 7};
  EXPECT_EQ(core_share({all}, 0), 8);
  EXPECT_EQ(core_share({all, all, all}, 1), 2);
  EXPECT_EQ(core_share({{0}, {1}}, 1), 1);
  const std::vector<std::vector<int>> by_socket{first, second, first, second};
  for (std::size_t p = 0; p < 4; ++p) EXPECT_EQ(core_share(by_socket, p), 2) << p;
  EXPECT_EQ(core_share({first, second, second}, 0), 4);
  EXPECT_EQ(core_share(std::vector<std::vector<int>>(20, first), 7), 1);
  EXPECT_EQ(core_share({{}}, 0), 1);
}

}  // namespace
}  // namespace curlew
