// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Functions of surfaces that meet at edges: bodies that touch, conductors on dielectrics, sheets between
// media. Around an edge, conductors divide space into sectors. Within a sector n x H flows along the boundary
// of each region, and H along the edge is the same in all regions: one unknown of J, whose function crosses
// the edge on every surface in the sector and on the adjacent sides of the conductors. Without a conductor it
// crosses on all surfaces, and one unknown of M does so too; E along an edge of a conductor is zero. Source:
// Yla-Oijala, Taskinen, Sarvas (2005), PIER 52, 81, sections 3 and 4; Putnam and Medgyesi-Mitschang (1991),
// IEEE Trans. Antennas Propag. 39(5), 667.

#include "ie/surface/problem.hpp"
#include "ie/surface/rwg.hpp"

namespace curlew::ie {

/// Functions of a problem; those of RwgSpace at edges without junctions of media or closed conductors.
struct Junctions {
  RwgSpace space;
  bool has_any;  ///< there are junctions
};
Junctions make_functions(const Problem& problem, const Scene& scene);

}  // namespace curlew::ie
