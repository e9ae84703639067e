// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Exchanges of rows of columns on the device.

#include "linalg/dense/device_dense.cuh"

namespace curlew::linalg {

/// Row to[i] of each column gets the former value of row from[i], for all i at once.
/// @param x [columns] of the given stride @param to, from [count] on the device, permutations of each other
/// @param space [space_entries] on the device, at least `count`
void move_rows(Z* x, Offset stride, Offset columns, const int* to, const int* from, int count, Z* space,
               std::size_t space_entries, cudaStream_t stream);

}  // namespace curlew::linalg
