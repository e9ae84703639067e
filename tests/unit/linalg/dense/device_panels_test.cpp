// SPDX-License-Identifier: BSD-3-Clause
// The factorisation by panels on the GPU, the matrix in the host's memory, against LAPACK on the host.

#include "linalg/dense/device_panels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "base/cuda.hpp"
#include "base/device.hpp"
#include "base/error.hpp"
#include "linalg/dense/dense_plan.hpp"
#include "linalg/dense/device_dense.cuh"
#include "linalg/dense/device_shared.hpp"
#include "linalg/dense/device_upload.hpp"
#include "needs_gpu.hpp"
#include "random_matrix.hpp"

namespace curlew::linalg {
namespace {

TEST(DevicePanels, ReachTheSolutionAndTheConditionOfLapack) {
  CURLEW_NEEDS_GPU();
  // One panel, many without and with rests, and panels wider than the pieces of a transfer.
  std::vector<std::pair<Offset, PanelLayout>> divisions{
      {50, {64, 64}}, {768, {128, 64}}, {1001, {128, 64}}, {1501, {512, 128}}, {3001, {1024, 512}}};
  if (wants_small_cases()) divisions.resize(2);
  for (const auto& [n, layout] : divisions) {
    auto a = random_matrix(n, 3), again = copy_of(a);
    auto x = right_sides(a, 3), y = x;
    const auto report = solve_out_of_core(a, x.data(), 3, layout, true);
    const auto known = solve_dense(again, y.data(), 3, LuPrecision::full);
    EXPECT_LT(error_of(x, n), 1e-9) << n;
    EXPECT_LT(report.residual, 1e-12) << n;
    EXPECT_NEAR(report.condition, known.condition, 1e-6 * known.condition) << n;
  }
}

TEST(DeviceSums, OfColumnsAgreeWithTheHost) {
  CURLEW_NEEDS_GPU();
  for (const Offset n : {5, 31, 32, 33, 255, 256, 257, 1000}) {
    constexpr int columns = 5;
    const auto a = random_matrix(n, 3);
    cuda::Buffer<complex<double>> device(std::size_t(n * columns));
    device.upload(reinterpret_cast<const complex<double>*>(a.data()));
    cuda::Buffer<double> sums(columns);
    for (const int power : {1, 2}) {
      const auto found = column_sums(device.data(), n, columns, power, sums.data());
      for (Offset c = 0; c < columns; ++c) {
        double known = 0;
        for (Offset i = 0; i < n; ++i) known += std::pow(std::abs(a(i, c)), power);
        EXPECT_NEAR(found[std::size_t(c)], known, 1e-13 * known) << n << " " << c << " " << power;
      }
    }
  }
}

/// Forms columns on the device out of a matrix on the host.
FormColumns columns_on_device(const DenseMatrix& a) {
  return [&a](Offset first, Offset count, Complex* to) {
    const std::size_t bytes = std::size_t(a.rows() * count) * sizeof(Complex);
    CURLEW_CUDA_CALL(cudaMemcpy(to, a.column(first), bytes, cudaMemcpyHostToDevice));
    CURLEW_CUDA_CALL(cudaStreamSynchronize(cudaStreamLegacy));
  };
}

TEST(DevicePanels, StayOnTheDeviceAsManyAsAskedFor) {
  CURLEW_NEEDS_GPU();
  // No panel, some, all but the last, all; with and without a rest.
  const bool small = wants_small_cases();
  for (const Offset n : small ? std::vector<Offset>{90} : std::vector<Offset>{1501, 1536}) {
    const auto matrix = random_matrix(n, 3);
    auto again = copy_of(matrix);
    const auto b = right_sides(matrix, 3);
    auto y = b;
    const auto known = solve_dense(again, y.data(), 3, LuPrecision::full);
    for (const int resident : small ? std::vector{0, 2} : std::vector{0, 1, 3, 11, 12}) {
      const PanelLayout layout{small ? 32 : 128, small ? 16 : 64, resident};
      auto x = b, z = b;
      const auto formed = solve_formed(n, columns_on_device(matrix), x.data(), 3, layout, true);
      auto a = copy_of(matrix);
      const auto given = solve_out_of_core(a, z.data(), 3, layout, true);
      EXPECT_LT(error_of(x, n), 1e-9) << n << " " << resident;
      EXPECT_LT(error_of(z, n), 1e-9) << n << " " << resident;
      for (const auto& report : {formed, given}) {
        EXPECT_LT(report.residual, 1e-12) << n << " " << resident;
        EXPECT_NEAR(report.condition, known.condition, 1e-6 * known.condition) << n << " " << resident;
      }
    }
  }
}

/// Members on one device.
TEST(DeviceShared, ReachesTheSolutionAndTheConditionOfLapack) {
  CURLEW_NEEDS_GPU();
  const bool small = wants_small_cases();
  for (const Offset n : small ? std::vector<Offset>{30, 150} : std::vector<Offset>{50, 1001, 3001}) {
    const auto matrix = random_matrix(n, 0);
    auto again = copy_of(matrix);
    const auto b = right_sides(matrix, 3);
    auto y = b;
    const auto known = solve_dense(again, y.data(), 3, LuPrecision::full);
    for (int members = 1; members <= 3; ++members) {
      const std::vector<FormColumns> forms(std::size_t(members), columns_on_device(matrix));
      auto x = b;
      const auto report = solve_on_devices(n, std::vector<int>(std::size_t(members), 0), forms,
                                           small ? 16 : 64, x.data(), 3, true);
      EXPECT_LT(error_of(x, n), 1e-8) << n << " " << members;
      EXPECT_LT(report.residual, 1e-11) << n << " " << members;
      EXPECT_NEAR(report.condition, known.condition, 1e-6 * known.condition) << n << " " << members;
    }
  }
}

/// The message of a unit matrix of 600 rows with a zero at row 334.
template <class Solve>
void expect_zero_pivot(const Solve& solve) {
  DenseMatrix a(600, 600);
  for (Offset j = 0; j < 600; ++j)
    for (Offset i = 0; i < 600; ++i) a(i, j) = i == j && i != 333 ? 1.0 : 0.0;
  std::vector<Complex> b(600, 1.0);
  try {
    solve(a, b.data());
    FAIL();
  } catch (const NumericalError& e) {
    EXPECT_STREQ(e.what(), "the matrix is singular: pivot 334 of 600 is zero");
  }
}

TEST(DeviceShared, NamesTheZeroPivot) {
  CURLEW_NEEDS_GPU();
  expect_zero_pivot([](DenseMatrix& a, Complex* b) {
    solve_on_devices(600, {0, 0}, {columns_on_device(a), columns_on_device(a)}, 64, b, 1, false);
  });
}

TEST(DeviceLibraries, FailuresAreTheMachinesUnlessTheCallIsWrong) {
  EXPECT_NO_THROW(check(CUBLAS_STATUS_SUCCESS, "gemm"));
  EXPECT_NO_THROW(check(CUSOLVER_STATUS_SUCCESS, "getrf"));
  EXPECT_THROW(check(CUBLAS_STATUS_ALLOC_FAILED, "gemm"), ResourceError);
  EXPECT_THROW(check(CUBLAS_STATUS_NOT_INITIALIZED, "create"), ResourceError);  // no memory for the library
  EXPECT_THROW(check(CUSOLVER_STATUS_ALLOC_FAILED, "create"), ResourceError);
  EXPECT_THROW(check(CUSOLVER_STATUS_INTERNAL_ERROR, "getrf"), ResourceError);
  EXPECT_THROW(check(CUBLAS_STATUS_INVALID_VALUE, "gemm"), NumericalError);
  EXPECT_THROW(check(CUSOLVER_STATUS_INVALID_VALUE, "getrf"), NumericalError);
}

TEST(DeviceLibraries, AreFoundAndSayWhenThereIsNoCard) {
  if (num_devices() == 0) {
    EXPECT_THROW(DenseHandles(), ResourceError);
  } else {
    EXPECT_NO_THROW(DenseHandles());
  }
  for (const char* name : {"cublasZgemm_v2", "cublasGemmEx", "cublasCtrsm_v2"})
    EXPECT_NE(device_function(DeviceLibrary::cublas, name), nullptr);
  for (const char* name : {"cusolverDnZgetrf", "cusolverDnCgetrs"})
    EXPECT_NE(device_function(DeviceLibrary::cusolver, name), nullptr);
  EXPECT_THROW(device_function(DeviceLibrary::cublas, "no_such_function"), ResourceError);
}

TEST(DevicePanels, AreChosenWhereTheMemoryIsLimited) {
  CURLEW_NEEDS_GPU();
  Offset n = 4001;  // 244 MiB
  const std::size_t limit = std::size_t(200) << 20;
  auto plan = plan_dense(n, 1, LuPrecision::automatic, Device::cuda, {limit}, EntriesMade::on_host);
  ASSERT_EQ(plan.place, DensePlace::out_of_core);
  EXPECT_LE(plan.device_bytes, limit);
  EXPECT_THROW(plan_dense(n, 1, LuPrecision::automatic, Device::cuda, {1 << 20}, EntriesMade::on_host),
               InputError);
  if (wants_small_cases()) n = 150, plan.layout = {64, 32, 0};  // libraries alone take more than it does
  auto a = random_matrix(n, 3);
  auto x = right_sides(a, 1);
  EXPECT_LT(solve_dense(plan, a, x.data(), 1, false).residual, 1e-12);
  EXPECT_LT(error_of(x, n), 1e-9);
}

TEST(DevicePanels, NameTheZeroPivot) {
  CURLEW_NEEDS_GPU();
  expect_zero_pivot([](DenseMatrix& a, Complex* b) { solve_out_of_core(a, b, 1, {128, 64}, false); });
}

TEST(DeviceUpload, BringsEveryEntry) {
  CURLEW_NEEDS_GPU();
  const auto a = random_matrix(2100, 0);  // 67 MiB, three pieces
  cuda::Buffer<complex<double>> device(std::size_t(2100 * 2100));
  upload(a, device.data());
  const auto back = device.to_host();
  for (std::size_t i = 0; i < back.size(); ++i) ASSERT_EQ(Complex(back[i].re, back[i].im), a.data()[i]) << i;
}

}  // namespace
}  // namespace curlew::linalg
