// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace curlew {

/// Copies `rows` rows of `bytes` each, whose beginnings lie the given bytes apart, by all threads: one alone
/// moves some 10 GB/s, less where the memory is touched for the first time.
void copy_rows(void* to, std::size_t to_stride, const void* from, std::size_t from_stride, std::size_t bytes,
               std::size_t rows);

}  // namespace curlew
