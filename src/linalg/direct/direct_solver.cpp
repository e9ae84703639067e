// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/direct_solver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "curlew/build.hpp"
#include "linalg/direct/mumps.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/direct/cudss.hpp"
#endif

extern "C" {
char* openblas_get_config();
char* openblas_get_corename();
int openblas_get_num_threads();
}

namespace curlew::linalg {
namespace {

constexpr std::array<std::pair<Ordering, const char*>, 5> ordering_names{{{Ordering::automatic, "automatic"},
                                                                          {Ordering::amd, "amd"},
                                                                          {Ordering::pord, "pord"},
                                                                          {Ordering::scotch, "scotch"},
                                                                          {Ordering::metis, "metis"}}};
constexpr double doubtful_residual = 1e-9, useless_residual = 1e-6;

template <class T>
double solve_and_correct(DirectSolver<T>& solver, const Csr<T>& a, const T* b, T* x, Index num_rhs,
                         int max_steps, double tolerance) {
  const Index n = a.num_rows;
  const Offset count = Offset(n) * num_rhs;
  std::copy(b, b + count, x);
  solver.solve(x, num_rhs);
  double residual = relative_residual(a, x, b, num_rhs);
  std::vector<T> correction, trial;
  for (int step = 0; step < max_steps && residual > tolerance; ++step) {
    correction.resize(count);
    multiply(a, x, correction.data(), num_rhs);
    for (Offset i = 0; i < count; ++i) correction[i] = b[i] - correction[i];
    solver.solve(correction.data(), num_rhs);
    for (Offset i = 0; i < count; ++i) correction[i] += x[i];
    const double corrected = relative_residual(a, correction.data(), b, num_rhs);
    if (!(corrected < residual)) break;  // stagnates at rounding: keep the better one
    std::copy(correction.begin(), correction.end(), x);
    residual = corrected;
  }
  return residual;
}

}  // namespace

Ordering ordering_from(const std::string& name) {
  for (const auto& [ordering, known] : ordering_names) {
    if (name == known) return ordering;
  }
  throw InputError(fmt::format("ordering \"{}\" is not known (automatic, amd, pord, scotch, metis)", name));
}

const char* name_of(Ordering ordering) {
  for (const auto& [known, name] : ordering_names) {
    if (ordering == known) return name;
  }
  return "unknown";
}

template <class T>
std::unique_ptr<DirectSolver<T>> make_direct_solver(const DirectOptions& options, Device device) {
  if (!(options.pivot_threshold >= 0 && options.pivot_threshold <= 0.5))
    throw InputError(fmt::format("pivot threshold {}: must be within 0..0.5", options.pivot_threshold));
  if (options.rhs_block < 1)
    throw InputError(fmt::format("block of right-hand sides {}: must be positive", options.rhs_block));
  if (options.gpus < 1) throw InputError(fmt::format("number of GPUs {}: must be positive", options.gpus));
  if (device == Device::cuda) {
#ifdef CURLEW_HAVE_CUDA
    if constexpr (std::is_same_v<T, Complex>) return make_cudss(options);
#endif
    throw ResourceError("there is no sparse direct solver for the GPU in this build: choose the CPU");
  }
  return make_mumps<T>(options);
}

template <class T>
double solve_refined(DirectSolver<T>& solver, const Csr<T>& a, const T* b, T* x, Index num_rhs, int max_steps,
                     double tolerance) {
  double residual = std::numeric_limits<double>::infinity();
  std::exception_ptr failure;
  try {
    residual = solve_and_correct(solver, a, b, x, num_rhs, max_steps, tolerance);
  } catch (const NumericalError&) {  // nothing finite came out
    failure = std::current_exception();
  }
  if (!(residual <= doubtful_residual) && solver.require_pivoting()) {
    solver.factor(a);
    residual = solve_and_correct(solver, a, b, x, num_rhs, max_steps, tolerance);
  } else if (failure) {
    std::rethrow_exception(failure);
  }
  if (!(residual <= useless_residual))
    throw NumericalError(
        fmt::format("direct solver: relative residual {:.1e} after refinement; the matrix is singular "
                    "to working precision",
                    residual));
  return residual;
}

std::string blas_description() {
  const std::string config = openblas_get_config();
  const auto version = config.substr(0, config.find(' ', config.find(' ') + 1));
  const char* forced = std::getenv("OPENBLAS_CORETYPE");
  return fmt::format(
      "{} {}, {} threads{}", version, openblas_get_corename(), openblas_get_num_threads(),
      forced != nullptr ? fmt::format(" (core type forced by OPENBLAS_CORETYPE={})", forced) : "");
}

#define CURLEW_INSTANTIATE_DIRECT(T)                                                          \
  template std::unique_ptr<DirectSolver<T>> make_direct_solver(const DirectOptions&, Device); \
  template double solve_refined(DirectSolver<T>&, const Csr<T>&, const T*, T*, Index, int, double);
CURLEW_INSTANTIATE_DIRECT(Complex)
CURLEW_INSTANTIATE_DIRECT(double)

}  // namespace curlew::linalg
