// SPDX-License-Identifier: BSD-3-Clause
// The steps of the MoM/LCN paper: matrix, factorisation, triangular solves; and the Hankel functions they
// rest on. The paper's Crout factorisation with partial updates is represented by the library's LU; it
// inverts both triangular factors, which costs 2 x 4/3 N^3 real operations that substitution does not need.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/threads.hpp"
#include "bench/mom2d_parts.hpp"
#include "curlew/build.hpp"
#include "green/hankel.hpp"
#include "green/hankel_batch.hpp"
#include "mom2d/fill.hpp"
#include "mom2d/solve.hpp"

namespace curlew::bench {
namespace {

/// Arguments of a circle three wavelengths across, shuffled.
std::vector<double> arguments(int n) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i) x.push_back(0.01 + 40.0 * ((i * 7919L) % n) / n);
  return x;
}

void hankel_functions(const Options& options, Report& report) {
  constexpr int n = 1 << 16;
  const auto x = arguments(n);
  std::vector<Complex> z, h0(n), h1(n);
  for (const double v : x) z.emplace_back(v, -0.1 * v);
  report.table("Hankel functions, one core", {"function", "ns per entry"});
  const auto add = [&](const char* name, int count, auto&& call) {
    report.row({name, time_calls(options.repeat, call).median / count * 1e9});
  };
  add("H0, real", n, [&] { green::hankel2(x.data(), n, h0.data()); });
  add("H0 and H1, real", n, [&] { green::hankel2(x.data(), n, h0.data(), h1.data()); });
  add("H0 and H1, complex", n, [&] { green::hankel2(z.data(), n, h0.data(), h1.data()); });
  add("H0, real, one by one", n, [&] {
    for (int i = 0; i < n; ++i) {
      const auto h = green::hankel2_0(x[std::size_t(i)]);
      h0[std::size_t(i)] = {h.re, h.im};
    }
  });
  add("peer: j0 and y0 of the C library", n / 8, [&] {
    for (int i = 0; i < n / 8; ++i) h0[std::size_t(i)] = {::j0(x[std::size_t(i)]), -::y0(x[std::size_t(i)])};
  });
  add("peer: std::cyl_bessel_j and cyl_neumann", n / 64, [&] {
    for (int i = 0; i < n / 64; ++i) {
      h0[std::size_t(i)] = {std::cyl_bessel_j(0.0, x[std::size_t(i)]),
                            -std::cyl_neumann(0.0, x[std::size_t(i)])};
    }
  });
}

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
  if (wants(options, "hankel")) hankel_functions(options, report);
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda) {
    if (wants(options, "steps")) mom2d_gpu(options, report);
    return;
  }
#endif
  if (wants(options, "steps")) steps_on_cpu(options, report);
}

}  // namespace curlew::bench
