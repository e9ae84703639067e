// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/pass_shares.hpp"

namespace curlew::programs {

void add_shares(const fem::SurplusErrors& found, const fem::NedelecSpace& space, Pass& pass) {
  const auto add = [](std::vector<double>& sum, const std::vector<double>& more) {
    sum.resize(more.size());
    for (std::size_t c = 0; c < more.size(); ++c) sum[c] += more[c];
  };
  add(pass.errors, found.cells), add(pass.second, found.second), add(pass.third, found.third);
  pass.orders.resize(found.cells.size());
  for (std::size_t c = 0; c < pass.orders.size(); ++c)
    pass.orders[c] = std::int8_t(space.cell_order(Index(c)));
}

}  // namespace curlew::programs
