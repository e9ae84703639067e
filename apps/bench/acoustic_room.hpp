// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rooms several wavelengths large: the acoustic problems of tables 10 to 12 of Cheik Ahamed and Magoules.

#include <array>
#include <vector>

#include "bench/sparse_matrices.hpp"

namespace curlew::bench {

/// -div grad - k^2 on a box of trilinear hexahedra with rigid walls, a lining of ten times the air's
/// impedance on the floor, and a quarter of one wall that moves: complex symmetric, and a right-hand side on
/// few nodes. The paper's geometries are not published; a box has its volume, its mesh width and, within 5 %,
/// its rows.
struct AcousticRoom {
  linalg::Csr<Complex> a;
  std::vector<Complex> b;
  std::array<Index, 3> nodes;  ///< along the sides
  double first_resonance = 0;  ///< least wave number above 0 of the room without its lining [1/m]
  int resonances = 0;          ///< of those, up to k
};
/// @throws InputError if no box has these rows, or fewer than three resonances are below k
AcousticRoom acoustic_room(const AcousticCase& which);

}  // namespace curlew::bench
