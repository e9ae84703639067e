// SPDX-License-Identifier: BSD-3-Clause
// The steps of the MoM/LCN paper: matrix, factorisation, triangular solves. The paper's Crout factorisation
// with partial updates is represented by the library's LU; it inverts both triangular factors, which costs 2
// x 4/3 N^3 real operations that substitution does not need.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/threads.hpp"
#include "bench/mom2d_parts.hpp"
#include "curlew/build.hpp"
#include "mom2d/fill.hpp"
#include "mom2d/solve.hpp"

namespace curlew::bench {
namespace {

void steps_on_cpu(const Options& options, Report& report) {
  report.table(
      "Fill and LU on the CPU (circle, TM EFIE, LCN with 10 nodes per cell)",
      {"N", "fill [ms]", "zgetrf [ms]", "fill/zgetrf", "LU used [ms]", "solve [ms]", "residual", "method"});
  for (const int n : {1000, 2500, 5000}) {
    const auto problem = circle_of(n, mom2d::Equation::efie);
    std::vector<double> fill, full, mixed, solve;
    mom2d::Solution last;
    for (int r = 0; r < std::clamp(options.repeat, 1, n > 2500 ? 1 : 3) + 1; ++r) {
      const auto exact = mom2d::solve(problem, {0.0}, {Device::cpu, linalg::LuPrecision::full, false});
      last = mom2d::solve(problem, {0.0}, {Device::cpu, linalg::LuPrecision::automatic, false});
      if (r == 0) continue;  // warm-up
      fill.push_back(1e3 * std::min(exact.fill_seconds, last.fill_seconds));
      full.push_back(1e3 * exact.report.factor_seconds);
      mixed.push_back(1e3 * last.report.factor_seconds);
      solve.push_back(1e3 * last.report.solve_seconds);
    }
    const auto median = [](std::vector<double> v) {
      std::sort(v.begin(), v.end());
      return v[v.size() / 2];
    };
    report.row({std::to_string(n), median(fill), median(full), median(fill) / median(full), median(mixed),
                median(solve), last.report.residual, last.report.method});
  }
}

}  // namespace

mom2d::Problem circle_of(int n, mom2d::Equation equation) {
  mom2d::Problem problem;
  problem.nodes = 10;
  problem.equation = equation;
  problem.wavenumber = n / 20.0;  // circumference n/20 wavelengths at radius 1 m
  mom2d::Body body;
  body.contour = mom2d::make_circle({0, 0}, 1, {n / problem.nodes, 0});
  problem.bodies = {body};
  return problem;
}

void mom2d(const Options& options, Report& report) {
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda) return mom2d_gpu(options, report);
#endif
  steps_on_cpu(options, report);
}

}  // namespace curlew::bench
