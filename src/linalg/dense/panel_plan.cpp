// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/panel_plan.hpp"

#include <algorithm>

namespace curlew::linalg {
namespace {

constexpr Offset strips[] = {512, 256, 128, 64};
constexpr Offset narrowest = 64;
constexpr std::size_t libraries = std::size_t(64) << 20;  // handles of cuBLAS and cuSOLVER

Offset rounded_up(Offset n, Offset multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

std::size_t column_bytes(Offset n, Offset columns) {
  return std::size_t(n) * std::size_t(columns) * sizeof(Complex);
}

}  // namespace

Offset resident_columns(Offset n, PanelLayout layout) {
  return std::min(n, layout.resident * layout.panel);
}

int right_side_room(int num_rhs) {
  return std::max(2, num_rhs);
}

std::size_t exchange_entries(PanelLayout layout) {
  // A panel moves at most twice as many rows as it has columns; so many columns at once as fit into 32 MiB.
  const auto rows = std::size_t(2 * layout.panel), columns = std::size_t(layout.panel);
  return std::max(rows, std::min(rows * columns, std::size_t(1) << 21));
}

std::size_t panel_bytes(Offset n, int num_rhs, PanelLayout layout) {
  const Offset columns = resident_columns(n, layout) + panel_slots * layout.panel +
                         strip_slots * layout.strip + right_side_room(num_rhs);
  return column_bytes(n, columns) + exchange_entries(layout) * sizeof(Complex) +
         std::size_t(4 * n) * sizeof(int) + libraries;
}

std::size_t stored_bytes(Offset n, PanelLayout layout) {
  return column_bytes(n, n - resident_columns(n, layout));
}

std::size_t piece_entries(Offset n) {
  return std::max(std::size_t(n), (std::size_t(32) << 20) / sizeof(Complex));
}

std::size_t page_locked_bytes(Offset n) {
  return std::size_t(pieces_up + pieces_down) * piece_entries(n) * sizeof(Complex);
}

PanelLayout choose_layout(Offset n, int num_rhs, PanelLimits limits,
                          const std::function<std::size_t(Offset)>& workspace) {
  const auto fits = [&](PanelLayout& l) {
    const std::size_t bytes = panel_bytes(n, num_rhs, l) + workspace(std::min(l.panel, n));
    if (bytes > limits.device) return false;
    const Offset all = (n + l.panel - 1) / l.panel;
    l.resident = int(std::min(all, Offset((limits.device - bytes) / column_bytes(n, l.panel))));
    return stored_bytes(n, l) <= limits.host;
  };
  for (const Offset strip : strips) {
    // Narrow panels get narrow strips, which leave more memory to the panels.
    const Offset most = std::min(widest_panel, rounded_up(n, strip));
    const Offset least = strip == narrowest ? narrowest : std::min(4 * strip, most);
    for (Offset panel = most; panel >= least; panel -= strip) {
      PanelLayout layout{panel, strip, 0};
      if (fits(layout)) return layout;
    }
  }
  return {};
}

std::size_t least_panel_bytes(Offset n, int num_rhs, const std::function<std::size_t(Offset)>& workspace) {
  return panel_bytes(n, num_rhs, {narrowest, narrowest, 0}) + workspace(std::min(narrowest, n));
}

}  // namespace curlew::linalg
