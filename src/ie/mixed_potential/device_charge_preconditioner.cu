// SPDX-License-Identifier: BSD-3-Clause
// One kernel per Chebyshev step; it reads the sparse matrix (12 bytes per entry) and five vectors.
#include "ie/mixed_potential/device_charge_preconditioner.hpp"

namespace curlew::ie {
namespace {

using Value = complex<double>;

/// One thread per row. The first step starts from r, d = 0 and z = 0 without reading them.
__global__ void chebyshev_step(Index n, const Offset* offsets, const Index* columns, const double* values,
                               const double* inverse_diagonal, double keep, double take, bool is_first,
                               const Value* r, Value* residual, const Value* d, Value* next, Value* z,
                               const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  const Index i = Index(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  Value left = is_first ? r[i] : residual[i];
  Value update;
  if (!is_first) {
    for (Offset j = offsets[i]; j < offsets[i + 1]; ++j) left -= values[j] * d[columns[j]];
    update = keep * d[i];
  }
  update += (take * inverse_diagonal[i]) * left;
  residual[i] = left;
  next[i] = update;
  z[i] = is_first ? update : z[i] + update;
}

}  // namespace

DeviceChargePreconditioner::DeviceChargePreconditioner(const ChargeMatrix& m)
    : offsets_(m.s.row_offsets),
      columns_(m.s.columns),
      values_(m.s.values),
      inverse_diagonal_(m.inverse_diagonal),
      steps_(chebyshev_steps(m)),
      residual_(m.inverse_diagonal.size()),
      d_(m.inverse_diagonal.size()),
      next_(m.inverse_diagonal.size()) {}

void DeviceChargePreconditioner::apply(const Value* r, Value* z, const linalg::DeviceQueue& queue) const {
  Value *d = d_.data(), *next = next_.data();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    chebyshev_step<<<unsigned((size() + 127) / 128), 128, 0, static_cast<cudaStream_t>(queue.stream)>>>(
        size(), offsets_.data(), columns_.data(), values_.data(), inverse_diagonal_.data(), steps_[i].keep,
        steps_[i].take, i == 0, r, residual_.data(), d, next, z, queue.skip);
    CURLEW_CHECK_LAUNCH("chebyshev_step");
    std::swap(d, next);
  }
}

}  // namespace curlew::ie
