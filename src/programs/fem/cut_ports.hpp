// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ports that planes of symmetry cut: the model is then a part of its structure, whether or not [[symmetry]]
// says so.

#include <vector>

#include "fem/model/symmetry_planes.hpp"
#include "programs/fem/maxwell_setup.hpp"

namespace curlew::programs {

/// Planes of symmetry that cut a port and that no [[symmetry]] states, each once: pmc boundaries. Impedances
/// are those of the whole structure behind them too (fem/model/symmetry_planes.hpp).
std::vector<fem::MirrorPlane> unstated_planes(const MaxwellSetup& setup);

/// Power of the whole structure over that of the modelled part: 2 for each plane, stated or not.
double copies_of_whole(const MaxwellSetup& setup);

/// Sources other than ports share the symmetry or are cut by it, which only stated planes are checked for.
/// @throws InputError where an unstated plane cuts a port
void require_stated_planes(const io::Config& config, const MaxwellSetup& setup);

}  // namespace curlew::programs
