// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "base/error.hpp"
#include "bench/sparse_matrices.hpp"
#include "io/hdf5.hpp"
#include "linalg/matrix_market.hpp"

namespace curlew::bench {
namespace {

linalg::Csr<Complex> read_group(const io::H5Group& group) {
  linalg::Csr<Complex> a;
  a.row_offsets = group.read<Offset>("row_offsets");
  a.columns = group.read<Index>("columns");
  a.values = group.read<Complex>("values");
  a.num_rows = Index(a.row_offsets.size()) - 1;
  a.num_cols = a.num_rows;  // blocks: set by the caller
  return a;
}

/// Rows of A/00, A/11, ... one under the other.
std::vector<Index> block_offsets(const io::H5Group& blocks) {
  std::vector<Index> offsets{0};
  for (int i = 0; i < 9 && blocks.has(fmt::format("{}{}", i, i)); ++i) {
    const auto rows = blocks.group(fmt::format("{}{}", i, i)).read<Offset>("row_offsets");
    offsets.push_back(offsets.back() + Index(rows.size()) - 1);
  }
  return offsets;
}

/// A/00, A/01, ... side by side and one under the other.
linalg::Csr<Complex> join_blocks(const io::H5Group& blocks) {
  const std::vector<Index> offsets = block_offsets(blocks);
  const int orders = int(offsets.size()) - 1;
  linalg::Coo<Complex> coo;
  coo.num_rows = coo.num_cols = offsets.back();
  for (int i = 0; i < orders; ++i) {
    for (int j = 0; j < orders; ++j) {
      const auto name = fmt::format("{}{}", i, j);
      if (!blocks.has(name)) continue;
      const auto b = read_group(blocks.group(name));
      for (Index r = 0; r < b.num_rows; ++r) {
        for (Offset k = b.row_offsets[r]; k < b.row_offsets[r + 1]; ++k) {
          coo.add(offsets[i] + r, offsets[j] + b.columns[k], b.values[k]);
        }
      }
    }
  }
  return linalg::to_csr(coo);
}

}  // namespace

linalg::Csr<Complex> read_matrix(const std::string& file) {
  if (file.ends_with(".mtx")) return linalg::read_matrix_market(file);
  if (!file.ends_with(".h5")) throw InputError(fmt::format("--matrix {}: must be a .mtx or .h5 file", file));
  const auto h5 = io::H5File::open(file);
  const auto group = h5.group("A");
  auto a = group.has("row_offsets") ? read_group(group) : join_blocks(group);
  linalg::check_structure(a, file.c_str());
  return a;
}

std::vector<Index> read_block_offsets(const std::string& file) {
  if (!file.ends_with(".h5")) return {0};
  return block_offsets(io::H5File::open(file).group("A"));
}

}  // namespace curlew::bench
