// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The materials of ie-solve's equations, all by the same keys as fem-solve's.

#include <functional>

#include "base/types.hpp"
#include "io/config.hpp"
#include "material/medium.hpp"

namespace curlew::material {

/// Relative permittivity by frequency [Hz], Im <= 0.
using Permittivity = std::function<Complex(double)>;

/// Reads of a film or slab epsilon_r (default with a model: 1), loss_tangent, conductivity [S/m], and model:
/// one dispersive pole or a list of them, which are added; or of a table by frequency. @throws InputError for
/// values out of range
Permittivity read_permittivity(const io::Config& table, MediumKind kind = MediumKind::surface);

/// The same of a volume, for equations without magnetic media. @throws InputError for mu_r other than 1
Permittivity read_dielectric(const io::Config& table);

}  // namespace curlew::material
