// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Equivalent currents of a finite element solution on a surface, J = n x H and M = -n x E, n outward.
//
// E is the trace. H is not taken from curl E, which is an order less accurate, but from the weak form: on the
// cells L of one side of the surface, for every W_a with a trace on it,
//   int_L (curl W_a).mu_r^-1 (curl E) - k0^2 W_a.eps_r E dV = -+jw mu0 int W_a.J dS,
// and J is sought in the space of traces. Far fields out of it converge with twice the order.
// Source: Carey, Chow and Seager (1985), Computer Methods in Applied Mechanics and Engineering 50 (fluxes out
// of residuals); Monk and Suli (1998), SIAM Journal on Numerical Analysis 36 (far fields).

#include <vector>

#include "fem/materials.hpp"
#include "fem/open/radiating_surface.hpp"
#include "fem/space.hpp"
#include "fields/surface_currents.hpp"

namespace curlew::fem {

/// The points of a rule of a degree on the surface; normals away from the sources.
fields::SurfacePoints surface_points(const NedelecSpace& space, const RadiatingSurface& surface, int degree);

/// int_L (curl W_a).(curl E) - k0^2 W_a.E dV over cells L of vacuum.
/// @param dofs unknowns a, ascending @param x [num_dofs, count] @return [dofs, count]
std::vector<Complex> vacuum_residual(const NedelecSpace& space, const std::vector<Index>& cells,
                                     const std::vector<Index>& dofs, const Complex* x, Index count,
                                     double k0);

struct EquivalentCurrents {
  fields::SurfacePoints points;
  fields::SurfaceCurrents currents;
};

/// @param x [num_dofs, count] column-major
/// @param frequency [Hz]
/// @throws InputError if the side where the currents are taken is not vacuum
EquivalentCurrents equivalent_currents(const NedelecSpace& space, const CellMaterials& materials,
                                       const RadiatingSurface& surface, const Complex* x, Index count,
                                       double frequency);

}  // namespace curlew::fem
