// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How the GPUs of a machine divide the solutions of one system: by right-hand sides, which nothing holds up,
// or, where they are few or the operator does not fit one GPU, by rows of each product.

#include <cstddef>
#include <vector>

#include "base/types.hpp"

namespace curlew::ie {

struct GpuDivision {
  int gpus = 1;
  bool by_waves = false;  ///< each has the whole operator and right-hand sides of its own; else rows of it
};

/// Bytes on the device.
struct GpuNeeds {
  std::size_t of_operator = 0;
  std::size_t of_vectors = 0;  ///< of the iteration
  bool can_share_rows = true;
};

/// @param asked GPUs; 0: all where waves can be divided, else as few as hold the operator
/// @param waves right-hand sides @param free [devices that may be used, at least 1] bytes
GpuDivision divide_gpus(const GpuNeeds& needs, int asked, Index waves, const std::vector<std::size_t>& free);

/// Numbers of the first right-hand sides of each share, and their end: neighbours stay together.
/// @returns [shares + 1]
std::vector<Index> share_waves(Index waves, int shares);

/// The same of groups that `takers` take one after the other, each when it is free: of `largest` right-hand
/// sides, and fewer towards the end, so that all takers end at about the same time, down to a quarter of
/// that. The first groups of many do not depend on the number of takers. Source: Polychronopoulos and Kuck
/// (1987), IEEE Trans. Comput. C-36, 1425 (guided self-scheduling).
/// @returns [groups + 1]
std::vector<Index> groups_in_turn(Index waves, int takers, Index largest);

}  // namespace curlew::ie
