// SPDX-License-Identifier: BSD-3-Clause
// The Krylov methods on the GPU: the algorithm text of the *_loop.hpp files, compiled for the device.
#include "base/error.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/krylov/loop.hpp"
#include "linalg/vector/device_sweep.cuh"

namespace curlew::linalg {

template <class T>
DeviceKrylov<T>::DeviceKrylov(const DeviceOperator<T>& a, const DeviceOperator<T>* m,
                              const KrylovOptions& options) {
  check(options);
  if (m != nullptr && m->size() != a.size())
    throw InputError("Krylov: preconditioner and matrix differ in size");
  require_device_memory(std::size_t(krylov_vectors(options)) * a.size() * sizeof(T), name_of(options.method));
  backend_ = std::make_unique<DeviceBackend>();
  loop_ = std::make_unique<KrylovLoop<DeviceBackend, decltype(T::re)>>(*backend_, a, m, options);
}

template <class T>
DeviceKrylov<T>::~DeviceKrylov() = default;

template <class T>
KrylovReport DeviceKrylov<T>::solve(const T* b, T* x) {
  return loop_->solve(b, x);
}

template <class T>
void DeviceKrylov<T>::set_tolerance(double tolerance) {
  loop_->set_tolerance(tolerance);
}

template <class T>
void DeviceKrylov<T>::forget() {
  loop_->forget();
}

template <class T>
std::vector<KrylovReport> DeviceKrylov<T>::solve(const T* b, T* x, Index num_rhs) {
  std::vector<KrylovReport> reports;
  for (Index k = 0; k < num_rhs; ++k) {
    reports.push_back(solve(b, x));
    b += loop_->size(), x += loop_->size();
  }
  return reports;
}

template class DeviceKrylov<complex<double>>;
template class DeviceKrylov<complex<float>>;

}  // namespace curlew::linalg
