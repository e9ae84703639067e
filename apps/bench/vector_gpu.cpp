// SPDX-License-Identifier: BSD-3-Clause
// Level-1 operations on the GPU beside cuBLAS, scalars on the device for both.
#include <cublas_v2.h>
#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "bench/device_timing.hpp"
#include "bench/vector_parts.hpp"
#include "linalg/vector/device_backend.hpp"

namespace curlew::bench {
namespace {

using Z = complex<double>;

class Cublas {
 public:
  Cublas() {
    if (cublasCreate(&handle_) != CUBLAS_STATUS_SUCCESS) throw ResourceError("cuBLAS could not be started");
    cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE);
    const Z values[2] = {{0.6, 0.8}, {1e-3, 1e-3}};
    scalars_.upload(values);
  }
  ~Cublas() { cublasDestroy(handle_); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  bool run(const std::string& name, Offset n, Z* x, Z* y, cudaStream_t stream) {
    cublasSetStream(handle_, stream);
    auto* cx = reinterpret_cast<cuDoubleComplex*>(x);
    auto* cy = reinterpret_cast<cuDoubleComplex*>(y);
    auto* s = reinterpret_cast<cuDoubleComplex*>(scalars_.data());
    auto* result = reinterpret_cast<cuDoubleComplex*>(result_.data());
    const int count = int(n);
    if (name == "assign") return done(cublasZcopy(handle_, count, cx, 1, cy, 1));
    if (name == "scale") return done(cublasZscal(handle_, count, s, cx, 1));
    if (name == "axpy") return done(cublasZaxpy(handle_, count, s + 1, cx, 1, cy, 1));
    if (name == "multiply")
      return done(cublasZdgmm(handle_, CUBLAS_SIDE_LEFT, count, 1, cy, count, cx, 1, cy, count));
    if (name == "dot") return done(cublasZdotc(handle_, count, cx, 1, cy, 1, result));
    if (name == "norm") return done(cublasDznrm2(handle_, count, cx, 1, reinterpret_cast<double*>(result)));
    return done(cublasZaxpy(handle_, count, s + 1, cx, 1, cy, 1)) &&
           done(cublasDznrm2(handle_, count, cy, 1, reinterpret_cast<double*>(result)));
  }
  Z result() const { return result_.to_host()[0]; }

 private:
  static bool done(cublasStatus_t status) { return status == CUBLAS_STATUS_SUCCESS; }
  cublasHandle_t handle_ = nullptr;
  cuda::Buffer<Z> scalars_{2}, result_{1};
};

void check_reductions(Cublas& cublas, linalg::DeviceBackend& backend, cuda::Buffer<Z>& x,
                      cuda::Buffer<Z>& y) {
  cuda::Buffer<linalg::Sum> dot(1);
  cuda::Buffer<double> norm(1);
  const Offset n = 1000003;
  linalg::dot(backend, n, static_cast<const Z*>(x.data()), static_cast<const Z*>(y.data()), dot.data());
  linalg::norm(backend, n, static_cast<const Z*>(x.data()), norm.data());
  backend.wait();
  cublas.run("dot", n, x.data(), y.data(), nullptr);
  const Z theirs = cublas.result(), ours = dot.to_host()[0];
  cublas.run("norm", n, x.data(), y.data(), nullptr);
  const double their_norm = cublas.result().re;
  if (!(std::hypot(ours.re - theirs.re, ours.im - theirs.im) < 1e-10 * n) ||
      !(std::abs(norm.to_host()[0] - their_norm) < 1e-10 * their_norm)) {
    throw NumericalError("em-bench: dot or norm differs from cuBLAS");
  }
}

}  // namespace

void vector_on_device(const Options& options, Report& report) {
  linalg::DeviceBackend backend;
  Cublas cublas;
  DeviceTimer timer(options.repeat);
  const double copy = copy_bandwidth(timer);
  const Offset largest = vector_sizes().back();
  std::vector<Z> host(largest);
  for (Offset i = 0; i < largest; ++i) host[i] = {std::cos(0.1 * double(i)), std::sin(0.37 * double(i))};
  cuda::Buffer<Z> x(host), y(host);
  cuda::Buffer<linalg::Sum> dot(1);
  cuda::Buffer<double> norm(1);
  check_reductions(cublas, backend, x, y);
  HostVectors on_host;
  for (const VectorOperation& op : vector_operations()) {
    report.table(fmt::format("{}, complex double, {}, copy {:.3f} TB/s, {} CPU threads", op.title,
                             device_info().name, 1e-12 * copy, num_threads()),
                 {"n", "cold [us]", "warm [us]", "TB/s cold", "share of copy", "cuBLAS cold [us]", "x cuBLAS",
                  "CPU [us]", "CPU/GPU", "paper K20c [us]", "x paper", "paper CPU/GPU"});
    for (std::size_t i = 0; i < vector_sizes().size(); ++i) {
      const Offset n = vector_sizes()[i];
      const auto ours = [&] {
        run_vector_operation(op.name, backend, n, x.data(), y.data(), dot.data(), norm.data());
      };
      const auto theirs = [&] { cublas.run(op.name, n, x.data(), y.data(), backend.stream()); };
      const double cold = timer.cold(ours, backend.stream()), warm = timer.warm(ours, 20, backend.stream());
      const double peer = timer.cold(theirs, backend.stream());
      x.upload(host.data());
      y.upload(host.data());
      const double rate = 16.0 * op.vectors * double(n) / cold,
                   cpu = on_host.seconds(op.name, n, options.repeat);
      const bool has_paper = i < op.paper_ms.size();
      report.row({std::to_string(n), 1e6 * cold, 1e6 * warm, 1e-12 * rate, rate / copy, 1e6 * peer,
                  peer / cold, 1e6 * cpu, cpu / cold,
                  has_paper ? nlohmann::json(1e3 * op.paper_ms[i]) : nullptr,
                  has_paper ? nlohmann::json(1e-3 * op.paper_ms[i] / cold) : nullptr,
                  has_paper ? nlohmann::json(op.paper_cpu_ms[i] / op.paper_ms[i]) : nullptr});
    }
  }
}

}  // namespace curlew::bench
