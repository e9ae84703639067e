// SPDX-License-Identifier: BSD-3-Clause
// Table 9 of A.-K. Cheik Ahamed, F. Magoules (HPCC 2014): the product of compressed rows in complex double on
// acoustic matrices, one core of an Intel Core i7 920 and a Tesla K20c.
#include <array>

#include "base/device.hpp"
#include "base/threads.hpp"
#include "bench/sparse_matrices.hpp"
#include "bench/spmv_parts.hpp"
#include "curlew/build.hpp"

namespace curlew::bench {
namespace {

/// Table 1 does not print its size: nonzeros by table 9 (0.07 ms at 0.12 GFLOP/s, of 8 operations each), rows
/// of a box that has as many.
const AcousticCase audi_0{"Audi3D-0", 230, 1050, 0.26685, 3.5, {}};

/// Milliseconds as printed: Audi3D-0, then in the order of acoustic_cases().
struct Printed {
  double cpu_ms, gpu_ms;
};
constexpr std::array<Printed, 11> table_9 = {{{0.01, 0.07},
                                              {0.20, 0.11},
                                              {2.22, 0.37},
                                              {20.00, 2.22},
                                              {180.00, 18.33},
                                              {1.67, 0.28},
                                              {15.71, 1.79},
                                              {140.00, 14.29},
                                              {0.37, 0.13},
                                              {3.70, 0.53},
                                              {36.67, 4.00}}};

double host_seconds(const linalg::Csr<Complex>& a, int repeat) {
  const auto x = product_vector<double>(a.num_cols);
  std::vector<Complex> y(std::size_t(a.num_rows));
  return time_calls(3 * repeat, [&] { linalg::multiply(a, x.data(), y.data()); }).median;
}

}  // namespace

void spmv_acoustic(const Options& options, Report& report) {
  const bool on_device = options.device == Device::cuda;
  report.table("Table 9: compressed rows in complex double [ms], " + std::to_string(num_threads()) +
                   " CPU threads; boxes with the paper's sizes",
               {"matrix", "rows", "nonzeros", "CPU", "GFLOP/s", "GPU", "GFLOP/s", "CPU/GPU", "cuSPARSE",
                "packed", "paper CPU", "paper GPU", "paper CPU/GPU"});
  for (std::size_t i = 0; i < table_9.size(); ++i) {
    const AcousticCase& c = i == 0 ? audi_0 : acoustic_cases()[i - 1];
    const auto a = acoustic_matrix(c);
    const double flops = 8e-9 * double(a.nnz()), host = host_seconds(a, options.repeat);
    DeviceProducts device{};
#ifdef CURLEW_HAVE_CUDA
    if (on_device) device = product_seconds_on_device(a, options.repeat);
#endif
    const auto shown = [&](double figure) { return on_device ? nlohmann::json(figure) : nullptr; };
    const Printed& p = table_9[i];
    report.row({c.name, a.num_rows, a.nnz(), 1e3 * host, flops / host, shown(1e3 * device.crs),
                shown(flops / device.crs), shown(host / device.crs), shown(1e3 * device.peer),
                shown(1e3 * device.packed), p.cpu_ms, p.gpu_ms, p.cpu_ms / p.gpu_ms});
  }
  report.note(
      "warm: calls in a row; cuSPARSE: its best format; a digit of Audi3D-4 is missing in the paper; the "
      "size "
      "of Audi3D-0 is inferred from its times");
}

}  // namespace curlew::bench
