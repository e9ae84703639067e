// SPDX-License-Identifier: BSD-3-Clause
// cuDSS where it is present: factors in the memory of the host.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "curlew/build.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "test_matrices.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/direct/cudss.hpp"
#endif

namespace curlew::linalg {
namespace {

bool is_present() {
#ifdef CURLEW_HAVE_CUDA
  return has_cudss();
#else
  return false;
#endif
}

TEST(Cudss, HybridMemorySolvesWithLessOfTheGpu) {
  if (!is_present()) GTEST_SKIP() << "no GPU or no cuDSS";
  const auto a = helmholtz_like(36, 2);
  const auto b = random_vector(std::size_t(a.num_rows));
  std::vector<Complex> x(b.size());
  DirectOptions o;
  const auto solve = [&] {
    const auto solver = make_direct_solver<Complex>(o, Device::cuda);
    solver->analyse(a);
    solver->factor(a);
    EXPECT_LT(solve_refined(*solver, a, b.data(), x.data()), 1e-11);
    solver->factor(a);  // once more, as at the next frequency
    EXPECT_LT(solve_refined(*solver, a, b.data(), x.data()), 1e-11);
    return solver->info().factor_bytes;
  };
  const std::size_t whole = solve();
  o.hybrid_memory = true;
  solve();
  o.device_memory = whole / 10 * 8;
  EXPECT_LE(solve(), o.device_memory);
}

TEST(Cudss, TooLittleOfTheGpuIsSaidBeforeFactoring) {
  if (!is_present()) GTEST_SKIP() << "no GPU or no cuDSS";
  DirectOptions o;
  o.hybrid_memory = true, o.device_memory = 1000;
  const auto solver = make_direct_solver<Complex>(o, Device::cuda);
  EXPECT_THROW(solver->analyse(helmholtz_like(20, 1)), ResourceError);
}

}  // namespace
}  // namespace curlew::linalg
