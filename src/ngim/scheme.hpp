// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Data that do not depend on charges, the same for CPU and GPU: tree, lists, regime and grids of every level.
// Lengths and wavenumber are in units of the cube that contains all points.

#include <array>
#include <memory>
#include <vector>

#include "green/helmholtz3d.hpp"
#include "ngim/cone_grid.hpp"
#include "ngim/grid_cache.hpp"
#include "ngim/lists.hpp"
#include "ngim/tree.hpp"

namespace curlew::ngim {

struct Scheme {
  Tree tree;               ///< if it stays on the device: cube and level_begin only
  InteractionLists lists;  ///< empty if the tree stays on the device
  green::Medium medium = green::Medium::static_kernel;
  bool currents = false;  ///< sources are currents, six vectors each (current_moments.hpp)
  Complex k;              ///< wavenumber times side of the unit cube
  double tolerance = 0;   ///< divided between grids and cones
  /// Levels from here on are low-frequency: Cartesian grids and skeletons. Levels 2 ... first_grid_level - 1
  /// are high-frequency: cones of nonuniform grids, evaluated directly at observers.
  int first_grid_level = 2;
  std::vector<CartesianGrid> grids;                            ///< by level; empty above first_grid_level
  std::vector<std::array<std::vector<Complex>, 8>> to_parent;  ///< by the child's level: child_to_parent
  std::vector<ConeGrid> cones;                                 ///< by level; empty below
  std::vector<Index> grid_size;  ///< by level: values of a grid, for build_lists

  int num_levels() const { return tree.num_levels(); }
  double box_side(int level) const { return 1.0 / double(1u << level); }
  /// Factor from fields of the unit cube to fields: 1/m for potentials, 1/m^3 for fields of currents.
  double field_scale() const { return currents ? 1 / (tree.side * tree.side * tree.side) : 1 / tree.side; }
  bool is_high_frequency(int level) const { return level >= 2 && level < first_grid_level; }
};

/// Required accuracy of the grids.
struct Accuracy {
  double tolerance;
  bool gradient;
  bool currents = false;
  std::shared_ptr<GridCache> grids = nullptr;  ///< cache of finished grids; null: a new one
  bool surface = false;                        ///< as in Options
};

/// Makes the tree of the points, with limits determined by the grids.
using TreeMaker = std::function<Tree(const LeafSize&)>;

/// Tree, regimes and grids.
/// @param k wavenumber [1/m], real or with negative imaginary part
/// @param device leaf sizes suited to a GPU @param leaf_size points per leaf; 0: by the cost of the grids
/// @throws InputError for impossible k and tolerances
Scheme build_scheme(const TreeMaker& make_tree, Complex k, Accuracy accuracy, bool single_precision,
                    bool device, Offset leaf_size);

/// The same for points, with tree and lists on the host.
Scheme build_scheme(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> observers,
                    bool same_points, Complex k, Accuracy accuracy, bool single_precision, bool device,
                    Offset leaf_size);

}  // namespace curlew::ngim
