// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A plane wave that enters through a closed surface: inside the unknown is the total field, on the surface
// and beyond (layers, absorbing boundaries) the scattered one. Ports and metal inside then need no equivalent
// sources. With I e the interpolated trace of the wave on the surface and n outward,
//   b_a = -int_cells (curl W_a).(curl I e) - k^2 W_a.I e dV - int W_a.(n x curl E_inc) dS,
// over the cells inside that touch the surface. Source: Jin (2014), The Finite Element Method in
// Electromagnetics, 3rd ed., section 12.5 (total- and scattered-field decomposition).

#include <vector>

#include "fem/open/known_field.hpp"
#include "fem/open/radiating_surface.hpp"

namespace curlew::fem {

/// Unknowns of the wave's trace on the surface, zero elsewhere: total = solution + trace inside. [num_dofs]
std::vector<Complex> wave_trace(const NedelecSpace& space, const RadiatingSurface& surface,
                                const IncidentField& wave);
/// b [num_dofs]. @param surface whose cells are inside; for cells outside it gives -b of another form, in
/// which the trace belongs to the cells inside
std::vector<Complex> wave_load(const NedelecSpace& space, const RadiatingSurface& surface,
                               const IncidentField& wave, double k0);

}  // namespace curlew::fem
