// SPDX-License-Identifier: BSD-3-Clause
// Krylov methods on the GPU: whole solves, and the time of one iteration beside the same BiCGSTAB written
// with calls of cuSPARSE and cuBLAS.
#include <cublas_v2.h>
#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "bench/device_timing.hpp"
#include "bench/krylov_parts.hpp"
#include "bench/sparse_peers.hpp"
#include "linalg/krylov/device_jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/sparse/choose.hpp"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::bench {
namespace {

using linalg::DeviceOperator;
using linalg::KrylovMethod;
using Z = complex<double>;

std::vector<Z> right_side(const KrylovMatrix& m) {
  std::vector<Z> b;
  for (const Complex z : m.b) b.push_back({z.real(), z.imag()});
  return b;
}

/// Microseconds per iteration of the CPU, from a few iterations.
double cpu_seconds_per_iteration(const KrylovMatrix& m, KrylovMethod method) {
  const auto r = solve_on_cpu(m, method, method == KrylovMethod::bicgstabl ? 4 : 20);
  return r.seconds / std::max(r.iterations, 1);
}

double traffic(KrylovMethod method, Offset nnz, Index rows) {
  if (method == KrylovMethod::bicgstab) return bicgstab_traffic(nnz, rows);
  if (method == KrylovMethod::tfqmr) return tfqmr_traffic(nnz, rows);
  return bicgstabl_traffic(nnz, rows, 8);
}

/// Microseconds per iteration, from solves of many and of few iterations.
double seconds_per_iteration(const DeviceOperator<Z>& a, const DeviceOperator<Z>* m, KrylovMethod method,
                             const Z* b, Z* x, int repeat) {
  auto o = paper_options(method);
  o.tolerance = 0;
  const int many = method == KrylovMethod::bicgstabl ? 24 : 120, few = many / 6;
  const auto time = [&](int limit) {
    o.max_iterations = limit;
    linalg::DeviceKrylov<Z> solver(a, m, o);
    solver.solve(b, x);
    double best = 1e300;
    for (int i = 0; i < std::max(repeat, 3); ++i) best = std::min(best, solver.solve(b, x).seconds);
    return best;
  };
  return (time(many) - time(few)) / (many - few);
}

/// BiCGSTAB with Jacobi by calls of the vendor's libraries: scalars on the host.
class VendorBicgstab {
 public:
  VendorBicgstab(const DeviceOperator<Z>& a, const Z* d) : a_(a), d_(d) {
    if (cublasCreate(&handle_) != CUBLAS_STATUS_SUCCESS) throw ResourceError("cuBLAS could not be started");
    for (auto& v : work_) v = cuda::Buffer<Z>(std::size_t(a.size()));
  }
  ~VendorBicgstab() { cublasDestroy(handle_); }
  VendorBicgstab(const VendorBicgstab&) = delete;
  VendorBicgstab& operator=(const VendorBicgstab&) = delete;

  /// @return seconds per iteration, and |r| at the end
  std::pair<double, double> run(const Z* b, Z* x, int iterations) {
    Z *r = work_[0].data(), *shadow = work_[1].data(), *p = work_[2].data(), *v = work_[3].data(),
      *t = work_[4].data(), *p_hat = work_[5].data(), *s_hat = work_[6].data();
    CURLEW_CUDA_CALL(cudaMemset(x, 0, work_[0].bytes()));
    copy(b, r), copy(b, shadow), copy(b, p);
    Z rho = dot(shadow, r);
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    Timer timer;
    double residual = 0;
    for (int i = 0; i < iterations; ++i) {
      precondition(p, p_hat);
      a_.apply(p_hat, v, {});
      const Z alpha = rho / dot(shadow, v);
      axpy(-alpha, v, r);
      precondition(r, s_hat);
      a_.apply(s_hat, t, {});
      const Z omega = dot(t, r) / dot(t, t);
      axpy(alpha, p_hat, x);
      axpy(omega, s_hat, x);
      axpy(-omega, t, r);
      residual = norm(r);
      const Z next = dot(shadow, r), beta = next / rho * (alpha / omega);
      rho = next;
      axpy(-omega, v, p);
      scale(beta, p);
      axpy(Z(1), r, p);
    }
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    return {timer.seconds() / iterations, residual};
  }

 private:
  static const cuDoubleComplex* c(const Z* z) { return reinterpret_cast<const cuDoubleComplex*>(z); }
  static cuDoubleComplex* c(Z* z) { return reinterpret_cast<cuDoubleComplex*>(z); }
  int n() const { return a_.size(); }
  void copy(const Z* from, Z* to) { cublasZcopy(handle_, n(), c(from), 1, c(to), 1); }
  void axpy(Z alpha, const Z* x, Z* y) { cublasZaxpy(handle_, n(), c(&alpha), c(x), 1, c(y), 1); }
  void scale(Z alpha, Z* x) { cublasZscal(handle_, n(), c(&alpha), c(x), 1); }
  Z dot(const Z* x, const Z* y) {
    Z result;
    cublasZdotc(handle_, n(), c(x), 1, c(y), 1, c(&result));
    return result;
  }
  double norm(const Z* x) {
    double result = 0;
    cublasDznrm2(handle_, n(), c(x), 1, &result);
    return result;
  }
  void precondition(const Z* r, Z* z) {
    cublasZdgmm(handle_, CUBLAS_SIDE_LEFT, n(), 1, c(r), n(), c(d_), 1, c(z), n());
  }

  const DeviceOperator<Z>& a_;
  const Z* d_;
  cublasHandle_t handle_ = nullptr;
  cuda::Buffer<Z> work_[7];
};

/// Seconds of an iteration of BiCGSTAB by each product of cuSPARSE.
std::vector<std::pair<std::string, double>> vendor_iterations(const linalg::Csr<Complex>& a,
                                                              const linalg::DeviceJacobi<double>& jacobi,
                                                              const Z* b, Z* x) {
  std::vector<std::pair<std::string, double>> all;
  for (const auto& peer : cusparse_products<double>(a)) {
    VendorBicgstab bicgstab(*peer.product, jacobi.diagonal());
    bicgstab.run(b, x, 5);
    double best = 1e300;
    for (int i = 0; i < 5; ++i) best = std::min(best, bicgstab.run(b, x, 60).first);
    all.emplace_back(peer.name, best);
  }
  return all;
}

}  // namespace

void krylov_on_device(const KrylovMatrix& m, const Options&, Report& report) {
  const linalg::DevicePacked<double, double> a(linalg::pack<double>(m.a));
  const linalg::DeviceJacobi<double> jacobi(m.a);
  const cuda::Buffer<Z> b(right_side(m));
  cuda::Buffer<Z> x(std::size_t(m.a.num_rows));
  static DeviceTimer timer(5);
  static const double copy = copy_bandwidth(timer);
  double vendor = 1e300;
  for (const auto& product : vendor_iterations(m.a, jacobi, b.data(), x.data()))
    vendor = std::min(vendor, product.second);
  for (const PaperMethod& paper : paper_methods(m.paper)) {
    linalg::DeviceKrylov<Z> solver(a, &jacobi, paper_options(paper.method));
    solver.solve(b.data(), x.data());
    const auto r = solver.solve(b.data(), x.data());
    const double each = r.seconds / std::max(r.iterations, 1),
                 floor = traffic(paper.method, m.a.nnz(), m.a.num_rows) / copy;
    const double cpu = cpu_seconds_per_iteration(m, paper.method);
    report.row({fmt::format("{}, {}", m.name, paper.name), m.a.num_rows, r.iterations, paper.iterations,
                r.seconds, 1e6 * each, 1e6 * cpu, cpu / each, 1e6 * floor, floor / each, r.relative_residual,
                paper.seconds, name_of(r.status),
                paper.method == KrylovMethod::bicgstab ? nlohmann::json(1e6 * vendor) : nullptr});
  }
}

void krylov_iterations_on_device(const KrylovMatrix& m, const Options& options, Report& report) {
  DeviceTimer timer(options.repeat);
  const double copy = copy_bandwidth(timer);
  report.table(
      fmt::format(
          "One iteration in complex double with Jacobi, {}, {} rows, {} nonzeros, copy {:.3f} TB/s, {}",
          m.name, m.a.num_rows, m.a.nnz(), 1e-12 * copy, device_info().name),
      {"product, method", "us/iteration", "CRS floor [us]", "time/floor", "x vendor calls"});
  const linalg::DeviceJacobi<double> jacobi(m.a);
  const cuda::Buffer<Z> b(right_side(m));
  cuda::Buffer<Z> x(std::size_t(m.a.num_rows));

  double vendor = 1e300;
  for (const auto& [name, seconds] : vendor_iterations(m.a, jacobi, b.data(), x.data())) {
    vendor = std::min(vendor, seconds);
    report.row({fmt::format("{} and cuBLAS, bicgstab", name), 1e6 * seconds,
                1e6 * bicgstab_traffic(m.a.nnz(), m.a.num_rows) / copy,
                seconds * copy / bicgstab_traffic(m.a.nnz(), m.a.num_rows), nullptr});
  }
  const linalg::DeviceEll<double> ell(to_ell(m.a, linalg::choose_ell(m.a.row_offsets).options));
  const linalg::DevicePacked<double, double> packed(linalg::pack<double>(m.a));
  const std::pair<const char*, const DeviceOperator<Z>*> products[] = {{"Sliced ELLR-T", &ell},
                                                                       {"packed", &packed}};
  for (const auto& [name, product] : products) {
    for (const auto method : {KrylovMethod::bicgstab, KrylovMethod::tfqmr, KrylovMethod::bicgstabl}) {
      const double each =
          seconds_per_iteration(*product, &jacobi, method, b.data(), x.data(), options.repeat);
      const double floor = traffic(method, m.a.nnz(), m.a.num_rows) / copy;
      report.row(
          {fmt::format("{}, {}", name, method == KrylovMethod::bicgstabl ? "bicgstab(8)" : name_of(method)),
           1e6 * each, 1e6 * floor, each / floor,
           method == KrylovMethod::bicgstab ? nlohmann::json(vendor / each) : nullptr});
    }
  }
  const double each =
      seconds_per_iteration(packed, &jacobi, KrylovMethod::cocr, b.data(), x.data(), options.repeat);
  report.row({"packed, cocr", 1e6 * each, nullptr, nullptr, nullptr});
}

}  // namespace curlew::bench
