// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The panels of a factorisation whose matrix does not fit on the device (panel_lu.hpp): how wide they are,
// and how many of them stay on the device, within limits of device and host memory.

#include <cstddef>
#include <functional>
#include <limits>

#include "base/types.hpp"

namespace curlew::linalg {

/// Panels are factorised at once; earlier factors are read again in strips.
struct PanelLayout {
  Offset panel = 0;  ///< columns, a multiple of `strip`; 0: no layout fits
  Offset strip = 0;  ///< columns
  int resident = 0;  ///< panels that stay on the device: the first ones, which are read most often
};

/// Columns of the panels that stay on the device.
Offset resident_columns(Offset n, PanelLayout layout);

/// Buffers on the device for panels that do not stay there, and for strips of them.
inline constexpr int panel_slots = 2, strip_slots = 3;
/// Wider panels reduce reading little and are factorised at the lower rate of a tall matrix.
inline constexpr Offset widest_panel = 8192;

/// Number of right-hand side columns for which a machine has memory: a solution also needs its residual.
int right_side_room(int num_rhs);
/// Bytes on the device: all panels and strips there, right-hand sides and rows in exchange, without the
/// workspace of a panel.
std::size_t panel_bytes(Offset n, int num_rhs, PanelLayout layout);
/// Bytes in the host's memory of the panels that do not stay on the device.
std::size_t stored_bytes(Offset n, PanelLayout layout);
/// Buffers of page-locked host memory, through which panels and strips are copied.
inline constexpr int pieces_up = 4, pieces_down = 2;
/// Entries of a buffer: at least a column.
std::size_t piece_entries(Offset n);
/// Bytes of all buffers.
std::size_t page_locked_bytes(Offset n);
/// Entries of the buffer in which rows are exchanged.
std::size_t exchange_entries(PanelLayout layout);

/// [bytes] that may be used.
struct PanelLimits {
  std::size_t device;
  std::size_t host = std::numeric_limits<std::size_t>::max();  ///< for the panels that do not stay
};

/// The widest panels within the limits, at most widest_panel; as many of them stay on the device as fit.
/// @param n >= 1 @param workspace bytes for factorising a panel [n, width], without the panel
/// @returns width 0 if not even the narrowest panels fit
PanelLayout choose_layout(Offset n, int num_rhs, PanelLimits limits,
                          const std::function<std::size_t(Offset width)>& workspace);
/// Bytes with the narrowest panels, none of which stays: the least usable limit of the device.
std::size_t least_panel_bytes(Offset n, int num_rhs,
                              const std::function<std::size_t(Offset width)>& workspace);

}  // namespace curlew::linalg
