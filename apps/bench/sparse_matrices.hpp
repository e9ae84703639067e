// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The matrices of the sparse benches: generated ones with the papers' sizes, and any from a file.

#include <array>
#include <string>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::bench {

/// Rows and complex nonzeros of the nine blocks of Dziekonski's table 1. Its column "nnz (complex)" counts
/// real numbers: table 2's CRS bytes, and a mesh with these numbers of edges, faces and cells, fit half of
/// it.
struct BlockTable {
  std::array<Index, 3> rows;
  std::array<std::array<Offset, 3>, 3> nnz;
};
/// @param printed false: half of the printed nonzeros, 10 848 803 in all; true: as printed, 21 697 606
BlockTable antenna_table(bool printed);

struct BlockMatrix {
  linalg::Csr<Complex> a;
  std::array<Index, 4> offsets;  ///< of the three orders; zeros where there are fewer
  std::vector<Complex> rhs{};    ///< the first of a system.h5
};
/// Pattern of order-3 tetrahedra (8710 cells, 16019 faces, 8091 edges inside) on a box with a metal patch,
/// brought to the table's counts block by block with a longest row of 267 (printed: 2 x that); complex
/// symmetric values.
/// @param complex_share share of the box, from its far end, where values have imaginary parts (the PML)
BlockMatrix antenna_matrix(bool printed, double complex_share);

/// An acoustic matrix of Cheik Ahamed and Magoules, table 1: sizes, and the mesh width and wave number it was
/// made for.
struct AcousticCase {
  const char* name;
  Index rows;
  Offset nnz;
  double mesh_size;             ///< [m]
  double wave_number;           ///< [1/m]
  std::array<double, 3> sides;  ///< of a box that stands for its geometry [m]
};
const std::vector<AcousticCase>& acoustic_cases();

/// Trilinear hexahedra on a box with exactly these rows and nonzeros, for products: the box is flat, and
/// few waves fit (acoustic_room.hpp has rooms with waves). -div grad - k^2, walls held, one wall absorbing
/// (du/dn = -jku). Complex symmetric; imaginary parts at the absorbing wall only.
linalg::Csr<Complex> acoustic_matrix(const AcousticCase& which);

/// The same matrix with every value complex, for formats that cannot use real values.
linalg::Csr<Complex> with_imaginary_parts(linalg::Csr<Complex> a);

/// system.h5 or .mtx, by the end of the name.
BlockMatrix read_matrix(const std::string& file);

}  // namespace curlew::bench
