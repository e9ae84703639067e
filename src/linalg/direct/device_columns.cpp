// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/device_columns.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/transfer_seconds.hpp"
#include "linalg/vector/level1.hpp"

namespace curlew::linalg {
namespace {

double largest_modulus(const Complex* v, Index n) {
  double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(v[i]));
  return largest;
}

}  // namespace

DeviceColumns::DeviceColumns(CudssSolver& solver, const DeviceResidual& residual, const Z* values, Index n,
                             Index count, const Complex* b, Complex* x)
    : solver_(solver),
      residual_(residual),
      values_(values),
      n_(n),
      count_(count),
      host_b_(b),
      host_x_(x),
      b_(std::size_t(n) * std::size_t(count)),
      x_(b_.size()),
      r_(b_.size()),
      norms_(std::size_t(count)) {}

std::size_t DeviceColumns::bytes(Index n, Index count) {
  return 5 * std::size_t(n) * std::size_t(count) * sizeof(Z);
}

std::vector<double> DeviceColumns::norms(const cuda::Buffer<Z>& columns) {
  for (Index c = 0; c < count_; ++c) norm(backend_, n_, columns.data() + Offset(c) * n_, norms_.data() + c);
  backend_.wait();
  return norms_.to_host();
}

void DeviceColumns::find_residual(const cuda::Buffer<Z>& x, cuda::Buffer<Z>& r, double* residuals) {
  residual_.subtract(values_, b_.data(), x.data(), r.data(), count_, backend_.stream());
  const auto lengths = norms(r);
  for (std::size_t c = 0; c < lengths.size(); ++c) residuals[c] = lengths[c] / sizes_[c];
}

void DeviceColumns::solve(const cuda::Buffer<Z>& b, cuda::Buffer<Z>& x) {
  solver_.solve_on_device(b.data(), n_, x.data(), n_, count_, backend_.stream());
}

void DeviceColumns::start(double* residuals) {
  {
    const TransferTimer timer;
    b_.upload(reinterpret_cast<const Z*>(host_b_));
  }
  sizes_ = norms(b_);
  for (double& size : sizes_) size = size > 0 ? size : 1;
  solve(b_, x_);
  for (const double length : norms(x_))
    if (!std::isfinite(length))
      throw NumericalError("direct solver: the solution is not finite; the matrix is singular");
  find_residual(x_, r_, residuals);
}

void DeviceColumns::try_correction(double* residuals, double* corrections) {
  if (trial_.size() == 0) trial_ = cuda::Buffer<Z>(b_.size()), trial_r_ = cuda::Buffer<Z>(b_.size());
  solve(r_, trial_);
  const auto lengths = norms(x_), changes = norms(trial_);
  for (std::size_t c = 0; c < lengths.size(); ++c)
    corrections[c] = lengths[c] > 0 ? changes[c] / lengths[c] : 0;
  axpy(backend_, Offset(b_.size()), Sum(1), x_.data(), trial_.data());
  find_residual(trial_, trial_r_, residuals);
}

void DeviceColumns::take(Index column) {
  backend_.copy(n_, at(trial_, column), at(x_, column));
  backend_.copy(n_, at(trial_r_, column), at(r_, column));
}

LargestOfColumn DeviceColumns::largest(Index column) const {
  std::vector<Complex> r(static_cast<std::size_t>(n_));
  CURLEW_CUDA_CALL(
      cudaMemcpy(r.data(), r_.data() + Offset(column) * n_, r.size() * sizeof(Complex), cudaMemcpyDefault));
  const Offset first = Offset(column) * n_;
  return {largest_modulus(host_x_ + first, n_), largest_modulus(host_b_ + first, n_),
          largest_modulus(r.data(), n_)};
}

void DeviceColumns::finish() {
  backend_.wait();
  const TransferTimer timer;
  x_.download(reinterpret_cast<Z*>(host_x_));
}

}  // namespace curlew::linalg
