// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_cell_matrix.hpp"

#include <algorithm>
#include <type_traits>

#include "base/narrow.hpp"
#include "fem/geometry.hpp"

namespace curlew::fem {
bool ScalarCoefficients::is_real() const {
  const auto real = [](Complex z) { return z.imag() == 0; };
  return layers.empty() && std::all_of(diffusion.begin(), diffusion.end(), real) &&
         std::all_of(reaction.begin(), reaction.end(), real);
}

template <class T>
ScalarCellMatrix<T>::ScalarCellMatrix(const LagrangeSpace& space, const ScalarCoefficients& coefficients,
                                      const ScalarTable& table)
    : space_(space),
      coefficients_(coefficients),
      table_(table),
      element_(space.order, &table),
      entries_(std::size_t(lagrange_dim(space.order) * lagrange_dim(space.order))) {}

template <class T>
void ScalarCellMatrix<T>::compute(Index cell, T alpha, T beta) {
  compute(cell, space_.mesh->geometry_order == 2 && !is_straight(cell_geometry(*space_.mesh, cell)), alpha,
          beta);
}

template <class T>
void ScalarCellMatrix<T>::compute(Index cell, bool is_curved, T alpha, T beta) {
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  const std::size_t material = coefficients_.material_of(cell);
  const T k = alpha * narrow<T>(coefficients_.diffusion[material]),
          m = beta * narrow<T>(coefficients_.reaction[material]);
  const auto combine = [&](const auto* stiffness, const auto* mass) {
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i] = k * stiffness[i] + m * mass[i];
  };
  if constexpr (std::is_same_v<T, Complex>)
    if (const Stretching* layer = coefficients_.layer_of(cell)) {
      stiffness_.resize(entries_.size()), mass_.resize(entries_.size());
      stretched_matrices(
          table_, geometry, [&](Vec3<double> x) { return layer->gradient(x); }, stiffness_.data(),
          mass_.data());
      return combine(stiffness_.data(), mass_.data());
    }
  element_.compute(geometry, is_curved);
  combine(element_.stiffness(), element_.mass());
}

template class ScalarCellMatrix<double>;
template class ScalarCellMatrix<Complex>;

}  // namespace curlew::fem
