// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Number types of the whole suite.

#include <complex>
#include <cstdint>

namespace curlew {

using Index = std::int32_t;   ///< local entities, rows and columns
using Offset = std::int64_t;  ///< counts and offsets: more than 2^31 nonzeros are ordinary

using Complex = std::complex<double>;  ///< host containers and libraries; device code uses complex<T>
using ComplexF = std::complex<float>;

}  // namespace curlew
