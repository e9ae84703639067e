// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The kind of cells in fields.vtkhdf, set by [output].

#include "io/config.hpp"

namespace curlew::fem {

struct FieldCells {
  /// Linear cells: pieces of every edge. 0: Lagrange cells above order 1, else a linear cell for each
  /// element.
  int subdivision = 0;

  /// @param order of the elements
  bool are_lagrange(int order) const { return subdivision == 0 && order > 1; }
};

/// Reads [output] field_subdivision.
FieldCells read_field_cells(const io::Config& config);

}  // namespace curlew::fem
