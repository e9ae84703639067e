// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of `em-bench krylov`.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bench/cases.hpp"
#include "linalg/csr.hpp"
#include "linalg/krylov/cell_matrices.hpp"
#include "linalg/krylov/options.hpp"

namespace curlew::bench {

/// Iterations and milliseconds per iteration of the paper's Tesla K20c; zeros where it has none.
struct PaperRun {
  int bicgstab, bicgstab8, tfqmr;
  double bicgstab_s, bicgstab8_s, tfqmr_s;
};

struct KrylovMatrix {
  std::string name;
  linalg::Csr<Complex> a;
  std::vector<Complex> b;
  PaperRun paper{};
  std::shared_ptr<const linalg::CellMatrices> cells{};  ///< null: not known
};

/// One of the paper's three methods, with the paper's figures.
struct PaperMethod {
  linalg::KrylovMethod method;
  const char* name;
  int iterations;
  double seconds;
};
std::array<PaperMethod, 3> paper_methods(const PaperRun& run);
/// To 1e-9, and to the last of 1000 iterations, as the paper's tables.
linalg::KrylovOptions paper_options(linalg::KrylovMethod method);
/// With all threads. @param most iterations
linalg::KrylovReport solve_on_cpu(const KrylovMatrix& matrix, linalg::KrylovMethod method, int most);

/// Bytes of one iteration with compressed rows and fused vector work: the floors of the tables.
double bicgstab_traffic(Offset nnz, Index rows);
double tfqmr_traffic(Offset nnz, Index rows);
double bicgstabl_traffic(Offset nnz, Index rows, int ell);

void krylov_on_cpu(const KrylovMatrix& matrix, const Options& options, Report& report);
/// For builds with CUDA.
void krylov_on_device(const KrylovMatrix& matrix, const Options& options, Report& report);
void krylov_iterations_on_device(const KrylovMatrix& matrix, const Options& options, Report& report);

}  // namespace curlew::bench
