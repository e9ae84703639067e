// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/gpu_start.hpp"

#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "curlew/build.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/direct/cudss.hpp"
#endif

namespace curlew::linalg {
namespace {

#ifdef CURLEW_HAVE_CUDA
/// Kernels are loaded when they are called for the first time: a small system calls those of all phases.
void solve_small_system() {
  constexpr Index n = 200, reach = 14, columns = 4;
  Coo<Complex> entries{n, n, {}, {}, {}};
  for (Index i = 0; i < n; ++i) {
    entries.add(i, i, 6);
    for (const Index j : {i - reach, i - 1, i + 1, i + reach})
      if (j >= 0 && j < n) entries.add(i, j, -1);
  }
  const auto a = to_csr(entries);
  std::vector<Complex> x(std::size_t(n) * columns, 1.0);
  const auto solver = make_cudss({});
  solver->analyse(a);
  for (int frequency = 0; frequency < 2; ++frequency) solver->factor(a);
  solver->solve(x.data(), columns);
}
#endif

}  // namespace

std::jthread start_gpu_solver(Device device) {
#ifdef CURLEW_HAVE_CUDA
  if (device == Device::cuda)
    return std::jthread([] {
      try {
        if (!device_info().name.empty() && has_cudss()) solve_small_system();
      } catch (const std::exception& e) {  // the code that needs the GPU reports the fault
        log::debug("start of the GPU: {}", e.what());
      }
    });
#endif
  static_cast<void>(device);
  return {};
}

}  // namespace curlew::linalg
