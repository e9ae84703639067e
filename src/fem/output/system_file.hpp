// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// system.h5: a finite element system as its nine blocks A_ij by the order that adds the unknowns, for use in
// other solvers. Groups A/00 ... A/22 hold CSR arrays row_offsets, columns, values; rhs one column per
// right-hand side.

#include <array>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "io/provenance.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

struct System {
  linalg::Csr<Complex> a;
  std::array<Index, 4>
      block_offsets{};       ///< unknowns of order l + 1: block_offsets[l] .. block_offsets[l + 1]
  std::vector<Complex> rhs;  ///< [n, num_rhs], column-major; may be empty
  Index num_rhs = 0;
  double frequency = 0;  ///< [Hz]
  std::string matrix_unit = "1/m", rhs_unit = "V/m";
  std::string meaning = "curl-curl minus k0^2 mass plus boundary terms";
};

void write_system(const std::string& path, const System& system, const io::Provenance& provenance);

/// Reads the blocks, or a single CSR in the group A, back into one matrix.
/// @throws InputError if the file is no system or its arrays do not fit together
System read_system(const std::string& path);

/// One line per block: rows, columns, nonzeros, nonzeros per row.
struct BlockInfo {
  std::string name;  ///< "A00"
  Index rows, columns;
  Offset nnz;
  Index longest_row;
};
std::vector<BlockInfo> block_table(const System& system);

}  // namespace curlew::fem
