// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The matrix of one cell with its medium, also in a perfectly matched layer. There coordinates are complex, F
// = dx~/dx (fem/open/stretching.hpp), and with J the Jacobian of the cell
//   K_ab = int (F^-1 grad phi_a).(F^-1 grad phi_b) det F dV,   M_ab = int phi_a phi_b det F dV.
// Source: Bermudez, Hervella-Nieto, Prieto, Rodriguez (2007), Journal of Computational Physics 223.

#include <vector>

#include "fem/lagrange/lagrange_space.hpp"
#include "fem/lagrange/scalar_elements.hpp"
#include "fem/open/stretching.hpp"

namespace curlew::fem {

/// Coefficients by material, and which material fills which cell.
struct ScalarCoefficients {
  std::vector<Complex> diffusion, reaction;  ///< [num_materials]
  std::vector<Index> cell_material;          ///< [num_cells]; empty: material 0 everywhere
  std::vector<Stretching> layers{};          ///< perfectly matched ones
  std::vector<Index> cell_layer{};           ///< [num_cells] -1 outside of layers; empty: no layer
  std::size_t material_of(Index cell) const {
    return cell_material.empty() ? 0 : std::size_t(cell_material[std::size_t(cell)]);
  }
  /// Null outside of layers.
  const Stretching* layer_of(Index cell) const {
    const Index layer = cell_layer.empty() ? -1 : cell_layer[std::size_t(cell)];
    return layer < 0 ? nullptr : &layers[std::size_t(layer)];
  }
  bool is_real() const;
};

/// Computes alpha d K + beta r M cell by cell. Work space of one thread; T is double or Complex.
template <class T>
class ScalarCellMatrix {
 public:
  /// All arguments must outlive this object. @param table rule of curved cells and of layers
  ScalarCellMatrix(const LagrangeSpace& space, const ScalarCoefficients& coefficients,
                   const ScalarTable& table);
  void compute(Index cell, bool is_curved, T alpha, T beta);
  void compute(Index cell, T alpha, T beta);
  const T* entries() const { return entries_.data(); }  ///< [dim, dim]

 private:
  const LagrangeSpace& space_;
  const ScalarCoefficients& coefficients_;
  const ScalarTable& table_;
  ScalarElements element_;
  std::vector<Complex> stiffness_, mass_;  // of layers
  std::vector<T> entries_;
};

}  // namespace curlew::fem
