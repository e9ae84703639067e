// SPDX-License-Identifier: BSD-3-Clause
// The GPU part of `em-bench mom2d`. Compiled with CUDA only.
#include <cusolverDn.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/cuda.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "bench/mom2d_parts.hpp"
#include "linalg/dense/device_lu.hpp"
#include "mom2d/device.hpp"
#include "mom2d/fill.hpp"
#include "mom2d/solve.hpp"

namespace curlew::bench {
namespace {

using Z = complex<double>;

constexpr int most_beside = 5000;  ///< unknowns that the CPU takes beside the GPU

/// Milliseconds on the device, median of `repeat` calls after a warm-up.
double median_ms(int repeat, const std::function<void()>& prepare, const std::function<void()>& call) {
  std::vector<double> times;
  for (int r = 0; r <= repeat; ++r) {
    prepare();
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    Timer timer;
    call();
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    if (r > 0) times.push_back(1e3 * timer.seconds());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// cuSOLVER's own factorisation and substitution of a matrix that is copied before each call.
struct Peer {
  double factor, solve_one, solve_many;
};
Peer time_peer(const cuda::Buffer<Z>& a, cuda::Buffer<Z>& copy, cuda::Buffer<Z>& b, int n, int many,
               int repeat) {
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) throw NumericalError("cuSOLVER: create failed");
  auto* matrix = reinterpret_cast<cuDoubleComplex*>(copy.data());
  int length = 0;
  cusolverDnZgetrf_bufferSize(handle, n, n, matrix, n, &length);
  cuda::Buffer<Z> work{std::size_t(length)};
  cuda::Buffer<int> pivots{std::size_t(n)}, info{1};
  const auto restore = [&] {
    CURLEW_CUDA_CALL(cudaMemcpy(copy.data(), a.data(), a.bytes(), cudaMemcpyDefault));
  };
  Peer peer{};
  peer.factor = median_ms(repeat, restore, [&] {
    cusolverDnZgetrf(handle, n, n, matrix, n, reinterpret_cast<cuDoubleComplex*>(work.data()), pivots.data(),
                     info.data());
  });
  const auto solve = [&](int columns) {
    return median_ms(
        repeat, [] {},
        [&] {
          cusolverDnZgetrs(handle, CUBLAS_OP_N, n, columns, matrix, n, pivots.data(),
                           reinterpret_cast<cuDoubleComplex*>(b.data()), n, info.data());
        });
  };
  peer.solve_one = solve(1);
  if (many > 1) peer.solve_many = solve(many);
  cusolverDnDestroy(handle);
  return peer;
}

void add_row(int n, mom2d::Equation equation, const Options& options, Report& report) {
  const int many = n <= 5000 ? 360 : 1, repeat = std::min(options.repeat, n > 5000 ? 2 : 5);
  const auto problem = circle_of(n, equation);
  Timer prepare;
  const auto scene = mom2d::make_scene(problem);
  const auto nodes = mom2d::make_nodes(problem.bodies, problem.nodes);
  const auto system = mom2d::make_system(problem, scene, nodes);
  const auto near = mom2d::near_list(problem, scene, nodes);
  const mom2d::DeviceSystem device(problem, system, nodes, near);
  const double geometry = 1e3 * prepare.seconds();

  const auto size = std::size_t(n);
  cuda::Buffer<Z> a(size * size), copy(size * size), b(size * std::size_t(many));
  std::vector<double> angles;
  for (int i = 0; i < many; ++i) angles.push_back(2 * 3.14159265358979 * i / many);
  const double fill = median_ms(
      repeat, [] {}, [&] { device.fill(a.data()); });
  linalg::LuReport one, all;
  linalg::DeviceLu lu(n, many, linalg::LuPrecision::automatic);
  // All steps of a run: fill, excitation, factorisation, substitution, refinement.
  const auto whole = [&](int waves, linalg::LuReport& result) {
    const std::vector<double> phi(angles.begin(), angles.begin() + waves);
    return median_ms(
        repeat, [] {},
        [&] {
          device.fill(a.data());
          device.excite(phi, b.data());
          result = lu.solve(a.data(), b.data(), waves, false);
        });
  };
  const double total_one = whole(1, one), total_many = many > 1 ? whole(many, all) : 0;
  device.fill(a.data());
  const Peer peer = time_peer(a, copy, b, n, many, repeat);
  const double reference = peer.factor + peer.solve_one;
  nlohmann::json cpu = nullptr, gain = nullptr;
  if (n <= most_beside) {
    const auto host = mom2d::solve(problem, {0.0}, {Device::cpu, linalg::LuPrecision::automatic, false});
    cpu = 1e3 * (host.fill_seconds + host.report.factor_seconds + host.report.solve_seconds);
    gain = cpu.get<double>() / total_one;
  }
  report.row({fmt::format("{} {}", n, equation == mom2d::Equation::efie ? "EFIE" : "CFIE"), geometry, fill,
              fill / peer.factor, 1e3 * one.factor_seconds, total_one, reference, total_one / reference,
              peer.factor / total_one, many > 1 ? total_many / (peer.factor + peer.solve_many) : 0.0, cpu,
              gain, std::max(one.residual, all.residual), std::to_string(one.refinements), one.method});
}

}  // namespace

void mom2d_gpu(const Options& options, Report& report) {
  report.table(
      fmt::format("Fill, LU and solve on the GPU (circle, TM, LCN with 10 nodes per cell; times in ms; {} "
                  "CPU threads)",
                  num_threads()),
      {"N", "geometry", "fill", "fill/Zgetrf", "LU", "all, 1 angle", "Zgetrf+Zgetrs", "ratio",
       "speed-up on Zgetrf", "ratio, 360 angles", "CPU, 1 angle", "CPU/GPU", "residual", "steps", "method"});
  for (const int n : {1000, 2500, 5000, 10000, 20000}) add_row(n, mom2d::Equation::efie, options, report);
  for (const int n : {5000, 20000}) add_row(n, mom2d::Equation::cfie, options, report);
}

}  // namespace curlew::bench
