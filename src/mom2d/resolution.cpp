// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/resolution.hpp"

#include <algorithm>
#include <cmath>

namespace curlew::mom2d {
namespace {

double unresolved(const Complex* values, const Nodes& nodes, const PanelRule& rule) {
  const auto q = std::size_t(rule.size), n = std::size_t(nodes.size());
  double length = 0, square = 0, greatest = 0;
  for (std::size_t i = 0; i < n; ++i)
    length += nodes.weight[i], square += nodes.weight[i] * std::norm(values[i]);
  if (square == 0) return 0;
  for (std::size_t first = 0; first < n; first += q)
    for (const std::size_t k : {q - 2, q - 1}) {
      Complex coefficient{};
      for (std::size_t i = 0; i < q; ++i) coefficient += rule.from_legendre[i * q + k] * values[first + i];
      greatest = std::max(greatest, std::abs(coefficient));
    }
  return greatest / std::sqrt(square / length);
}

}  // namespace

double unresolved(const Solution& s) {
  if (s.nodes.per_panel < 4) return 1;
  const auto rule = make_panel_rule(s.nodes.per_panel);
  double greatest = 0;
  for (std::size_t w = 0; w < s.phi.size(); ++w)
    for (const auto* unknown : {&s.u, &s.v})
      greatest = std::max(greatest, unresolved(&(*unknown)[w * std::size_t(s.nodes.size())], s.nodes, rule));
  return greatest;
}

double left_by_halving(const Solution& s, double now, double before) {
  // Cells whose neighbours are no part of the same analytic curve have fewer nodes in their stencils.
  const int q = s.nodes.per_panel, full = std::min(q + 2 * ((q + 1) / 2), Stencil::most);
  const bool is_smooth =
      std::ranges::all_of(s.nodes.stencils, [&](const Stencil& stencil) { return stencil.count == full; });
  constexpr double resolved = 0.1;  // above it terms do not fall at their rate yet
  // At thin bodies the far field has more of the error than the cells' last terms.
  constexpr double safety = 4;
  return is_smooth && now < resolved ? std::min(1.0, safety * std::pow(now / before, 2)) : 1;
}

}  // namespace curlew::mom2d
