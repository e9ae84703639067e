// SPDX-License-Identifier: BSD-3-Clause
#include "base/copy_rows.hpp"

#include <algorithm>
#include <cstring>

#include "base/threads.hpp"

namespace curlew {

void copy_rows(void* to, std::size_t to_stride, const void* from, std::size_t from_stride, std::size_t bytes,
               std::size_t rows) {
  constexpr std::size_t piece = 1 << 16;
  const std::size_t pieces = (bytes + piece - 1) / piece;
#pragma omp parallel for num_threads(num_threads()) if (rows * bytes > 4 * piece)
  for (std::size_t i = 0; i < rows * pieces; ++i) {
    const std::size_t row = i / pieces, begin = i % pieces * piece;
    std::memcpy(static_cast<char*>(to) + row * to_stride + begin,
                static_cast<const char*>(from) + row * from_stride + begin, std::min(piece, bytes - begin));
  }
}

}  // namespace curlew
