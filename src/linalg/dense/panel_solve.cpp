// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/panel_solve.hpp"

#include <string>

#include "base/timer.hpp"
#include "linalg/dense/condition.hpp"
#include "linalg/dense/formed_residual.hpp"
#include "linalg/dense/panel_lu.hpp"
#include "linalg/dense/sampled_residual.hpp"

namespace curlew::linalg {
namespace {

template <class Lu>
LuReport factor_and_solve(Lu& lu, Complex* b, int num_rhs) {
  LuReport report;
  Timer timer;
  lu.factor();
  report.factor_seconds = timer.seconds();
  timer.restart();
  lu.solve(b, num_rhs, false);
  report.solve_seconds = timer.seconds();
  return report;
}

template <class Lu>
double inverse_norm(Lu& lu, Offset n) {
  return inverse_norm_estimate(n, [&](Complex* v, bool adjoint) { lu.solve(v, 1, adjoint); });
}

}  // namespace

LuReport solve_by_panels(PanelMachine& machine, const DenseMatrix& a, PanelLayout layout, Complex* b,
                         int num_rhs, bool with_condition) {
  const double norm = norm1(a);
  const SampledResidual residual(a, b, num_rhs);
  PanelLu lu(machine, a.rows(), layout);
  LuReport report = factor_and_solve(lu, b, num_rhs);
  report.method = "LU in double precision, matrix in the host's memory";
  report.residual = residual.of(b);
  if (with_condition) report.condition = norm * inverse_norm(lu, a.rows());
  return report;
}

LuReport solve_formed_by_panels(PanelMachine& machine, Offset n, PanelLayout layout, Complex* b, int num_rhs,
                                bool with_condition) {
  const std::vector<Complex> right(b, b + n * num_rhs);
  PanelLu lu(machine, n, layout);
  LuReport report = factor_and_solve(lu, b, num_rhs);
  report.method = "LU in double precision, matrix on the device and in the host's memory";
  const FormedResidual formed = formed_residual(machine, n, layout, b, right.data(), num_rhs);
  report.residual = formed.residual;
  if (with_condition) report.condition = formed.norm * inverse_norm(lu, n);
  return report;
}

LuReport solve_shared(SharedLu& lu, Offset n, Complex* b, int num_rhs, bool with_condition) {
  const std::vector<Complex> right(b, b + n * num_rhs);
  LuReport report = factor_and_solve(lu, b, num_rhs);
  report.method = "LU in double precision on " + std::to_string(lu.num_members()) + " GPUs";
  const FormedResidual formed = formed_residual(
      n, b, right.data(), num_rhs,
      [&](const Complex* x, Complex* rest, int count) { return lu.subtract_product(x, rest, count); });
  report.residual = formed.residual;
  if (with_condition) report.condition = formed.norm * inverse_norm(lu, n);
  return report;
}

}  // namespace curlew::linalg
