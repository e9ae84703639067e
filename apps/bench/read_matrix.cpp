// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "base/error.hpp"
#include "bench/sparse_matrices.hpp"
#include "fem/output/system_file.hpp"
#include "linalg/matrix_market.hpp"

namespace curlew::bench {

BlockMatrix read_matrix(const std::string& file) {
  if (file.ends_with(".mtx")) return {linalg::read_matrix_market(file), {}};
  if (!file.ends_with(".h5")) throw InputError(fmt::format("--matrix {}: must be a .mtx or .h5 file", file));
  fem::System system = fem::read_system(file);
  const bool has_three_orders = system.block_offsets[2] < system.block_offsets[3];
  if (system.num_rhs > 1) system.rhs.resize(std::size_t(system.a.num_rows));
  return {std::move(system.a), has_three_orders ? system.block_offsets : std::array<Index, 4>{},
          std::move(system.rhs)};
}

}  // namespace curlew::bench
