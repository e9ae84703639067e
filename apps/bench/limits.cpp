// SPDX-License-Identifier: BSD-3-Clause
// The limits of this machine that other benchmarks are compared with. Copy and triad as in STREAM (J.
// McCalpin, 1995; triad a = b + s c counts 24 bytes, without the write-allocate traffic).

#include <cblas.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/threads.hpp"
#include "bench/cases.hpp"
#include "curlew/build.hpp"
#include "linalg/direct/direct_solver.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "bench/limits_device.hpp"
#endif

namespace curlew::bench {
namespace {

#ifdef __AVX512F__
constexpr int vector_bytes = 64;
#else
constexpr int vector_bytes = 32;
#endif

/// Sets the number of threads for a scope.
struct WithThreads {
  explicit WithThreads(int n) : before(num_threads()) { set_num_threads(n); }
  ~WithThreads() { set_num_threads(before); }
  int before;
};

/// Fused multiply-adds in registers, on `threads` threads: flops per second.
template <class T>
double fma_rate(int threads, int repeat) {
  typedef T Vector __attribute__((vector_size(vector_bytes)));
  constexpr int lanes = vector_bytes / int(sizeof(T)), chains = 8;
  constexpr long rounds = 4'000'000;
  volatile T sink = 0;
  const auto timing = time_calls(repeat, [&] {
#pragma omp parallel num_threads(threads)
    {
      Vector a, b;
      for (int l = 0; l < lanes; ++l) a[l] = T(0.999), b[l] = T(0.001);
      // Eight named chains: an array of them would be in memory.
      Vector p = a, q = a + T(1), r = a + T(2), s = a + T(3), t = a + T(4), u = a + T(5), v = a + T(6),
             w = a + T(7);
      for (long round = 0; round < rounds; ++round) {
        p = p * a + b, q = q * a + b, r = r * a + b, s = s * a + b;
        t = t * a + b, u = u * a + b, v = v * a + b, w = w * a + b;
        asm volatile(""
                     : "+x"(p), "+x"(q), "+x"(r), "+x"(s), "+x"(t), "+x"(u), "+x"(v),
                       "+x"(w));  // in registers
      }
      const Vector sum = p + q + r + s + t + u + v + w;
#pragma omp critical
      sink = sink + sum[0];
    }
  });
  return 2.0 * lanes * chains * rounds * threads / timing.median;
}

struct Bandwidth {
  double copy, triad;  ///< bytes per second
};

Bandwidth bandwidth(int threads, int repeat) {
  const std::size_t n = std::size_t(1) << 25;  // 256 MiB per array, larger than the caches
  require_memory(3 * n * sizeof(double), "em-bench limits");
  const auto a = std::make_unique_for_overwrite<double[]>(n), b = std::make_unique_for_overwrite<double[]>(n),
             c = std::make_unique_for_overwrite<double[]>(n);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t i = 0; i < n; ++i) a[i] = 0, b[i] = 1, c[i] = 2;  // first touched where it is used
  const auto copy = time_calls(repeat, [&] {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < n; ++i) a[i] = b[i];
  });
  const auto triad = time_calls(repeat, [&] {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 3.0 * c[i];
  });
  return {2.0 * sizeof(double) * n / copy.median, 3.0 * sizeof(double) * n / triad.median};
}

double dgemm_rate(int threads, int repeat) {
  const WithThreads scope(threads);
  const int n = 1536;
  std::vector<double> a(std::size_t(n) * n, 0.5), b(a), c(a);
  const auto timing = time_calls(repeat, [&] {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, 1.0, a.data(), n, b.data(), n, 0.0,
                c.data(), n);
  });
  return 2.0 * n * n * n / timing.median;
}

double zgemm_rate(int threads, int repeat) {
  const WithThreads scope(threads);
  const int n = 1024;
  const Complex one = 1, zero = 0;
  std::vector<Complex> a(std::size_t(n) * n, {0.5, 0.1}), b(a), c(a);
  const auto timing = time_calls(repeat, [&] {
    cblas_zgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, &one, a.data(), n, b.data(), n, &zero,
                c.data(), n);
  });
  return 8.0 * n * n * n / timing.median;
}

std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

/// "L1 Data 48K, L1 Instruction 32K, ..." of the first processor, as the kernel lists them.
std::string cache_sizes() {
  const std::filesystem::path folder = "/sys/devices/system/cpu/cpu0/cache";
  std::vector<std::string> caches;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    if (!entry.path().filename().string().starts_with("index")) continue;
    caches.push_back(fmt::format("L{} {} {}", first_line(entry.path() / "level"),
                                 first_line(entry.path() / "type"), first_line(entry.path() / "size")));
  }
  std::ranges::sort(caches);
  return caches.empty() ? "not listed by this kernel" : fmt::format("{}", fmt::join(caches, ", "));
}

void measure_host(const Options& options, Report& report) {
  const int all = num_threads();
  report.table(fmt::format("Limits of the CPU: {}", processor_name()),
               {"quantity", "1 thread", "all threads", "unit"});
  const auto row = [&](const char* name, const char* unit, double scale, auto&& measure) {
    report.row({name, measure(1) * scale, measure(all) * scale, unit});
  };
  const Bandwidth one = bandwidth(1, options.repeat), many = bandwidth(all, options.repeat);
  report.row({"memory, copy", one.copy * 1e-9, many.copy * 1e-9, "GB/s"});
  report.row({"memory, triad", one.triad * 1e-9, many.triad * 1e-9, "GB/s"});
  row("fused multiply-add, double", "GFLOP/s", 1e-9,
      [&](int t) { return fma_rate<double>(t, options.repeat); });
  row("fused multiply-add, single", "GFLOP/s", 1e-9,
      [&](int t) { return fma_rate<float>(t, options.repeat); });
  row("dgemm, n = 1536", "GFLOP/s", 1e-9, [&](int t) { return dgemm_rate(t, options.repeat); });
  row("zgemm, n = 1024", "GFLOP/s", 1e-9, [&](int t) { return zgemm_rate(t, options.repeat); });
  report.note(
      fmt::format("{} threads; vectors of {} bytes (built for {})", all, vector_bytes, CURLEW_BUILD_ARCH));
  report.note(fmt::format("BLAS: {}", linalg::blas_description()));
  report.note(fmt::format("caches: {}", cache_sizes()));
  report.note(fmt::format("memory: {:.1f} GiB available", gib(available_memory())));
}

void measure_device(const Options& options, Report& report) {
#ifdef CURLEW_HAVE_CUDA
  const DeviceInfo device = device_info();
  const DeviceLimits limits = measure_device_limits(options.repeat);
  report.table(fmt::format("Limits of the GPU: {}", device.name), {"quantity", "measured", "unit"});
  report.row({"memory, copy (read + write)", limits.copy_bytes_per_s * 1e-9, "GB/s"});
  report.row({"memory, read", limits.read_bytes_per_s * 1e-9, "GB/s"});
  report.row({"fused multiply-add, double", limits.fma64_flops * 1e-12, "TFLOP/s"});
  report.row({"fused multiply-add, single", limits.fma32_flops * 1e-12, "TFLOP/s"});
  report.row({"sine (special function unit)", limits.special_per_s * 1e-12, "T/s"});
  report.row({"zgemm, n = 4096 (cuBLAS)", limits.zgemm_flops * 1e-12, "TFLOP/s"});
  report.row({"kernel launch, in a stream", limits.launch_s * 1e6, "us"});
  report.row({"kernel launch and wait", limits.round_trip_s * 1e6, "us"});
  report.note(fmt::format(
      "compute capability {}.{}, {} multiprocessors, {:.1f} of {:.1f} GiB free; arrays of {:.1f} GiB",
      device.major, device.minor, device.multiprocessors, gib(device.free_memory), gib(device.total_memory),
      gib(limits.array_bytes)));
#else
  static_cast<void>(options), static_cast<void>(report);
#endif
}

}  // namespace

void limits(const Options& options, Report& report) {
  if (wants(options, "cpu")) measure_host(options, report);
  if (options.device == Device::cuda && wants(options, "cuda")) measure_device(options, report);
}

}  // namespace curlew::bench
