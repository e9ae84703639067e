// SPDX-License-Identifier: BSD-3-Clause
// Products on the GPU against extended precision; skipped where there is none.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "curlew/build.hpp"
#ifdef CURLEW_HAVE_CUDA

#include "exact_product.hpp"
#include "linalg/sparse/device_matrix.hpp"
#include "needs_gpu.hpp"
#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

template <class T>
class DeviceFormats : public ::testing::Test {
 protected:
  using R = typename T::value_type;

  void SetUp() override { CURLEW_NEEDS_GPU(); }
  /// A x of a device matrix, into memory with arbitrary values.
  std::vector<T> product(const DeviceOperator<complex<R>>& a, const std::vector<T>& x, Index rows) {
    cuda::Buffer<complex<R>> device_x(x.size()), device_y(rows);
    device_x.upload(reinterpret_cast<const complex<R>*>(x.data()));
    std::vector<T> y(rows, T(99));
    device_y.upload(reinterpret_cast<const complex<R>*>(y.data()));
    a.apply(device_x.data(), device_y.data(), {});
    device_y.download(reinterpret_cast<complex<R>*>(y.data()));
    return y;
  }
};
using Precisions = ::testing::Types<Complex, ComplexF>;
TYPED_TEST_SUITE(DeviceFormats, Precisions);

TYPED_TEST(DeviceFormats, CompressedRows) {
  using T = TypeParam;
  for (const auto& [name, a] : testing::product_cases<T>()) {
    const auto x = testing::random_vector<T>(a.num_cols, 21);
    for (const int threads : {0, 1, 2, 4, 8, 16, 32}) {
      const auto y = this->product(DeviceCrs<typename T::value_type>(a, threads), x, a.num_rows);
      EXPECT_LE(error_in_ulps(exact_product(a, x), y), 50) << name << ", T = " << threads;
    }
  }
}

TYPED_TEST(DeviceFormats, EllFamily) {
  using T = TypeParam;
  for (const auto& [name, a] : testing::product_cases<T>()) {
    const auto x = testing::random_vector<T>(a.num_cols, 22);
    for (const EllKind kind :
         {EllKind::ell_r, EllKind::sliced_ell, EllKind::ellr_t, EllKind::sliced_ellr_t}) {
      for (const int threads : {1, 2, 4, 8, 16, 32}) {
        EllOptions o;
        o.kind = kind, o.threads_per_row = threads, o.slice_height = threads == 2 ? 7 : 16;
        o.sort_window = threads == 4 ? -1 : 0;
        const auto y = this->product(DeviceEll<typename T::value_type>(to_ell(a, o)), x, a.num_rows);
        EXPECT_LE(error_in_ulps(exact_product(a, x), y), 50) << name << ", " << name_of(kind);
      }
    }
  }
}

TYPED_TEST(DeviceFormats, Packed) {
  using T = TypeParam;
  using Real = typename T::value_type;
  for (const auto& [name, a] : testing::product_cases<T>()) {
    const auto x = testing::random_vector<T>(a.num_cols, 23);
    for (const int group : {1, 2, 3, 4, 6}) {
      for (const bool flag : {true, false}) {
        const PackOptions o{group, flag ? 4 : 16, flag ? 8 : 512, flag, flag};
        const auto y = this->product(DevicePacked<Real, Real>(pack<Real>(a, o)), x, a.num_rows);
        EXPECT_LE(error_in_ulps(exact_product(a, x), y), 50) << name << ", group " << group;
      }
    }
  }
}

TYPED_TEST(DeviceFormats, PaddingBringsNoInfinityFromOtherRows) {
  using T = TypeParam;
  using Real = typename T::value_type;
  const Csr<T> a = testing::empty_rows<T>(101, 7);
  std::vector<T> x(std::size_t(a.num_cols), T(1));
  x[0] = std::numeric_limits<Real>::infinity();

  const auto y = this->product(DevicePacked<Real, Real>(pack<Real>(a)), x, a.num_rows);

  for (Index i = 1; i < a.num_rows; ++i) {
    bool reads_first = false;
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) reads_first |= a.columns[k] == 0;
    if (!reads_first) {
      EXPECT_TRUE(std::isfinite(y[i].real())) << i;
    }
  }
}

TYPED_TEST(DeviceFormats, SkipFlagLeavesTheResultAlone) {
  using T = TypeParam;
  using Real = typename T::value_type;
  const auto a = testing::random_matrix<T>(50, 50, 3, 1);
  const auto x = testing::random_vector<T>(50, 24);
  cuda::Buffer<complex<Real>> device_x(50), device_y(50);
  device_x.upload(reinterpret_cast<const complex<Real>*>(x.data()));
  device_y.upload(reinterpret_cast<const complex<Real>*>(x.data()));
  cuda::Buffer<int> skip(std::vector<int>{1});

  DevicePacked<Real, Real>(pack<Real>(a)).apply(device_x.data(), device_y.data(), {nullptr, skip.data()});
  DeviceCrs<Real>(a).apply(device_x.data(), device_y.data(), {nullptr, skip.data()});
  DeviceEll<Real>(to_ell(a, {})).apply(device_x.data(), device_y.data(), {nullptr, skip.data()});

  std::vector<T> y(50);
  device_y.download(reinterpret_cast<complex<Real>*>(y.data()));
  EXPECT_EQ(x, y);
}

TEST(DevicePackedTest, ManyColumnsAndSinglePrecisionValues) {
  CURLEW_NEEDS_GPU();
  const auto a = testing::fem_like<Complex>(100, 5);
  const Index n = a.num_rows, columns = 5;
  const auto x = testing::random_vector<Complex>(n * columns, 25);
  const DevicePacked<double, double> full(pack<double>(a));
  const DevicePacked<float, double> half(pack<float>(a));
  cuda::Buffer<complex<double>> device_x(n * columns), device_y(n * columns);
  device_x.upload(reinterpret_cast<const complex<double>*>(x.data()));
  std::vector<Complex> y(n * columns), z(n * columns);

  full.apply_many(device_x.data(), n, device_y.data(), n, columns, {});
  device_y.download(reinterpret_cast<complex<double>*>(y.data()));
  half.apply_many(device_x.data(), n, device_y.data(), n, columns, {});
  device_y.download(reinterpret_cast<complex<double>*>(z.data()));

  for (Index k = 0; k < columns; ++k) {
    const std::vector<Complex> xk(x.begin() + k * n, x.begin() + (k + 1) * n);
    const std::vector<Complex> yk(y.begin() + k * n, y.begin() + (k + 1) * n);
    const std::vector<Complex> zk(z.begin() + k * n, z.begin() + (k + 1) * n);
    const auto reference = exact_product(a, xk);
    EXPECT_LE(error_in_ulps(reference, yk), 50) << "column " << k;
    EXPECT_LE(error_in_ulps(reference, zk), 6e-8 / 2.2e-16) << "column " << k;
  }
}

}  // namespace
}  // namespace curlew::linalg

#endif
