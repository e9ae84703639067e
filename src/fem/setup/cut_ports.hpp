// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ports cut by planes of symmetry: the model is then a part of its structure, even without [[symmetry]].

#include <vector>

#include "fem/model/symmetry_planes.hpp"
#include "fem/setup/maxwell_setup.hpp"

namespace curlew::fem {

/// Planes of symmetry that cut a port and are not in [[symmetry]], each once: pmc boundaries. Impedances are
/// those of the whole structure behind them too (fem/model/symmetry_planes.hpp).
std::vector<MirrorPlane> unstated_planes(const MaxwellSetup& setup);

/// Power of the whole structure over that of the modelled part: 2 for each plane, whether or not [[symmetry]]
/// names it.
double copies_of_whole(const MaxwellSetup& setup);

/// Sources other than ports are checked for symmetry only at planes named in [[symmetry]].
/// @throws InputError if another plane cuts a port
void require_stated_planes(const io::Config& config, const MaxwellSetup& setup);

}  // namespace curlew::fem
