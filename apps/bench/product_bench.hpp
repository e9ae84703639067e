// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One matrix on the GPU: products are checked against extended precision, then timed. For builds with CUDA.

#include <string>
#include <vector>

#include "bench/device_timing.hpp"
#include "bench/spmv_parts.hpp"
#include "linalg/linear_operator.hpp"
#include "linalg/sparse/ell.hpp"

namespace curlew::bench {

struct Measured {
  std::string name;
  double bytes = 0, cold = 0, warm = 0;
  double error = 0;  ///< largest of a row, in ulps of the row of |A| |x|
};

/// x, y and the exact product of one matrix on the device. R is double or float.
template <class R>
class ProductBench {
 public:
  ProductBench(const linalg::Csr<std::complex<R>>& a, int repeat)
      : timer_(repeat), x_(std::size_t(a.num_cols)), y_(std::size_t(a.num_rows)) {
    const auto x = product_vector<R>(a.num_cols);
    exact_ = linalg::exact_product(a, x);
    x_.upload(reinterpret_cast<const complex<R>*>(x.data()));
  }

  /// @param ulps largest error allowed
  Measured measure(const std::string& name, const linalg::DeviceOperator<complex<R>>& product, double bytes,
                   double ulps = product_ulps) {
    const double error = verify(name, product, ulps);
    const auto call = [&] { product.apply(x_.data(), y_.data(), {}); };
    return {name, bytes, timer_.cold(call), timer_.warm(call), error};
  }
  /// By a graph on a separate stream, for products of many kernels.
  Measured measure_recorded(const std::string& name, const linalg::DeviceOperator<complex<R>>& product,
                            double bytes) {
    const double error = verify(name, product, product_ulps);
    const RecordedCall call([&](cudaStream_t stream) {
      product.apply(x_.data(), y_.data(), {stream, nullptr});
    });
    return {name, bytes, timer_.cold(call, call.stream()), timer_.warm(call, 20, call.stream()), error};
  }
  DeviceTimer& timer() { return timer_; }
  const complex<R>* x() const { return x_.data(); }

 private:
  double verify(const std::string& name, const linalg::DeviceOperator<complex<R>>& product, double ulps) {
    CURLEW_CUDA_CALL(cudaMemset(y_.data(), 0xff, y_.bytes()));
    product.apply(x_.data(), y_.data(), {});
    std::vector<std::complex<R>> y(y_.size());
    y_.download(reinterpret_cast<complex<R>*>(y.data()));
    return check_product(name, exact_, y, ulps);
  }

  DeviceTimer timer_;
  cuda::Buffer<complex<R>> x_, y_;
  linalg::ExactProduct exact_;
};

}  // namespace curlew::bench
