// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The stages of one evaluation on the CPU, in one precision. Used by Plan only.

#include <array>
#include <vector>

#include "base/timer.hpp"
#include "ngim/dense.hpp"
#include "ngim/host_cones.hpp"
#include "ngim/pair_sums.hpp"
#include "ngim/scheme.hpp"

namespace curlew::ngim {

/// Points of one set, relative to the centre of their leaf.
template <class T>
struct LocalPoints {
  std::vector<T> x, y, z;
};

template <class T>
class HostSolver {
 public:
  explicit HostSolver(const Scheme& scheme);

  /// Fields of 1 or 4 charge vectors, or of six for currents, all in the order of the tree and in units of
  /// the unit cube.
  /// @param charges [vector][re, im][source]
  /// @param fields  [vector][potential re, im (, gradient x re, x im, ...)][target]; added to
  void apply(const std::vector<T>& charges, int num_vectors, bool gradient, std::vector<T>& fields,
             Stages& stages) const;

 private:
  struct Work;
  void add_near(const Work& work) const;
  void charges_to_grids(const Work& work) const;
  void leaf_moments(const Work& work, const Box& box, int vector, AlignedVector<Vec<T>>& sums,
                    T* moments) const;
  void to_current_moments(const Box& box, AlignedVector<T>& moments) const;
  void grids_to_parents(const Work& work, int level) const;
  void grids_to_grids(const Work& work, int level) const;
  void grids_from_parents(const Work& work, int level) const;
  void grids_to_points(const Work& work) const;
  void far_leaves(const Work& work) const;
  void add_points(const SourceBuffer<T>& buffer, const T* x, const T* y, const T* z, int n, bool gradient,
                  SumOutput<T> out) const;
  void append_box(SourceBuffer<T>& buffer, Index source, Vec3<double> center_to, const Work& work) const;
  void append_grid(SourceBuffer<T>& buffer, Index source, Vec3<double> center_to, const Work& work) const;

  /// The grids of one level in the numbers T; lengths relative to the side of the cube of all points.
  struct Level {
    AlignedVector<T> x, y, z;  ///< skeleton, padded by repeating the last point
    SplitMatrix<T> charges_to_skeleton, skeleton_to_field;
    std::array<SplitMatrix<T>, 8> to_parent, from_parent;
    int order = 0, rank = 0, stride = 0;
  };

  const Scheme& scheme_;
  green::Wavenumber<T> k_;
  LocalPoints<T> sources_, targets_;
  std::vector<Level> levels_;
  std::vector<std::size_t> grid_offset_;  ///< by box, in values of one plane of one vector
  std::size_t grid_values_ = 0;
  HostCones<T> cones_;
};

}  // namespace curlew::ngim
