// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Stage 3, first part, of most_vectors in single precision on the tensor cores: as launch_translate_together,
// right to some 5e-4.

#include <vector>

#include "ngim/device/level_matrices.cuh"
#include "ngim/device/stages.cuh"

namespace curlew::ngim::device {

/// Translation matrices as the tensor cores read them, by level; empty where a level has no grids.
using TensorMatrices = std::vector<cuda::Buffer<uint4>>;
/// @param ranks by level; 0: without grids @throws ResourceError if memory does not suffice
TensorMatrices make_tensor_matrices(const GridMatrices<float>& matrices, const std::vector<int>& ranks);

/// @param groups, device_groups the same, on host and device
/// @pre can_translate_by_single_tensor()
void launch_translate_single_tensor(const Evaluation<float>& e, const TensorMatrices& matrices,
                                    const std::vector<Group>& groups, const Group* device_groups,
                                    const Index* members, const std::vector<int>& ranks, cudaStream_t stream);
/// Whether the code that this device runs was compiled for compute capability 8.0 or later.
bool can_translate_by_single_tensor();

}  // namespace curlew::ngim::device
