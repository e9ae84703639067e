// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Schaubert-Wilton-Glisson functions: the electric flux density in tetrahedra of any permittivity. One
// function for every face of the body, f = a (r - p)/(3 V) away from the opposite corner p in the face's
// first cell and towards it in the second, with f . n = 1 on the face; on the body's surface only the half in
// one cell. Source: Schaubert, Wilton and Glisson (1984), IEEE Trans. Antennas Propag. 32, 77.

#include <array>
#include <vector>

#include "mesh/topology.hpp"

namespace curlew::ie {

struct SwgBasis {
  std::vector<Index> cells;                          ///< of the mesh: the body, [num_cells]
  std::vector<std::array<Vec3<double>, 4>> corners;  ///< [num_cells] [m]
  std::vector<double> volume;                        ///< [num_cells] [m^3]
  std::vector<std::array<Index, 4>> unknown;         ///< [num_cells] function on the face opposite corner i
  std::vector<std::array<double, 4>>
      factor;  ///< [num_cells] f = factor (r - corner i), div f = 3 factor [1/m]
  std::vector<std::array<Vec3<double>, 3>> face;  ///< [functions] corners of the face [m]
  std::vector<std::array<Index, 2>>
      face_cells;  ///< [functions] positions in `cells`; the second is -1 outside

  Index num_functions() const { return Index(face.size()); }
  Index num_cells() const { return Index(cells.size()); }
};

/// @param in_body [mesh.num_cells()] cells that are part of the body
/// @throws InputError if no cell is, if the mesh is curved (SWG functions need flat faces) or a cell is flat
SwgBasis make_swg(const mesh::Mesh& mesh, const mesh::Topology& topology, const std::vector<bool>& in_body);

}  // namespace curlew::ie
