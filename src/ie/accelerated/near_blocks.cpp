// SPDX-License-Identifier: BSD-3-Clause
#include "ie/accelerated/near_blocks.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace curlew::ie {

Integration integration_for(double accuracy) {
  if (!(accuracy >= 1e-4 && accuracy <= 1e-1))
    throw InputError(fmt::format("accuracy {:g} of the integrals: 1e-4 ... 1e-1 are possible", accuracy));
  if (accuracy >= 1e-2) return {1, 1.3, 5, 3};
  if (accuracy >= 1e-3) return {2, 1.4, 8, 4};
  return {3, 1.6, 8, 4};
}

PairBlock<double> exact_block(const std::vector<Element>& elements, Index t, Index s,
                              const IntegrationRules& rules, double k) {
  const Element &a = elements[std::size_t(t)], &b = elements[std::size_t(s)];
  const bool exchange = order_exchanged(a, b, t, s);
  const Element &target = exchange ? b : a, &source = exchange ? a : b;
  const bool touching = norm(a.centre() - b.centre()) < a.radius() + b.radius();
  const PairRules pair{rules.outer(target, touching), rules.smooth.of(target),
                       rules.smooth.of(source)};
  const auto block = accurate_block(target, source, pair, k);
  return exchange ? transposed(block) : block;
}

NearBlocks make_near_blocks(const std::vector<Element>& elements, const Integration& integration, double k) {
  NearBlocks near{find_near_pairs(elements, integration.near_reach), {}};
  require_memory(std::size_t(near.list.num_pairs()) * sizeof(PairBlock<float>), "near corrections");
  near.blocks.resize(std::size_t(near.list.num_pairs()));
  const IntegrationRules rules(integration);
#pragma omp parallel for schedule(dynamic, 64)
  for (Index t = 0; t < Index(elements.size()); ++t) {
    for (Offset i = near.list.offsets[std::size_t(t)]; i < near.list.offsets[std::size_t(t) + 1]; ++i) {
      const Index s = near.list.columns[std::size_t(i)];
      if (s < t) continue;
      const Element &a = elements[std::size_t(t)], &b = elements[std::size_t(s)];
      const auto block = single(exact_block(elements, t, s, rules, k) -
                                point_block(a, rules.point.of(a), b, rules.point.of(b), k));
      near.blocks[std::size_t(i)] = block;
      if (s != t) near.blocks[std::size_t(near.list.find(s, t))] = transposed(block);
    }
  }
  return near;
}

}  // namespace curlew::ie
