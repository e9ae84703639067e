// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of `em-bench spmv`: one matrix on the GPU, its nine blocks, one matrix on the CPU.

#include <array>
#include <string>

#include "bench/cases.hpp"
#include "linalg/csr.hpp"

namespace curlew::bench {

struct SpmvMatrix {
  std::string name;
  linalg::Csr<Complex> a;
  std::array<Index, 4> offsets{};  ///< of the three orders; zeros where there are no blocks
  bool is_antenna = false;         ///< the paper's figures apply
};

/// Bytes that compressed rows must move: w a value, 4 a column and a row, x read and y written once.
double crs_traffic(Offset nnz, Index rows, double w);

/// Complex single from complex double.
linalg::Csr<ComplexF> to_single(const linalg::Csr<Complex>& a);

void spmv_on_cpu(const SpmvMatrix& matrix, const Options& options, Report& report);
/// For builds with CUDA.
void spmv_on_device(const SpmvMatrix& matrix, const Options& options, Report& report);
void spmv_blocks_on_device(const SpmvMatrix& matrix, const Options& options, Report& report);
void spmv_tuning_on_device(const SpmvMatrix& matrix, const Options& options, Report& report);

}  // namespace curlew::bench
