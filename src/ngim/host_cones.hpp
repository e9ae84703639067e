// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The high-frequency levels on the CPU: needed cone segments, their samples from charges or from the
// children's cones, and fields of observers interpolated from them.

#include <vector>

#include "ngim/dense.hpp"
#include "ngim/pair_sums.hpp"
#include "ngim/scheme.hpp"

namespace curlew::ngim {

template <class T>
struct LocalPoints;

/// Positions of the samples of a segment.
template <class T>
class SamplePoints {
 public:
  explicit SamplePoints(const ConeGrid& grid) : grid_(grid) {}
  /// x, y, z [num_samples], order [s][u][v], relative to the centre of a box of the given side.
  /// Not inlined, so that marking and filling have the same rounding.
  __attribute__((noinline)) void positions(int segment, T side, T* x, T* y, T* z) const {
    const int ps = grid_.radial_order, pa = grid_.angular_order;
    for (int i = 0, n = 0; i < ps; ++i) {
      for (int a = 0; a < pa; ++a) {
        for (int b = 0; b < pa; ++b, ++n) {
          const Vec3<T> d = cone_position(grid_, segment, chebyshev_node<T>(i, ps), chebyshev_node<T>(a, pa),
                                          chebyshev_node<T>(b, pa));
          x[n] = side * d.x, y[n] = side * d.y, z[n] = side * d.z;
        }
      }
    }
  }

 private:
  const ConeGrid& grid_;
};

template <class T>
class HostCones {
 public:
  /// Stores references; call prepare() after these are filled.
  HostCones(const Scheme& scheme, const LocalPoints<T>& sources, const LocalPoints<T>& targets)
      : scheme_(scheme), sources_(sources), targets_(targets) {}
  void prepare();

  struct Input {
    const T* charges;   ///< [vector][re, im][source]
    const T* outgoing;  ///< skeleton charges of the low-frequency boxes, [box][vector][re, im][stride]
    int num_vectors;
    const std::vector<std::size_t>* grid_offset;
  };
  /// Arrays to which fields of cones are added.
  struct Output {
    T* fields;    ///< of targets, [vector][part][target]
    T* incoming;  ///< of grids, [box][vector][re, im][stride]
    bool gradient;
  };
  /// Adds the fields of all high-frequency levels: to the grids of the first level with grids, which pass
  /// them down the tree, and directly to targets without such grids.
  void apply(const Input& input, const Output& output) const;

  std::size_t num_samples() const;

 private:
  struct Level {
    ConeGrid grid;
    int row = 0;                                    ///< padded angular_order^2
    std::vector<int> slot;                          ///< [box of the level][segment]: its index, or -1
    std::vector<int> segments;                      ///< [slot]
    std::vector<Offset> box_slots;                  ///< [box of the level + 1]
    std::vector<std::vector<Index>> larger_leaves;  ///< [box of the level]: leaves of the list from_grids
    std::size_t slot_values() const { return std::size_t(grid.radial_order) * row; }
  };
  using Samples = std::vector<AlignedVector<T>>;  ///< by level: [slot][vector][re, im][s][uv]

  /// Points at which fields of cones are evaluated together, relative to the centre of a box: its targets, or
  /// the nodes of its grid if these are fewer.
  struct Receiver {
    Index box;
    bool is_grid;
    Offset count;
    const T *x, *y, *z;
  };
  Receiver targets_of(Index leaf) const;
  /// Calls f(Receiver) for the receivers of box b.
  template <class F>
  void for_receivers(Index b, F&& f) const;
  void mark(const Level& level, int l, Index b, const Receiver& receiver, std::vector<char>& marks) const;
  void add_sources(const Samples& samples, const Input& input, const Receiver& receiver, Index source,
                   const Output& output) const;
  void mark_points(Level& level, int l, Index b, std::vector<char>& marks) const;
  void mark_parent_samples(Level& level, int l, Index b, std::vector<char>& marks) const;
  void fill_level(const Input& input, int l, Samples& samples) const;
  void to_coefficients(const Level& level, const T* values, T* out) const;
  void add_box(int l, Index source, Vec3<T> d, const T* samples, int num_vectors, bool gradient, T* fields,
               std::size_t plane) const;
  /// Charges below a box: its points, or the skeletons of its children when those are fewer.
  /// @returns whether they are points
  bool gather_sources(SourceBuffer<T>& buffer, const Input& input, Index b, Vec3<double> origin) const;

  const Scheme& scheme_;
  const LocalPoints<T>& sources_;
  const LocalPoints<T>& targets_;
  std::vector<T> grid_[3];  ///< x, y, z of the nodes of the first level with grids
  std::vector<Level> levels_;
};

}  // namespace curlew::ngim
