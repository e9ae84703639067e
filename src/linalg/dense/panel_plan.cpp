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

}  // namespace

std::size_t exchange_entries(PanelWidths widths) {
  // A panel moves at most twice as many rows as it has columns; so many columns at once as fit into 32 MiB.
  const auto rows = std::size_t(2 * widths.panel), columns = std::size_t(widths.panel);
  return std::max(rows, std::min(rows * columns, std::size_t(1) << 21));
}

std::size_t panel_bytes(Offset n, int num_rhs, PanelWidths widths) {
  const auto columns = std::size_t(panel_slots * widths.panel + strip_slots * widths.strip + num_rhs);
  return (std::size_t(n) * columns + exchange_entries(widths)) * sizeof(Complex) +
         std::size_t(4 * n) * sizeof(int) + libraries;
}

PanelWidths choose_widths(Offset n, int num_rhs, std::size_t limit,
                          const std::function<std::size_t(Offset)>& workspace) {
  const auto fits = [&](PanelWidths w) {
    return panel_bytes(n, num_rhs, w) + workspace(std::min(w.panel, n)) <= limit;
  };
  for (const Offset strip : strips) {
    // Narrow panels want narrow strips, which take less from them.
    const Offset most = std::min(widest_panel, rounded_up(n, strip));
    const Offset least = strip == narrowest ? narrowest : std::min(4 * strip, most);
    for (Offset panel = most; panel >= least; panel -= strip) {
      if (fits({panel, strip})) return {panel, strip};
    }
  }
  return {};
}

std::size_t least_panel_bytes(Offset n, int num_rhs, const std::function<std::size_t(Offset)>& workspace) {
  return panel_bytes(n, num_rhs, {narrowest, narrowest}) + workspace(std::min(narrowest, n));
}

}  // namespace curlew::linalg
