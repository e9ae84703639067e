// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The high-frequency levels on the device: which cone segments are needed, their samples from charges,
// skeletons or the children's cones, and the fields of the observers straight from them.

#include <vector>

#include "base/cuda.hpp"
#include "ngim/device/view.cuh"
#include "ngim/scheme.hpp"

namespace curlew::ngim::device {

inline constexpr int cone_chunk_samples = 256;

/// Samples of one box, at most cone_chunk_samples, that a block computes from charges.
struct ConeChunk {
  Index box;
  int first;  ///< of the samples of the box's slots
};

template <class T>
class Cones {
 public:
  /// Marks and numbers the segments. The view has boxes, lists, points; scheme has cones.
  Cones(const Scheme& scheme, View<T> view);
  /// Memory for so many charge vectors (1 or most_vectors). @throws ResourceError if it does not fit
  void reserve(int num_vectors);
  /// Pointers by level, for View::cones.
  const LevelCones<T>* levels() const { return d_levels_.data(); }
  std::size_t num_samples() const;

  /// Stages 1 and 2 of the high-frequency levels; after the skeletons of the low-frequency ones.
  void fill(const Evaluation<T>& e, cudaStream_t stream) const;
  /// Their stage 3: adds to the incoming values of grids, before these go to the children, ...
  void add_to_grids(const Evaluation<T>& e, cudaStream_t stream) const;
  /// ... and to the fields of the targets that these do not reach.
  void add_fields(const Evaluation<T>& e, cudaStream_t stream) const;

 private:
  struct Level {
    LevelCones<T> cones{};
    cuda::Buffer<int> slot, segments, first_slot;
    std::vector<int> first_slot_host;  ///< [box + 1]
    cuda::Buffer<Index> slot_box;
    cuda::Buffer<complex<T>> samples;
    cuda::Buffer<ConeChunk> chunks;
  };
  /// Values of one level's samples, C vectors together.
  template <int C>
  void fill_level(const Evaluation<T>& e, int l, cudaStream_t stream) const;
  void number_segments(Level& level, const cuda::Buffer<unsigned char>& marks);
  void list_chunks(Level& level, const View<T>& view);
  void upload_levels();

  std::vector<Level> levels_;  ///< by level; empty below 2
  cuda::Buffer<LevelCones<T>> d_levels_;
  int reserved_ = 0;
};

}  // namespace curlew::ngim::device
