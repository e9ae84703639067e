// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/arpack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "base/error.hpp"

// arpack.hpp includes C's <complex.h>, whose macro I would break other headers: it is included last.
#include <arpack/arpack.hpp>

namespace curlew::linalg {
namespace {

constexpr int ido_start = -1, ido_operator = 1, ido_inner_product = 2, ido_done = 99;

/// The same start vector in every run; ARPACK's default depends on earlier calls.
template <class T>
std::vector<T> start_vector(Index n) {
  std::mt19937 random(20011);
  std::vector<T> v(n);
  for (T& value : v) value = double(random()) / 4294967296.0 - 0.5;
  return v;
}

std::array<a_int, 11> parameters(const ArpackSettings& settings, int mode) {
  std::array<a_int, 11> p{};
  p[0] = 1;  // exact shifts
  p[2] = settings.max_restarts;
  p[3] = 1;
  p[6] = mode;
  return p;
}

void check_status(int status, int converged, const ArpackSettings& settings, const char* routine) {
  if (status == 0 || status == 1) {
    if (converged >= settings.least) return;
    throw NumericalError(
        fmt::format("eigensolver: {} of {} eigenpairs converged in {} restarts of {} vectors; a target "
                    "nearer to them or a larger subspace helps",
                    converged, settings.count, settings.max_restarts, settings.subspace));
  }
  throw NumericalError(fmt::format("eigensolver: ARPACK's {} failed with status {}", routine, status));
}

}  // namespace

ArpackResult<double> lanczos(const ArpackSettings& s, const Apply<double>& op,
                             const Apply<double>& inner_product) {
  const a_int n = s.size, lworkl = s.subspace * (s.subspace + 8);
  const auto which =
      s.wanted == Wanted::real_part ? arpack::which::largest_algebraic : arpack::which::largest_magnitude;
  auto parameter = parameters(s, 3);  // any operator that is self-adjoint by B
  std::array<a_int, 14> pointer{};
  std::vector<double> residual = start_vector<double>(n), basis(std::size_t(n) * s.subspace),
                      work(3 * std::size_t(n)), work_l(lworkl);
  a_int ido = 0, info = 1;
  while (true) {
    arpack::saupd(ido, arpack::bmat::generalized, n, which, s.count, s.tolerance, residual.data(), s.subspace,
                  basis.data(), n, parameter.data(), pointer.data(), work.data(), work_l.data(), lworkl,
                  info);
    double* x = work.data() + pointer[0] - 1;
    double* y = work.data() + pointer[1] - 1;
    if (ido == ido_done) break;
    check_interrupt();
    if (ido == ido_inner_product) inner_product(x, y);
    if (ido == ido_start || ido == ido_operator) op(x, y);
  }
  check_status(info, parameter[4], s, "dsaupd");
  ArpackResult<double> result;
  result.vectors.resize(std::size_t(n) * s.count);
  std::vector<double> values(s.count);
  std::vector<a_int> select(s.subspace, 1);
  arpack::seupd(1, arpack::howmny::ritz_vectors, select.data(), values.data(), result.vectors.data(), n, 0.0,
                arpack::bmat::generalized, n, which, s.count, s.tolerance, residual.data(), s.subspace,
                basis.data(), n, parameter.data(), pointer.data(), work.data(), work_l.data(), lworkl, info);
  const int converged = parameter[4];
  check_status(info, converged, s, "dseupd");
  values.resize(std::size_t(converged)), result.vectors.resize(std::size_t(n) * converged);
  for (const double value : values) result.values.push_back(1 / value);  // mode 3 at shift 0 inverted them
  return result;
}

namespace {

/// The type of the C interface.
double _Complex* as_c(Complex* values) {
  return reinterpret_cast<double _Complex*>(values);
}

}  // namespace

// The C interface: the enumeration of the C++ one lacks the largest real part.
ArpackResult<Complex> arnoldi(const ArpackSettings& s, const Apply<Complex>& op) {
  const a_int n = s.size, lworkl = s.subspace * (3 * s.subspace + 5);
  const char* which = s.wanted == Wanted::real_part ? "LR" : "LM";
  auto parameter = parameters(s, 1);
  std::array<a_int, 14> pointer{};
  std::vector<Complex> residual = start_vector<Complex>(n), basis(std::size_t(n) * s.subspace),
                       work(3 * std::size_t(n)), work_l(lworkl), work_ev(2 * s.subspace);
  std::vector<double> work_r(s.subspace);
  a_int ido = 0, info = 1;
  while (true) {
    arpack::internal::znaupd_c(&ido, "I", n, which, s.count, s.tolerance, as_c(residual.data()), s.subspace,
                               as_c(basis.data()), n, parameter.data(), pointer.data(), as_c(work.data()),
                               as_c(work_l.data()), lworkl, work_r.data(), &info);
    if (ido == ido_done) break;
    check_interrupt();
    op(work.data() + pointer[0] - 1, work.data() + pointer[1] - 1);
  }
  check_status(info, parameter[4], s, "znaupd");
  ArpackResult<Complex> result;
  result.vectors.resize(std::size_t(n) * s.count);
  result.values.resize(s.count + 1);
  std::vector<a_int> select(s.subspace, 1);
  arpack::internal::zneupd_c(1, "A", select.data(), as_c(result.values.data()), as_c(result.vectors.data()),
                             n, 0.0, as_c(work_ev.data()), "I", n, which, s.count, s.tolerance,
                             as_c(residual.data()), s.subspace, as_c(basis.data()), n, parameter.data(),
                             pointer.data(), as_c(work.data()), as_c(work_l.data()), lworkl, work_r.data(),
                             &info);
  const int converged = parameter[4];
  check_status(info, converged, s, "zneupd");
  result.values.resize(std::size_t(converged)), result.vectors.resize(std::size_t(n) * converged);
  return result;
}

}  // namespace curlew::linalg
