// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How the GPUs of a machine divide the solutions of one system: by right-hand sides, which are independent,
// or, if they are few or the operator does not fit into one GPU, by rows of each product.

#include <cstddef>
#include <vector>

#include "base/types.hpp"

namespace curlew::ie {

struct GpuDivision {
  int gpus = 1;
  bool by_waves = false;  ///< each GPU has the full operator and some right-hand sides; else some rows
};

/// Bytes on the device.
struct GpuNeeds {
  std::size_t of_operator = 0;
  std::size_t of_vectors = 0;  ///< of the iteration
  bool can_share_rows = true;
};

/// @param asked requested GPUs; 0: all if right-hand sides can be divided, else the fewest that can store the
/// operator @param waves right-hand sides @param free [usable devices, at least 1] bytes
GpuDivision divide_gpus(const GpuNeeds& needs, int asked, Index waves, const std::vector<std::size_t>& free);

/// Index of the first right-hand side of each share, and the end; neighbours stay together.
/// @returns [shares + 1]
std::vector<Index> share_waves(Index waves, int shares);

/// The same for groups assigned dynamically to `takers`: of `largest` right-hand sides, and smaller towards
/// the end, down to a quarter, so that all takers end at about the same time. The first groups of many do not
/// depend on the number of takers. Source: Polychronopoulos and Kuck (1987), IEEE Trans. Comput. C-36, 1425
/// (guided self-scheduling).
/// @returns [groups + 1]
std::vector<Index> groups_in_turn(Index waves, int takers, Index largest);

}  // namespace curlew::ie
