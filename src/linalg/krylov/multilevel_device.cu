// SPDX-License-Identifier: BSD-3-Clause
// The p-multilevel cycle on the GPU: products of packed blocks (values in single precision) and sweeps, all
// on the stream of the caller.
#include "linalg/krylov/device_gauss_seidel.hpp"
#include "linalg/krylov/multilevel_cycle.hpp"
#include "linalg/sparse/device_matrix.hpp"
#include "linalg/vector/device_sweep.cuh"

namespace curlew::linalg {

template <class T>
DeviceMultilevel<T>::DeviceMultilevel(const Csr<std::complex<R>>& a, const std::vector<Index>& offsets,
                                      const DeviceOperator<T>& coarse, const MultilevelOptions& options)
    : coarse_(coarse), backend_(std::make_unique<DeviceBackend>()) {
  check_multilevel(a.num_rows, a.num_cols, offsets, coarse.size(), options);
  cycle_ = std::make_unique<MultilevelCycle<DeviceBackend, R>>(
      *backend_, a, offsets, coarse, options,
      [](const Csr<std::complex<R>>& b) { return std::make_unique<DevicePacked<float, R>>(pack<float>(b)); },
      [backend = backend_.get()](const Csr<std::complex<R>>& b) {
        auto smoother = std::make_shared<DeviceGaussSeidel<R>>(colour_rows(b));
        return [smoother, backend](bool forward, Columns<const T> r, Columns<T> z, Index n) {
          smoother->sweep(forward, r.data, r.stride, z.data, z.stride, n, backend->queue());
        };
      });
  backend_->wait();
}

template <class T>
DeviceMultilevel<T>::~DeviceMultilevel() = default;

template <class T>
Index DeviceMultilevel<T>::size() const {
  return cycle_->size();
}

template <class T>
void DeviceMultilevel<T>::apply_many(const T* r, Offset ldr, T* z, Offset ldz, Index n,
                                     const DeviceQueue& queue) const {
  const DeviceBackend::Guest guest(*backend_, queue);
  cycle_->apply({r, ldr}, {z, ldz}, n);
}

template class DeviceMultilevel<complex<double>>;
template class DeviceMultilevel<complex<float>>;

}  // namespace curlew::linalg
