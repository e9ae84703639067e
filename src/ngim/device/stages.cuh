// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The launchers of the stages, one file each. They launch kernels in a stream and return.

#include <vector>

#include "ngim/device/view.cuh"

namespace curlew::ngim::device {

/// A run of boxes of one level and octant: they share the offsets of their interaction lists.
struct Group {
  Index first;  ///< in `members`
  int count, level, octant;
};
inline constexpr int group_boxes = 128;  ///< most boxes of a group

/// Stage 0: overwrites the fields with direct sums. near_field.cu
template <class T>
void launch_near_field(const Evaluation<T>& e, cudaStream_t stream);

/// Stage 1: charges of leaves to skeletons. points_and_grids.cu
/// @param most_order the largest Chebyshev order of all levels
template <class T>
void launch_charges_to_grids(const Evaluation<T>& e, int most_order, cudaStream_t stream);
/// Stage 4: incoming grids of leaves to their targets; adds. points_and_grids.cu
template <class T>
void launch_grids_to_points(const Evaluation<T>& e, int most_order, cudaStream_t stream);

/// Stage 2 of the boxes [first, first + count) of one level. grids_and_parents.cu
template <class T>
void launch_grids_to_parents(const Evaluation<T>& e, Index first, Index count, cudaStream_t stream);
/// Stage 3, second part, with the same arguments. grids_and_parents.cu
template <class T>
void launch_grids_from_parents(const Evaluation<T>& e, Index first, Index count, cudaStream_t stream);

/// Stage 3, first part. translate.cu
/// @param row_tile rows of a thread's tile, 3 ... 8: a block has 8 times as many
template <class T>
void launch_translate(const Evaluation<T>& e, const Group* groups, Offset num_groups, const Index* members,
                      int row_tile, cudaStream_t stream);

/// The same for the six vectors of currents, or of most_vectors; the faster one where interaction lists have
/// few sources, as on surfaces. translate_together.cu
/// @param groups, device_groups the same, on host and device
/// @param ranks by level; 0: without grids
template <class T>
void launch_translate_together(const Evaluation<T>& e, const std::vector<Group>& groups,
                               const Group* device_groups, const Index* members,
                               const std::vector<int>& ranks, cudaStream_t stream);

/// Leaves adjacent to smaller boxes: adds fields of skeletons at points. cross_levels.cu
template <class T>
void launch_skeletons_to_points(const Evaluation<T>& e, cudaStream_t stream);
/// Leaves adjacent to larger boxes: adds fields of points at skeletons. cross_levels.cu
/// @param targets boxes that have such lists
template <class T>
void launch_points_to_skeletons(const Evaluation<T>& e, const Index* targets, Offset num_targets,
                                cudaStream_t stream);

}  // namespace curlew::ngim::device
