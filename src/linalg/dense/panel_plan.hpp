// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The panels of a factorisation whose matrix does not fit on the device (panel_lu.hpp): how wide they are,
// and how many of them stay on the device, so that what lies there and in the host's memory keeps within
// limits.

#include <cstddef>
#include <functional>
#include <limits>

#include "base/types.hpp"

namespace curlew::linalg {

/// Panels are factored at once, strips are the pieces in which earlier factors are read again.
struct PanelLayout {
  Offset panel = 0;  ///< columns, a multiple of `strip`; 0: no layout keeps within the limits
  Offset strip = 0;  ///< columns
  int resident = 0;  ///< panels that stay on the device: the first ones, which are read most often
};

/// Columns of the panels that stay on the device.
Offset resident_columns(Offset n, PanelLayout layout);

/// Places on the device for the panels that do not stay there, and for strips of them.
inline constexpr int panel_slots = 2, strip_slots = 3;
/// Beyond it a wider panel reads little less and is factored at the lower rate of a tall matrix.
inline constexpr Offset widest_panel = 8192;

/// Columns of right-hand sides that a machine has room for: a solution needs its residual beside it.
int right_side_room(int num_rhs);
/// Bytes on the device: all panels and strips there, right-hand sides and rows in exchange, without the
/// workspace of a panel.
std::size_t panel_bytes(Offset n, int num_rhs, PanelLayout layout);
/// Bytes in the host's memory of the panels that do not stay on the device.
std::size_t stored_bytes(Offset n, PanelLayout layout);
/// Pieces of page-locked host memory, through which panels and strips go.
inline constexpr int pieces_up = 4, pieces_down = 2;
/// Entries of a piece: a column at least.
std::size_t piece_entries(Offset n);
/// Bytes of all pieces.
std::size_t page_locked_bytes(Offset n);
/// Entries of the space in which rows are exchanged.
std::size_t exchange_entries(PanelLayout layout);

/// [bytes] that may be used.
struct PanelLimits {
  std::size_t device;
  std::size_t host = std::numeric_limits<std::size_t>::max();  ///< for the panels that do not stay
};

/// The widest panels within the limits, at most widest_panel; as many of them stay as the device has room
/// for.
/// @param n >= 1 @param workspace bytes that factoring a panel [n, width] takes beside it
/// @returns width 0 if not even the narrowest panels fit
PanelLayout choose_layout(Offset n, int num_rhs, PanelLimits limits,
                          const std::function<std::size_t(Offset width)>& workspace);
/// Bytes with the narrowest panels, none of which stays: the least limit of the device.
std::size_t least_panel_bytes(Offset n, int num_rhs,
                              const std::function<std::size_t(Offset width)>& workspace);

}  // namespace curlew::linalg
