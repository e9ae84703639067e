// SPDX-License-Identifier: BSD-3-Clause
#include "ie/mixed_potential/iterative_solve.hpp"

#include <algorithm>
#include <memory>

#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "ie/mixed_potential/charge_preconditioner.hpp"
#include "linalg/dense/lu.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda.hpp"
#include "ie/mixed_potential/device_charge_preconditioner.hpp"
#include "ie/mixed_potential/device_operator.hpp"
#include "linalg/krylov/device_jacobi.hpp"
#endif

namespace curlew::ie {
namespace {

/// The diagonal as the matrix that the Jacobi preconditioners take.
linalg::Csr<Complex> diagonal_matrix(std::vector<Complex> values) {
  auto d = linalg::identity<Complex>(Index(values.size()));
  d.values = std::move(values);
  return d;
}

SolveReport solve_densely(const MixedPotentialSystem& system, const SolveOptions& options, const Complex* b,
                          Complex* x, Index num_rhs) {
  SolveReport report;
  Timer timer;
  auto a = assemble_dense(system, options.acceleration.integration);
  report.bytes = std::size_t(a.rows() * a.cols()) * sizeof(Complex);
  report.set_up.emplace_back("matrix", timer.seconds());
  timer.restart();
  std::copy(b, b + a.rows() * num_rhs, x);
  const auto lu = linalg::solve_dense(a, x, num_rhs);
  report.dense_method = lu.method;
  report.residual = lu.residual;
  report.solve_seconds = timer.seconds();
  return report;
}

void note(SolveReport& report, const std::vector<linalg::KrylovReport>& solves) {
  report.krylov = solves;
  for (const auto& r : solves) {
    report.residual = std::max(report.residual, r.relative_residual);
    report.solve_seconds += r.seconds;
  }
}

SolveReport solve_on_cpu(const MixedPotentialSystem& system, const SolveOptions& options, const Complex* b,
                         Complex* x, Index num_rhs) {
  const AcceleratedOperator a(system, options.acceleration);
  SolveReport report;
  report.set_up = a.stages().all();
  std::unique_ptr<linalg::LinearOperator<Complex>> m;
  if (options.preconditioner == Preconditioner::jacobi)
    m = std::make_unique<linalg::Jacobi<Complex>>(diagonal_matrix(a.diagonal_entries()));
  if (options.preconditioner == Preconditioner::charges)
    m = std::make_unique<ChargePreconditioner>(make_charge_matrix(system, options.charge_steps));
  linalg::Krylov<Complex> krylov(a, m.get(), options.krylov);
  note(report, krylov.solve(b, x, num_rhs));
  report.num_points = a.num_points();
  report.num_near_pairs = a.near().list.num_pairs();
  report.bytes = a.bytes();
  for (const auto& [name, seconds] : a.stages().all()) {
    if (name.rfind("products: ", 0) == 0)
      report.product.emplace_back(name.substr(10), seconds / double(a.products()));
  }
  return report;
}

#ifdef CURLEW_HAVE_CUDA
SolveReport solve_on_device(const MixedPotentialSystem& system, const SolveOptions& options, const Complex* b,
                            Complex* x, Index num_rhs) {
  using Value = complex<double>;
  const DeviceAcceleratedOperator a(system, options.acceleration);
  SolveReport report;
  report.set_up = a.stages().all();
  Timer timer;
  std::unique_ptr<linalg::DeviceOperator<Value>> m;
  if (options.preconditioner == Preconditioner::jacobi)
    m = std::make_unique<linalg::DeviceJacobi<double>>(diagonal_matrix(a.diagonal_entries()));
  if (options.preconditioner == Preconditioner::charges)
    m = std::make_unique<DeviceChargePreconditioner>(make_charge_matrix(system, options.charge_steps));
  const std::size_t n = std::size_t(a.size()) * std::size_t(num_rhs);
  cuda::Buffer<Value> device_b(n), device_x(n);
  device_b.upload(reinterpret_cast<const Value*>(b));
  linalg::DeviceKrylov<Value> krylov(a, m.get(), options.krylov);
  report.set_up.emplace_back("preconditioner and workspace", timer.seconds());
  note(report, krylov.solve(device_b.data(), device_x.data(), num_rhs));
  device_x.download(reinterpret_cast<Value*>(x));
  report.num_points = a.num_points();
  report.num_near_pairs = a.num_near_pairs();
  report.bytes = a.device_bytes();
  cuda::Buffer<Value> y(n);
  for (const auto& [name, milliseconds] : a.time_steps(device_x.data(), y.data()))
    report.product.emplace_back(name, 1e-3 * milliseconds);
  return report;
}
#endif

}  // namespace

std::size_t estimate_bytes(const MixedPotentialSystem& system, const SolveOptions& options, Index num_rhs) {
  const std::size_t n = std::size_t(system.sources.num_cols);
  const std::size_t vectors =
      n * std::size_t(linalg::krylov_vectors(options.krylov) + 2 * num_rhs) * sizeof(Complex);
  if (options.method == Method::dense) return n * n * 3 * sizeof(Complex) / 2 + vectors;
  // About 150 stored pairs an element of a regular mesh at reach 1.3, more by its third power.
  const double reach = options.acceleration.integration.near_reach / 1.3;
  const double pairs = 150 * reach * reach * reach * double(system.elements.size());
  return std::size_t(pairs * (sizeof(ElementBlock<float>) + sizeof(Index))) + vectors +
         system.elements.size() * 1500;
}

SolveReport solve_system(const MixedPotentialSystem& system, const SolveOptions& options, const Complex* b,
                         Complex* x, Index num_rhs) {
  if (options.method == Method::dense) return solve_densely(system, options, b, x, num_rhs);
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda) return solve_on_device(system, options, b, x, num_rhs);
#endif
  return solve_on_cpu(system, options, b, x, num_rhs);
}

}  // namespace curlew::ie
