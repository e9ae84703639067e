// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Compressed pieces of a dataset, before the HDF5 library unpacks them. Private to the hdf5*.cpp files.

#include <hdf5.h>

#include <string>

#include "io/hdf5.hpp"

namespace curlew::io::h5 {

/// Largest expansion of one byte by deflate.
constexpr double most_compression_of_deflate = 1032;

/// Unpacks each compressed chunk: the library does not check their number of bytes and may read beyond them.
/// @throws InputError if one has other bytes than its shape, or filters other than shuffle and deflate
void check_chunks(hid_t set, hid_t type, const Shape& extents, const std::string& label);

}  // namespace curlew::io::h5
