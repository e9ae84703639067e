// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Widths of the panels of a factorisation whose matrix stays in the host's memory (panel_lu.hpp), so that
// what lies on the device keeps within a limit.

#include <cstddef>
#include <functional>

#include "base/types.hpp"

namespace curlew::linalg {

/// Panels are factored at once, strips are the pieces in which earlier factors are read again.
struct PanelWidths {
  Offset panel = 0;  ///< columns, a multiple of `strip`; 0: no widths keep within the limit
  Offset strip = 0;  ///< columns
};

/// Places on the device.
inline constexpr int panel_slots = 2, strip_slots = 3;
/// Beyond it a wider panel reads little less and is factored at the lower rate of a tall matrix.
inline constexpr Offset widest_panel = 8192;

/// Bytes of panels, strips, right-hand sides and rows in exchange, without the workspace of a panel.
std::size_t panel_bytes(Offset n, int num_rhs, PanelWidths widths);
/// Entries of the space in which rows are exchanged.
std::size_t exchange_entries(PanelWidths widths);

/// The widest panels within a limit, at most widest_panel.
/// @param n >= 1 @param workspace bytes that factoring a panel [n, width] takes beside it
/// @returns width 0 if not even the narrowest panels fit
PanelWidths choose_widths(Offset n, int num_rhs, std::size_t limit,
                          const std::function<std::size_t(Offset width)>& workspace);
/// Bytes with the narrowest panels: the least limit.
std::size_t least_panel_bytes(Offset n, int num_rhs,
                              const std::function<std::size_t(Offset width)>& workspace);

}  // namespace curlew::linalg
