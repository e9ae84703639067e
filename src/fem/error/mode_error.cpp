// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/mode_error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace curlew::fem {
namespace {

/// Places of the modes in ascending order of their frequency.
std::vector<std::size_t> ascending(const std::vector<CavityMode>& modes) {
  std::vector<std::size_t> places(modes.size());
  std::iota(places.begin(), places.end(), 0);
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return modes[a].frequency.real() < modes[b].frequency.real();
  });
  return places;
}

Quantities frequencies_of(const std::vector<CavityMode>& modes) {
  Quantities f;
  for (const std::size_t i : ascending(modes)) f.push_back(modes[i].frequency);
  return f;
}

}  // namespace

std::vector<ModeError> mode_errors(const NedelecSpace& space, const Model& model,
                                   const CavityOptions& options, const std::vector<CavityMode>& modes,
                                   const ShapeVariant* shape) {
  const auto solve = [&](const mesh::Mesh& on, int order) {
    const auto again = make_space(on, *space.topology, order, pec_triangles(model, on));
    return frequencies_of(cavity_modes(again, model, options));
  };
  const auto changes = solve_again(frequencies_of(modes), space.order, *space.mesh, shape, solve);
  const auto places = ascending(modes);
  std::vector<ModeError> bars(modes.size());
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double ratio =
        changes.before.empty() ? 0 : std::abs(changes.by_order[i].real() / changes.before[i].real());
    ModeError& bar = bars[places[i]];
    bar.whole = bar.elements = order_error(std::abs(changes.by_order[i].real()), space.order, ratio);
    if (!changes.by_shape.empty()) bar.whole += shape_safety * std::abs(changes.by_shape[i].real());
  }
  return bars;
}

}  // namespace curlew::fem
