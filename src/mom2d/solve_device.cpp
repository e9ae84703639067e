// SPDX-License-Identifier: BSD-3-Clause
// The order of work on the GPU. Compiled with CUDA only.
#include "base/cuda.hpp"
#include "base/timer.hpp"
#include "linalg/dense/device_lu.hpp"
#include "mom2d/device.hpp"

namespace curlew::mom2d {

std::vector<Complex> solve_on_device(Solution& s, const NearList& near, const SolveOptions& options) {
  const auto n = std::size_t(s.system.size), waves = s.phi.size();
  const std::size_t bytes = n * n * sizeof(Complex) + n * waves * sizeof(Complex) +
                            linalg::DeviceLu::workspace_bytes(Offset(n), int(waves), options.precision);
  require_device_memory(bytes, "the matrix of mom2d and its factors");
  const DeviceSystem system(s.problem, s.system, s.nodes, near);
  cuda::Buffer<complex<double>> a(n * n), b(n * waves);
  linalg::DeviceLu lu(Offset(n), int(waves), options.precision);

  Timer timer;
  system.fill(a.data());
  system.excite(s.phi, b.data());
  s.fill_seconds = timer.seconds();
  s.report = lu.solve(a.data(), b.data(), int(waves), options.with_condition);
  std::vector<Complex> x(n * waves);
  b.download(reinterpret_cast<complex<double>*>(x.data()));
  return x;
}

}  // namespace curlew::mom2d
