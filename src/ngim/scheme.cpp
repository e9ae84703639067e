// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::ngim {
namespace {

// Fractions of the tolerance for each source of error, from measurements on the distributions of the tests
// (docs/measured/ngim.md).
constexpr double interpolation_share = 1.0, skeleton_share = 0.7, cone_share = 0.8, gradient_share = 0.25;
// Below 1e-7 the rounding of decompositions and cones matters: without this fraction errors were up to 1.5
// times the tolerance.
constexpr double tight_share = 0.4, tight_tolerance = 5e-8;
/// The error of a static grid comes from the closest boxes alone, that of waves from all 189, so that each
/// has a smaller fraction.
double regime_share(Complex kappa) {
  return std::max(0.35, 1 / (1 + 0.35 * std::abs(kappa)));
}
// Above this width a box is high-frequency: about 2.2 wavelengths. Its grids would be larger than its cones.
constexpr double largest_kappa = 14.0;
constexpr double largest_shared_kappa = 0.1;  // below it the grid of the level above is tried
constexpr int largest_order = 18;
constexpr Offset cone_leaf_size = 600;  // direct sums of so many cost what the cones of the level would

/// Limit of the points in a leaf: a multiple of its grid's rank, but at least `least`.
struct LeafRule {
  double points_per_rank;
  Offset least;
};

/// Measured. On surfaces few of the 189 boxes of an interaction list hold sources, and the GPU skips the
/// others where it sums several vectors.
LeafRule leaf_rule(const Accuracy& accuracy, bool device) {
  if (!device) return {2.0, 56};
  if (accuracy.currents) return {2.5, 180};
  if (!accuracy.surface) return {4.0, 180};
  return {2.0, 90};
}

/// Makes the grids of the levels while the tree is built, since their size determines its depth.
class GridMaker {
 public:
  GridMaker(Complex k, double tolerance, LeafRule leaf_rule, Offset leaf_size, GridCache& cache)
      : k_(k), tolerance_(tolerance), leaf_rule_(leaf_rule), leaf_size_(leaf_size), cache_(cache) {}

  Offset operator()(int level, double side) {
    // Levels 0 and 1 have no grids: their leaves follow the first level that has.
    if (level < 2) return (*this)(2, side * (level == 0 ? 0.25 : 0.5));
    while (int(grids.size()) <= level) {
      const int l = int(grids.size());
      grids.push_back(l < 2 ? CartesianGrid{} : make(k_ * (side * std::ldexp(1.0, level - l))));
      if (l >= 2 && grids[l].order == 0) first_grid_level = l + 1;
    }
    if (leaf_size_ > 0) return leaf_size_;
    if (grids[level].order == 0) return cone_leaf_size;
    // Direct sums of 27 boxes of n points against 189 products with r x r matrices.
    return std::max<Offset>(leaf_rule_.least, Offset(leaf_rule_.points_per_rank * grids[level].rank()));
  }

  std::vector<CartesianGrid> grids;
  int first_grid_level = 2;

 private:
  CartesianGrid make(Complex kappa) const {
    if (std::abs(kappa) > largest_kappa) return {};
    const double share = tolerance_ * regime_share(kappa);
    const double interpolation = interpolation_share * share, skeleton = skeleton_share * share;
    if (grids.size() > 2 && std::abs(kappa) < largest_shared_kappa &&
        (kappa == Complex(0) || serves(grids.back(), kappa, interpolation, skeleton))) {
      return grids.back();
    }
    return cache_.grid(kappa, interpolation, skeleton, largest_order);
  }

  Complex k_;
  double tolerance_;
  LeafRule leaf_rule_;
  Offset leaf_size_;
  GridCache& cache_;
};

void make_cones(Scheme& scheme, double tolerance) {
  scheme.cones.resize(std::max(scheme.first_grid_level, 2));
  double r_max = 1.7321;  // diagonal of the unit cube; each level also reaches the samples of the one above
  for (int l = 2; l < scheme.first_grid_level; ++l) {
    const double a = scheme.box_side(l);
    scheme.cones[l] = choose_cone_grid(scheme.k * a, cone_share * tolerance, r_max / a);
    r_max = (r_max + 0.45 * a) * 1.001;
  }
}

}  // namespace

Scheme build_scheme(const TreeMaker& make_tree, Complex k, Accuracy accuracy, bool single_precision,
                    bool device, Offset leaf_size) {
  const double least = single_precision && !accuracy.currents ? 4e-6 : 1e-11;
  if (!(accuracy.tolerance >= least)) {
    throw InputError(fmt::format("tolerance {:g}: {} precision reaches {:g} at best{}", accuracy.tolerance,
                                 single_precision ? "single" : "double", least,
                                 single_precision && accuracy.tolerance >= 1e-11 ? " (use double)" : ""));
  }
  if (!(accuracy.tolerance < 1))
    throw InputError(fmt::format("tolerance {:g}: must be below 1", accuracy.tolerance));
  if (!std::isfinite(k.real()) || !std::isfinite(k.imag())) throw InputError("wavenumber: must be finite");
  if (k.real() < 0) throw InputError(fmt::format("wavenumber {:g}: must not be negative", k.real()));
  if (k.imag() > 0) {
    throw InputError(
        fmt::format("wavenumber: with an imaginary part of {:g} waves grow with distance; loss is negative "
                    "under exp(+jwt)",
                    k.imag()));
  }
  const double tolerance = std::min(accuracy.tolerance, 0.1) * (accuracy.gradient ? gradient_share : 1.0) *
                           (accuracy.tolerance < tight_tolerance ? tight_share : 1.0);

  Scheme scheme;
  scheme.currents = accuracy.currents, scheme.tolerance = tolerance;
  scheme.medium = k == Complex(0) ? green::Medium::static_kernel
                                  : (k.imag() == 0 ? green::Medium::lossless : green::Medium::lossy);
  const auto cache = accuracy.grids ? accuracy.grids : std::make_shared<GridCache>();
  GridMaker maker(k, tolerance, leaf_rule(accuracy, device), leaf_size, *cache);
  scheme.tree = make_tree(std::ref(maker));
  scheme.k = k * scheme.tree.side;
  scheme.first_grid_level = maker.first_grid_level;
  scheme.grids = std::move(maker.grids);
  scheme.grids.resize(std::max(scheme.num_levels(), scheme.first_grid_level));
  scheme.to_parent.resize(scheme.num_levels());
  for (int l = scheme.first_grid_level + 1; l < scheme.num_levels(); ++l) {
    scheme.to_parent[l] = cache->transfers(scheme.grids[l], scheme.grids[l - 1]);
  }
  if (scheme.num_levels() > 2) make_cones(scheme, tolerance);
  scheme.grid_size.assign(scheme.num_levels(), 0);
  for (int l = 0; l < scheme.num_levels(); ++l) {
    scheme.grid_size[l] = l >= scheme.first_grid_level ? scheme.grids[l].rank() : 200;
  }
  return scheme;
}

Scheme build_scheme(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> observers,
                    bool same_points, Complex k, Accuracy accuracy, bool single_precision, bool device,
                    Offset leaf_size) {
  Scheme scheme =
      build_scheme([&](const LeafSize& limit) { return build_tree(sources, observers, same_points, limit); },
                   k, accuracy, single_precision, device, leaf_size);
  scheme.lists = build_lists(scheme.tree, scheme.first_grid_level, scheme.grid_size);
  return scheme;
}

}  // namespace curlew::ngim
