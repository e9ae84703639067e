// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// y = A x of every surface formulation without the matrix, for host and device: for each region NGIM sums
// over the points of the far rule, with gradients where K or N are needed, and stored corrections of pairs
// that need more accurate rules. Source: Li, Chang and Lomakin, chapter 19, sections 19.2 and 19.6.

#include <memory>
#include <vector>

#include "ie/operator/operator_fill.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

/// Points and constants of one region.
struct RegionSums {
  Complex k;                ///< [1/m]
  Complex relative;         ///< eta_r/eta0
  bool needs_curl = false;  ///< some row contains K or N
  bool has_magnetic = false;
  PointCurrents currents;
};

/// Bytes per point on a device: its currents, and charges, fields, trees, lists and grids of the sums.
inline constexpr std::size_t device_currents_per_point = 250, device_sums_per_point = 1200;

/// Data of a product, without the corrections.
struct SurfaceSums {
  Index num_unknowns, num_functions;
  std::vector<RegionSums> regions;
  std::vector<double> share;    ///< [functions] a of system.hpp
  std::vector<Index> magnetic;  ///< [functions] unknown of M/eta0, or -1

  Offset num_points() const;
  /// Tests with some functions only. @param rows [functions] from points_of_share; empty: all
  void restrict_tests(const std::vector<char>& rows);
  /// The points of each region.
  std::vector<PointSet> point_sets() const;
  /// Bytes of all arrays: device memory without plans and work arrays.
  std::size_t bytes() const;
};
SurfaceSums make_surface_sums(const System& system);

/// One region's loops over points and functions, on host or device.
struct RegionView {
  using Value = complex<double>;
  PointCurrentsView currents;
  const double* share;
  const Index* magnetic;
  Value vector_factor, scalar_factor;  ///< jk/(4 pi), 1/(4 pi jk): of A and phi in T
  Value relative;                      ///< eta_r/eta0
  bool needs_curl, has_magnetic;

  RegionView(const RegionSums& region, const PointCurrentsView& points, const double* shares,
             const Index* magnetic_unknowns);

  /// Charges at one point of J (or of M/eta0) in x. @param charges [4, P]
  CURLEW_HD void spread(Offset p, const Value* x, bool of_magnetic, Value* charges) const {
    const Index* unknown = of_magnetic ? magnetic : nullptr;
    currents.spread(
        p,
        [x, unknown](Index f) {
          if (unknown == nullptr) return x[f];
          return unknown[f] < 0 ? Value() : x[unknown[f]];
        },
        charges);
  }
  /// Adds the tests of the sums of J (or of M/eta0) to both rows of a function: the blocks of system.hpp.
  /// @param potential [4, P] @param gradient [4, 3, P], or null where needs_curl is false
  CURLEW_HD void test(Index f, const Value* potential, const Value* gradient, bool of_magnetic,
                      Value* y) const {
    if (currents.use_offsets[f] == currents.use_offsets[f + 1]) return;
    const Value t = currents.test(f, potential, vector_factor, scalar_factor);
    PointCurrentsView::Curl curl;
    if (gradient != nullptr) curl = currents.test_curl(f, gradient);
    const Value k = per_4pi * curl.straight;
    const Index row = magnetic[f];
    if (of_magnetic) {
      y[f] += share[f] * k;
      if (row >= 0) y[row] -= t / relative;
    } else {
      y[f] += share[f] * (relative * t) - (1 - share[f]) * per_4pi * curl.rotated;
      if (row >= 0) y[row] += k;
    }
  }

 private:
  static constexpr double per_4pi = 0.079577471545947667884;
};

}  // namespace curlew::ie
