// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Overlapping Schwarz: the lowest order in subdomains if one factorisation would be too large. All subdomains
// form one block-diagonal matrix. On the CPU one thread factorises and solves each block of a symmetric
// matrix (block_factors.hpp), MUMPS factorises others at once; on the GPU cuDSS does.

#include <memory>

#include "linalg/krylov/cell_matrices.hpp"
#include "linalg/krylov/coarse_solver.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

struct SchwarzOptions {
  Index parts = 1;         ///< subdomains; 1: none, the full matrix is factorised
  int overlap = 2;         ///< layers of neighbours added to a subdomain
  bool symmetric = false;  ///< weights for complex symmetric Krylov methods; more iterations
  /// Functions of each subdomain in the coarse space, more if more waves cross its boundary
  /// (coarse_space.hpp); 0: none. Not used if symmetric.
  Index vectors = 0;
  const CellMatrices* cells = nullptr;  ///< cells of the matrix: impedances between subdomains
  int sampling_steps = 2;               ///< iteration steps applied to the random vectors that span it
};

/// @param size of the matrix that factor will be given
std::unique_ptr<CoarseSolver<LinearOperator<Complex>>> make_coarse_solver(Index size,
                                                                          const DirectOptions& direct,
                                                                          const SchwarzOptions& schwarz);
/// The same on the GPU. For builds with CUDA.
std::unique_ptr<CoarseSolver<DeviceOperator<complex<double>>>> make_device_coarse_solver(
    Index size, const DirectOptions& direct, const SchwarzOptions& schwarz);

}  // namespace curlew::linalg
