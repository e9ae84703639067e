// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The Nédélec space split into gradients and a complement without gradients, by a change of basis x = T y: at
// each edge of a spanning tree the gradient of a vertex's λ takes the place of the edge's function; the
// gradients of higher order are functions of the basis already. Conductors count as one vertex. Unknowns keep
// their numbers. Source: Albanese and Rubinacci (1988), IEE Proc. A 135(7), tree and cotree; Manges and
// Cendes (1995), IEEE Trans. Magn. 31(3), the same as a basis of gradients.

#include <vector>

#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

struct GradientSplit {
  std::vector<char> is_gradient;   ///< [num_dofs] of y: the function is the gradient of a scalar
  std::vector<char> is_conductor;  ///< [num_dofs] of y: the scalar is the potential of a whole conductor
  linalg::Csr<double> basis;       ///< T [num_dofs, num_dofs]
};

/// Conductors are the connected sets of constrained edges; one conductor of every connected part of the mesh
/// is the ground, or one vertex if there is no conductor.
GradientSplit split_gradients(const NedelecSpace& space);

}  // namespace curlew::fem
