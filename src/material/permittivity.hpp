// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The materials of ie-solve's equations, all by the same keys as fem-solve's.

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "io/config.hpp"
#include "material/medium.hpp"

namespace curlew::material {

/// Relative permittivity by frequency [Hz], Im <= 0.
using Permittivity = std::function<Complex(double)>;

/// Permittivity of a [[material]], for equations without magnetic media. @throws InputError for values out of
/// range, and for mu_r other than 1
Permittivity read_dielectric(const io::Config& table);

/// The same of a film or slab, a [[boundary]] with a thickness: of the [[material]] with its regions.
/// @throws InputError if there is none
Permittivity read_layer(const io::Config& config, const io::Config& boundary);

/// Every [[material]] but those of films and slabs.
std::vector<io::Config> media_of_volumes(const io::Config& config);

}  // namespace curlew::material
