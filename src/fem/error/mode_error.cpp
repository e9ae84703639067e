// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/mode_error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fem/error/edge_ratio.hpp"
#include "fem/error/modes_again.hpp"

namespace curlew::fem {
namespace {

/// Indices of the modes in ascending order of frequency.
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

/// 1/Q of a complex frequency.
double loss(Complex f) {
  return 2 * f.imag() / f.real();
}

/// Magnitudes of changes of a real quantity: by the order, by the previous order and by the shape, 0 if there
/// is none.
struct RealChange {
  double by_order, before, by_shape, least_ratio;
  double elements(int order) const {
    return order_error(by_order, order, before > 0 ? by_order / before : 0, least_ratio);
  }
  double whole(int order) const { return elements(order) + shape_safety * by_shape; }
};

/// @param change of a function of the frequency by a change of that: change(d)
template <class F>
RealChange real_change(const Changes& c, std::size_t i, F&& change) {
  const auto size = [&](const Quantities& d) { return d.empty() ? 0 : std::abs(change(d[i])); };
  return {size(c.by_order), size(c.before), size(c.by_shape), c.least_ratio};
}

/// Changes of all modes' frequencies [Hz], with the lower bounds of believed_changes.
std::vector<RealChange> frequency_changes(const Changes& changes, const Quantities& reported) {
  std::vector<RealChange> all;
  std::vector<double> by_order, before, frequencies;
  for (std::size_t i = 0; i < reported.size(); ++i) {
    all.push_back(real_change(changes, i, [](Complex d) { return d.real(); }));
    by_order.push_back(all[i].by_order), frequencies.push_back(reported[i].real());
    if (!changes.before.empty()) before.push_back(all[i].before);
  }
  by_order = believed_changes(by_order, before, frequencies, changes.order);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].by_order = by_order[i];
  return all;
}

}  // namespace

std::vector<ModeError> mode_errors(const NedelecSpace& space, const Model& model,
                                   const CavityOptions& options, const std::vector<CavityMode>& modes,
                                   const ShapeVariant* shape) {
  const Quantities reported = frequencies_of(modes);
  const auto solve = [&](const mesh::Mesh& on, int order) {
    Model at = model;
    at.set_order(order);
    const auto again = make_space(on, *space.topology, order, pec_triangles(at, on), at.cell_orders);
    return modes_again(reported, options.target, [&](double target, int count) {
      LostModes others;
      return frequencies_of(
          cavity_modes(again, at, {.modes = count, .target = target, .direct = options.direct}, &others));
    });
  };
  const auto changes = solve_again(reported, model.order, *space.mesh, shape, solve, {},
                                   least_ratio(*space.mesh, *space.topology, model));
  const auto places = ascending(modes);
  const auto of_frequency = frequency_changes(changes, reported);
  std::vector<ModeError> bars(modes.size());
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const Complex f = reported[i];
    const auto& frequency = of_frequency[i];
    const auto losses = real_change(changes, i, [&](Complex d) { return loss(f + d) - loss(f); });
    bars[places[i]] = {frequency.whole(model.order), frequency.elements(model.order),
                       losses.whole(model.order), losses.elements(model.order)};
  }
  return bars;
}

}  // namespace curlew::fem
