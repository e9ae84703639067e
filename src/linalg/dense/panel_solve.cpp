// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/panel_solve.hpp"

#include "base/timer.hpp"
#include "linalg/dense/condition.hpp"
#include "linalg/dense/panel_lu.hpp"
#include "linalg/dense/sampled_residual.hpp"

namespace curlew::linalg {

LuReport solve_by_panels(PanelMachine& machine, const DenseMatrix& a, PanelWidths widths, Complex* b,
                         int num_rhs, bool with_condition) {
  LuReport report;
  report.method = "LU in double precision, matrix in the host's memory";
  const double norm = norm1(a);
  const SampledResidual residual(a, b, num_rhs);
  Timer timer;
  PanelLu lu(machine, a.rows(), widths);
  lu.factor();
  report.factor_seconds = timer.seconds();
  timer.restart();
  lu.solve(b, num_rhs, false);
  report.solve_seconds = timer.seconds();
  report.residual = residual.of(b);
  if (with_condition)
    report.condition =
        norm * inverse_norm_estimate(a.rows(), [&](Complex* v, bool adjoint) { lu.solve(v, 1, adjoint); });
  return report;
}

}  // namespace curlew::linalg
