// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of `em-bench spmv`: one matrix on the GPU, its nine blocks, one matrix on the CPU.

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "bench/cases.hpp"
#include "exact_product.hpp"
#include "linalg/csr.hpp"
#include "linalg/sparse/ell.hpp"

namespace curlew::bench {

struct SpmvMatrix {
  std::string name;
  linalg::Csr<Complex> a;
  std::array<Index, 4> offsets{};  ///< of the three orders; zeros where there are no blocks
  bool is_antenna = false;         ///< the paper's figures apply
};

/// Bytes that compressed rows must move: w per value, 4 per column and row, x read and y written once.
double crs_traffic(Offset nnz, Index rows, double w);

/// Complex single from complex double.
linalg::Csr<ComplexF> to_single(const linalg::Csr<Complex>& a);

/// Numbers in [-1, 1] without a pattern. R is double or float.
template <class R>
std::vector<std::complex<R>> product_vector(Index n) {
  std::vector<std::complex<R>> x;
  for (Index i = 0; i < n; ++i) x.emplace_back(R((i * 37 % 101) - 50) / 50, R((i * 53 % 97) - 48) / 48);
  return x;
}

/// Largest error of a correct product: units of the last place of the row of |A| |x|.
constexpr double product_ulps = 50;

/// The error of a product. @throws NumericalError naming the product if it is above `ulps`
template <class T>
double check_product(const std::string& name, const linalg::ExactProduct& exact, const std::vector<T>& y,
                     double ulps = product_ulps) {
  const double error = linalg::error_in_ulps(exact, y);
  if (error > ulps)
    throw NumericalError(fmt::format(
        "em-bench: wrong product: {}: {:.3g} units in the last place of a row's sum", name, error));
  return error;
}

/// Options chosen by row statistics for one member of the family.
linalg::EllOptions ell_options(linalg::EllKind kind, const std::vector<Offset>& row_offsets);
/// Sliced ELL; Sliced ELLR-T with the T that is chosen, and with the paper's others.
std::vector<std::pair<std::string, linalg::EllOptions>> sliced_formats(
    const std::vector<Offset>& row_offsets);

void spmv_on_cpu(const SpmvMatrix& matrix, const Options& options, Report& report);
/// Table 9 of the Krylov paper: compressed rows on acoustic matrices, here and there.
void spmv_acoustic(const Options& options, Report& report);

/// For builds with CUDA.
struct DeviceProducts {
  double peer, crs, packed;  ///< seconds of warm calls: the best of cuSPARSE, ours
};
DeviceProducts product_seconds_on_device(const linalg::Csr<Complex>& a, int repeat);
void spmv_on_device(const SpmvMatrix& matrix, const Options& options, Report& report);
void spmv_blocks_on_device(const SpmvMatrix& matrix, const Options& options, Report& report);

}  // namespace curlew::bench
