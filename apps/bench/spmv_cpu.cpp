// SPDX-License-Identifier: BSD-3-Clause
// Products on the CPU, beside Eigen's compressed rows with as many threads.
#include <Eigen/Sparse>

#include "base/threads.hpp"
#include "bench/spmv_parts.hpp"
#include "footprint.hpp"
#include "linalg/sparse/symmetric.hpp"

namespace curlew::bench {
namespace {

template <class T>
struct Context {
  const linalg::Csr<T>& a;
  std::vector<T> x, y;
  linalg::ExactProduct exact;
  Report& report;
  int repeat;
  double eigen_seconds = 0;

  template <class F>
  double measure(const std::string& name, double bytes, F&& call) {
    std::fill(y.begin(), y.end(), T(99));
    call();
    const double error = check_product(name, exact, y);
    const Timing t = time_calls(3 * repeat, call);
    if (eigen_seconds == 0) eigen_seconds = t.median;
    report.row({name, 1e-6 * bytes, bytes / double(a.nnz()), 1e3 * t.median,
                8e-9 * double(a.nnz()) / t.median, 1e-9 * bytes / t.median, eigen_seconds / t.median, error});
    return t.median;
  }
};

template <class R>
void measure_all(const SpmvMatrix& m, const linalg::Csr<std::complex<R>>& a, const Options& options,
                 Report& report) {
  using T = std::complex<R>;
  report.table(std::string(sizeof(R) == 8 ? "Complex double" : "Complex single") + " on the CPU, " +
                   std::to_string(num_threads()) + " threads, " + m.name,
               {"format", "MB", "B/nnz", "ms", "GFLOP/s", "GB/s", "x Eigen", "error [ulp]"});
  Context<T> c{
      a, product_vector<R>(a.num_cols), std::vector<T>(std::size_t(a.num_rows)), {}, report, options.repeat};
  c.exact = linalg::exact_product(a, c.x);

  const std::vector<Index> offsets(a.row_offsets.begin(), a.row_offsets.end());
  Eigen::setNbThreads(num_threads());
  const Eigen::Map<const Eigen::SparseMatrix<T, Eigen::RowMajor, Index>> eigen_a(
      a.num_rows, a.num_cols, a.nnz(), offsets.data(), a.columns.data(), a.values.data());
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  const Eigen::Map<const Vector> eigen_x(c.x.data(), a.num_cols);
  Eigen::Map<Vector> eigen_y(c.y.data(), a.num_rows);
  const double crs_bytes = double(linalg::stored_bytes(a));
  c.measure("Eigen CSR", crs_bytes, [&] { eigen_y.noalias() = eigen_a * eigen_x; });
  c.measure("CRS", crs_bytes, [&] { linalg::multiply(a, c.x.data(), c.y.data()); });
  if (a.num_rows == a.num_cols && linalg::asymmetry(a) == 0) {
    linalg::SymmetricCrs<R> s(a);
    c.measure(s.is_real() ? "symmetric CRS, real" : "symmetric CRS", double(s.stored_bytes()),
              [&] { s.multiply(c.x.data(), c.y.data()); });
  }
}

}  // namespace

void spmv_on_cpu(const SpmvMatrix& m, const Options& options, Report& report) {
  measure_all<double>(m, m.a, options, report);
  measure_all<float>(m, to_single(m.a), options, report);
  if (m.is_antenna) report.note("paper: MKL, six cores of a Xeon 5680, complex single: 10.32 GFLOP/s");
}

}  // namespace curlew::bench
