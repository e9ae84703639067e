// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The matrices of the low-frequency levels in the memory of the device.

#include <vector>

#include "base/cuda.hpp"
#include "ngim/device/view.cuh"
#include "ngim/scheme.hpp"

namespace curlew::ngim::device {

template <class T>
struct GridMatrices {
  int rows = 0;        ///< padded rank, the same for all levels
  int row_tile = 8;    ///< of launch_translate; 3 ... 8
  int most_order = 0;  ///< largest Chebyshev order
  std::vector<cuda::Buffer<complex<T>>> matrices;
  cuda::Buffer<LevelMatrices<T>> levels;  ///< by level
  cuda::Buffer<T> skeleton;               ///< [level][3][rows], units of the unit cube
  std::size_t bytes() const;
};

/// @throws ResourceError if they do not fit
template <class T>
GridMatrices<T> upload_matrices(const Scheme& scheme);

}  // namespace curlew::ngim::device
