// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Dielectrics of ie-solve's equations, by the keys of [[material]].

#include <functional>
#include <span>
#include <string>

#include "base/types.hpp"
#include "io/config.hpp"

namespace curlew::material {

/// Relative permittivity by frequency [Hz], Im <= 0.
using Permittivity = std::function<Complex(double)>;

/// For equations without magnetic media. @throws InputError for values out of range, mu_r other than 1, and
/// without epsilon_r, model and table
Permittivity read_dielectric(const io::Config& table);

/// The same of a film or slab: of the [[material]] that has all regions of its [[boundary]].
/// @throws InputError without it
Permittivity read_layer_dielectric(const io::Config& config, const io::Config& boundary);

/// Whether a [[material]] is that of `regions`.
bool has_regions(const io::Config& material, std::span<const std::string> regions);

}  // namespace curlew::material
