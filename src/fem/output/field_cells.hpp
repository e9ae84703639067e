// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The kind of cells in fields.vtkhdf, set by [output].

#include "io/config.hpp"

namespace curlew::fem {

struct FieldCells {
  enum class Kind { by_order, lagrange, linear };
  Kind kind = Kind::by_order;  ///< Lagrange cells above order 1, else linear ones
  int subdivision = 0;         ///< of linear cells: pieces of every edge; 0: as many as the order

  /// @param order of the elements
  bool are_lagrange(int order) const {
    return kind == Kind::lagrange || (kind == Kind::by_order && order > 1);
  }
};

/// Reads [output] field_cells and field_subdivision, which needs linear cells.
/// @throws InputError for a subdivision of Lagrange cells
FieldCells read_field_cells(const io::Config& config);

}  // namespace curlew::fem
