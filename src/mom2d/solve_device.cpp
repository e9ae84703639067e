// SPDX-License-Identifier: BSD-3-Clause
// The order of work on the GPU. Compiled with CUDA only.
#include <memory>

#include "base/cuda_device.hpp"
#include "base/timer.hpp"
#include "linalg/dense/device_lu.hpp"
#include "linalg/dense/device_panels.hpp"
#include "linalg/dense/device_shared.hpp"
#include "mom2d/device.hpp"

namespace curlew::mom2d {
namespace {

std::vector<Complex> solve_in_core(Solution& s, const NearList& near, const linalg::DensePlan& plan,
                                   bool with_condition) {
  const auto n = std::size_t(s.system.size), waves = s.phi.size();
  require_device_memory(plan.device_bytes, "the matrix of mom2d and its factors");
  const DeviceSystem system(s.problem, s.system, s.nodes, near);
  cuda::Buffer<complex<double>> a(n * n), b(n * waves);
  linalg::DeviceLu lu(Offset(n), int(waves), plan.precision);

  Timer timer;
  system.fill(a.data());
  system.excite(s.phi, b.data());
  s.fill_seconds = timer.seconds();
  s.report = lu.solve(a.data(), b.data(), int(waves), with_condition);
  std::vector<Complex> x(n * waves);
  b.download(reinterpret_cast<complex<double>*>(x.data()));
  return x;
}

/// @param system on the current device, outlives it
linalg::FormColumns columns_of(const DeviceSystem& system) {
  return [&system](Offset first, Offset count, Complex* to) {
    system.fill_columns(first, count, reinterpret_cast<complex<double>*>(to));
    CURLEW_CUDA_CALL(cudaStreamSynchronize(cudaStreamLegacy));
  };
}

/// Panels are filled concurrently with products of others, which take longer.
std::vector<Complex> solve_by_panels(Solution& s, const NearList& near, const linalg::DensePlan& plan,
                                     bool with_condition) {
  const DeviceSystem system(s.problem, s.system, s.nodes, near);
  auto x = excitations(s.problem, s.system, s.nodes, s.phi);
  s.report = linalg::solve_formed(s.system.size, columns_of(system), x.data(), int(s.phi.size()), plan.layout,
                                  with_condition);
  return x;
}

/// Each GPU has the geometry and fills its own panels.
std::vector<Complex> solve_shared(Solution& s, const NearList& near, const linalg::DensePlan& plan,
                                  bool with_condition) {
  const auto devices = cuda::devices_from_current(plan.gpus);
  std::vector<std::unique_ptr<DeviceSystem>> systems;
  std::vector<linalg::FormColumns> forms;
  for (const int device : devices) {
    const cuda::CurrentDevice current(device);
    systems.push_back(std::make_unique<DeviceSystem>(s.problem, s.system, s.nodes, near));
    forms.push_back(columns_of(*systems.back()));
  }
  auto x = excitations(s.problem, s.system, s.nodes, s.phi);
  s.report = linalg::solve_on_devices(s.system.size, devices, std::move(forms), plan.layout.panel, x.data(),
                                      int(s.phi.size()), with_condition);
  return x;
}

}  // namespace

std::vector<Complex> solve_on_device(Solution& s, const NearList& near, const linalg::DensePlan& plan,
                                     bool with_condition) {
  if (plan.place == linalg::DensePlace::shared) return solve_shared(s, near, plan, with_condition);
  return plan.place == linalg::DensePlace::device ? solve_in_core(s, near, plan, with_condition)
                                                  : solve_by_panels(s, near, plan, with_condition);
}

}  // namespace curlew::mom2d
