// SPDX-License-Identifier: BSD-3-Clause
// em-bench vector: tables 3 to 8 of A.-K. Cheik Ahamed, F. Magoules, "Accelerated solution of Helmholtz
// equation with iterative Krylov methods on GPU", HPCC 2014: level-1 operations in complex double, beside
// cuBLAS on a GPU.
#include "bench/vector_parts.hpp"

#include <fmt/format.h>

#include "base/threads.hpp"
#include "bench/cases.hpp"
#include "curlew/build.hpp"
#include "linalg/vector/host_backend.hpp"
#include "linalg/vector/level1.hpp"

namespace curlew::bench {

const std::vector<VectorOperation>& vector_operations() {
  // Milliseconds on a Tesla K20c (gpu#0) and on a core of an Intel Core i7 920, sizes as vector_sizes().
  static const std::vector<VectorOperation> operations = {
      {"assign",
       "Table 3: ZASSIGN",
       2,
       {0.07, 0.13, 0.22, 1.61, 1.75, 2.56},
       {0.10, 0.75, 2.04, 15.71, 20.00, 27.50}},
      {"scale",
       "Table 4: ZSCAL",
       2,
       {0.07, 0.15, 0.29, 1.75, 2.38, 3.13},
       {0.81, 4.17, 8.33, 65.00, 85.00, 120.00}},
      {"axpy",
       "Table 5: ZAXPY",
       3,
       {0.08, 0.23, 0.42, 2.70, 3.23, 5.00},
       {0.83, 4.17, 8.33, 65.00, 85.00, 130.00}},
      {"multiply",
       "Table 6: ZAXMY",
       3,
       {0.09, 0.21, 0.37, 3.13, 3.45, 5.00},
       {1.37, 6.25, 13.75, 100.00, 130.00, 190.00}},
      {"dot",
       "Table 7: ZDOT",
       2,
       {0.12, 0.27, 0.42, 2.70, 3.45, 5.26},
       {0.88, 4.55, 9.09, 70.00, 90.00, 130.00}},
      {"norm",
       "Table 8: ZNORM",
       1,
       {0.13, 0.25, 0.43, 2.78, 3.45, 5.00},
       {1.72, 7.69, 16.67, 140.00, 170.00, 260.00}},
      {"axpy_norm", "axpy and norm in one pass", 3, {}, {}}};
  return operations;
}

const std::vector<Offset>& vector_sizes() {
  static const std::vector<Offset> sizes = {100000, 500000, 1000000, 8000000, 10000000, 15000000};
  return sizes;
}

HostVectors::HostVectors()
    : x_(std::size_t(vector_sizes().back()), {0.3, -0.2}), y_(std::size_t(vector_sizes().back()), {1, 0.5}) {}

double HostVectors::seconds(const std::string& operation, Offset n, int repeat) {
  linalg::HostBackend backend;
  linalg::Sum dot;
  double norm = 0;
  return time_calls(repeat,
                    [&] { run_vector_operation(operation, backend, n, x_.data(), y_.data(), &dot, &norm); })
      .median;
}

namespace {

void vector_on_cpu(const Options& options, Report& report) {
  HostVectors host;
  for (const VectorOperation& op : vector_operations()) {
    report.table(op.title + fmt::format(", complex double, {} CPU threads", num_threads()),
                 {"n", "ms", "GB/s", "paper CPU [ms]", "x paper CPU"});
    for (std::size_t i = 0; i < vector_sizes().size(); ++i) {
      const Offset n = vector_sizes()[i];
      const double seconds = host.seconds(op.name, n, options.repeat);
      const bool has_paper = i < op.paper_cpu_ms.size();
      report.row({std::to_string(n), 1e3 * seconds, 1e-9 * 16.0 * op.vectors * double(n) / seconds,
                  has_paper ? nlohmann::json(op.paper_cpu_ms[i]) : nullptr,
                  has_paper ? nlohmann::json(1e-3 * op.paper_cpu_ms[i] / seconds) : nullptr});
    }
  }
}

}  // namespace

void vector(const Options& options, Report& report) {
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda) {
    vector_on_device(options, report);
    return;
  }
#endif
  vector_on_cpu(options, report);
}

}  // namespace curlew::bench
