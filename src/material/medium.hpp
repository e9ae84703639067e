// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One [[material]] table, read in the same way by every program: epsilon_r - j tan δ Re ε_r - jσ/(ωε0) +
// dispersion, and mu_r. exp(+jωt): loss is Im < 0.

#include "base/types.hpp"
#include "io/config.hpp"
#include "material/dispersion.hpp"

namespace curlew::material {

/// Row-major, 3 x 3.
using Tensor = io::Tensor3;

/// True for a multiple of the unit tensor.
bool is_isotropic(const Tensor& t);

struct Medium {
  Tensor epsilon_r{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};  ///< without the losses below
  Tensor mu_r{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  double loss_tangent = 0;  ///< >= 0, of the real part of epsilon_r (of a tensor: of its Hermitian part)
  double conductivity = 0;  ///< [S/m] >= 0
  Dispersion dispersion{};  ///< added to every diagonal entry

  /// Permittivity of an isotropic medium at a frequency [Hz]. @throws InputError for frequencies outside of a
  /// table
  Complex permittivity(Complex frequency) const;
};

/// The tensor with its loss tangent: t - j tan δ (t + tᴴ)/2.
Tensor with_loss_tangent(const Tensor& t, double loss_tangent);
/// σ/(jωε0) + dispersion, on the diagonal. @param frequency [Hz], complex for decaying modes
Complex added_permittivity(double conductivity, const Dispersion& dispersion, Complex frequency);

enum class MediumKind {
  tensor,     ///< epsilon_r and mu_r may be tensors
  isotropic,  ///< both are numbers
  stated      ///< isotropic, and epsilon_r, a conductivity, a model or a table must be given
};

/// Keys epsilon_r, mu_r (1 if not given), loss_tangent, conductivity, model, table. A medium with gain causes
/// a warning. @throws InputError for values out of range
Medium read_medium(const io::Config& table, MediumKind kind);

}  // namespace curlew::material
