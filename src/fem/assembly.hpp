// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Curl-curl and mass matrices of a Nedelec space in CSR,
//   K_ab = int (curl W_a) . mu_r^-1 (curl W_b) dV  [1/m times m^2 of the unknowns' scaling],
//   M_ab = int W_a . eps_r W_b dV,
// on all threads. Straight cells use exact reference tensors, curved ones quadrature. Each row is summed by
// one thread in the order of the cells, so the result has the same bits for any number of threads.

#include <memory>

#include "base/types.hpp"
#include "fem/assembly_plan.hpp"
#include "fem/materials.hpp"
#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// Degree of the rule on curved cells: exact on straight ones, and enough for the rates of second-order
/// geometry.
constexpr int curved_degree(int order) {
  return order == 1 ? 3 : 2 * order + 2;
}

/// Degree of the rule on cells with stretched coordinates, whose constants are rational functions of
/// position.
constexpr int stretched_degree(int order) {
  return 2 * order + 4;
}

struct AssemblyOptions {
  /// Degree of the quadrature on curved cells; 0 takes curved_degree(order).
  int degree = 0;
  /// Treat every cell of a second-order mesh as curved, even where its edges are straight (benchmarks,
  /// tests).
  bool all_curved = false;
  /// Rows to be assembled; those of other shares are empty.
  RowShare share{};
};

/// Symbolic assembly, made once for a space: sparsity pattern, positions of element entries, cell geometry
/// classes. Keeps a reference to the space. About 250 bytes per cell at order 3.
class Assembler {
 public:
  /// @throws InputError if a cell has no volume
  explicit Assembler(const NedelecSpace& space, const AssemblyOptions& options = {});
  ~Assembler();
  Assembler(Assembler&&) noexcept;
  Assembler& operator=(Assembler&&) noexcept;

  const NedelecSpace& space() const;
  /// Stored entries of every matrix of this space, or of its share of rows.
  Offset nnz() const;
  /// A matrix with the space's pattern, or its share of rows, and zero values. T is double or Complex.
  /// @throws ResourceError if it does not fit into memory
  template <class T>
  linalg::Csr<T> create_matrix() const;

  /// values = alpha K + beta M in one pass, for a frequency: alpha = 1, beta = -k0^2.
  /// @param[out] values [nnz] in the order of create_matrix; what was there is overwritten
  /// @throws InputError for T = double unless alpha, beta and the materials are real
  template <class T>
  void assemble(const CellMaterials& materials, T alpha, T beta, T* values) const;
  /// Assembles both matrices, which combine() adds for many frequencies.
  /// @param[out] stiffness, mass [nnz]
  template <class T>
  void assemble_pair(const CellMaterials& materials, T* stiffness, T* mass) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// values[i] = alpha k[i] + beta m[i]: the system of another frequency without integrating again.
template <class T, class S>
void combine(std::size_t nnz, T alpha, const S* k, T beta, const S* m, T* values);

}  // namespace curlew::fem
