// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Matrices of a Lagrange space in CSR on all threads,
//   K_ab = int d grad phi_a . grad phi_b dV,   M_ab = int r phi_a phi_b dV,
// with a diffusion d and a reaction r per cell. Each row is summed by one thread in the order of the cells
// along a curve, so the result has the same bits for any number of threads. The pattern is made once.

#include <memory>
#include <vector>

#include "base/types.hpp"
#include "fem/lagrange/lagrange_space.hpp"
#include "fem/lagrange/scalar_cell_matrix.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// Keeps a reference to the space.
class ScalarAssembler {
 public:
  /// @throws InputError if a cell has no volume or a curved one is folded
  explicit ScalarAssembler(const LagrangeSpace& space);
  ~ScalarAssembler();
  ScalarAssembler(ScalarAssembler&&) noexcept;
  ScalarAssembler& operator=(ScalarAssembler&&) noexcept;

  const LagrangeSpace& space() const;
  Offset nnz() const;
  /// Rows and columns of all nodes, free and fixed, zero values. T is double or Complex.
  /// @throws ResourceError if it does not fit into memory
  template <class T>
  linalg::Csr<T> create_matrix() const;
  /// values = alpha K + beta M in one pass. @param[out] values [nnz] in the order of create_matrix;
  /// overwritten
  /// @throws InputError for T = double unless the coefficients are real
  template <class T>
  void assemble(const ScalarCoefficients& coefficients, T alpha, T beta, T* values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace curlew::fem
