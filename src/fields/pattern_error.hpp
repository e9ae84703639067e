// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars from changes of results in a finer solution; error bars of a far field and its power.

#include <optional>
#include <vector>

#include "base/types.hpp"

namespace curlew::fields {

using Quantities = std::vector<Complex>;

/// Least accepted ratios |d_3| / |d_2|, since a ratio of two differences may be small by chance. At edges of
/// 90 degrees results converge as p^(-8/3): the error after order 3 is 0.51 of d_3, as for a geometric series
/// of ratio 0.34; at rims of sheets, p^(-2), it is 0.8, as for ratio 0.44.
inline constexpr double smooth_ratio = 0.05, edge_ratio = 0.34, rim_ratio = 0.44;
/// The same for p^(-1/2), or h^(1/2) of halved cells: the slowest convergence by currents at a wedge.
inline constexpr double wedge_ratio = 0.816;

/// Changes of quantities.
struct Changes {
  int order = 1;        ///< of the elements; also 1 for halved elements
  Quantities by_order;  ///< Q_p+1 - Q_p, or Q_h/2 - Q_h; at order 3 Q_3 - Q_2
  Quantities before;    ///< Q_2 - Q_1, at order 3 only
  Quantities by_shape;  ///< empty: no facet moves
  double least_ratio = smooth_ratio;
};
/// @param finer of halved elements @param moved of elements on the surface (mesh::moved_flat), may be empty
Changes changes_of(const Quantities& before, const Quantities& finer, const Quantities& moved = {});

inline constexpr double order_safety = 2;    ///< of e_p = d / (1 - e_p+1/e_p)
inline constexpr double shape_safety = 1.5;  ///< error of heights from normals of coarse facets: 20 %

/// Ratio of the errors of orders p + 1 and p for singular fields: (p/(p + 1))^a with a = 8/3, 2 or 1/2.
/// @param least least accepted ratio, (2/3)^a @returns 0 for smooth fields
double left_by_next_order(int order, double least);

/// Error estimate from a change of magnitude d by the order. @param ratio |d_3| / |d_2|, at order 3 @param
/// least least accepted ratio
double order_error(double d, int order, double ratio, double least = smooth_ratio);

struct PatternError {
  std::vector<double> field;     ///< [directions] bar of |E| [V]
  std::vector<double> strength;  ///< [directions] |E| of the run [V]
  double relative = 0;           ///< ratio of the norms of `field` and |E| over the directions
  double order = 0, shape = 0;   ///< its two parts
  double power = 0;              ///< relative bar of the radiated power
  std::optional<double> gain{};  ///< relative bar of the greatest gain; empty: as of field and power
};

/// Bar of one quantity. @param ratio |d_3| / |d_2|, at order 3
double bar_of(const Changes& changes, std::size_t i, double ratio);

/// Appends E_theta and E_phi of all directions, then the power: what pattern_error reads.
template <class Far>
void append_pattern(const Far& far, double power, Quantities& q) {
  q.insert(q.end(), far.e_theta.begin(), far.e_theta.end());
  q.insert(q.end(), far.e_phi.begin(), far.e_phi.end());
  q.push_back(power);
}
/// @param q the run's quantities: from `first` on E_theta and E_phi of all directions, then the power
/// @param[out] ratio |d_3| / |d_2| of the pattern, for further quantities; may be null
PatternError pattern_error(const Quantities& q, const Changes& changes, std::size_t first,
                           std::size_t directions, double* ratio = nullptr);

/// One bar for all directions [V], with safety factors. @param q as pattern_error
PatternError uniform_error(const Quantities& q, std::size_t first, std::size_t directions, double elements,
                           double shape);

/// Adds one error [V] to the bars of all directions: that of rounding, which no element makes smaller.
PatternError raised(PatternError error, double by);

/// The bound, or in each direction another estimate where that is narrower, but no less than a quarter of the
/// bound: two meshes may agree by chance.
PatternError narrower(PatternError bound, const PatternError& other);

/// Greatest |E| of the first `directions` directions.
double greatest_of(const PatternError& error, std::size_t directions);
/// The greatest bar of |E|² relative to its maximum, over the first `directions` directions.
double bar_of_square(const PatternError& error, std::size_t directions, double greatest);

/// Remaining error after the last of two passes, if it falls as 1/unknowns or faster. @param growth ratio of
/// the numbers of unknowns Source: Roache (1994), Journal of Fluids Engineering 116(3), 405 (Richardson's
/// extrapolation with a factor of safety as an error bar).
Changes left_after(const Quantities& now, const Quantities& before, double growth);

/// The same by the rate of the last two changes: where both have one direction and the second is more than
/// half of the first, the error falls more slowly, as along strips that the triangles do not resolve yet.
Changes left_by_rate(const Quantities& now, const Quantities& before, const Quantities& earlier);

/// The same where there is no rate yet: by the slowest one, three times the change with order_safety.
Changes left_at_slowest(const Quantities& now, const Quantities& before);

/// The greater change by the order for each quantity. @param other as many, or none
Changes greater(Changes changes, const Changes& other);

}  // namespace curlew::fields
