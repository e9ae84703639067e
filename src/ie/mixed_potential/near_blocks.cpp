// SPDX-License-Identifier: BSD-3-Clause
#include "ie/mixed_potential/near_blocks.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace curlew::ie {

Integration integration_for(double accuracy) {
  if (!(accuracy >= 1e-4 && accuracy <= 1e-1))
    throw InputError(fmt::format("accuracy {:g} of the integrals: must be 1e-4 to 1e-1", accuracy));
  if (accuracy >= 1e-2) return {1, 1.3, 5, 3};
  if (accuracy >= 1e-3) return {2, 1.4, 8, 4};
  return {3, 1.6, 8, 4};
}

PairInput IntegrationRules::input(const std::vector<Element>& elements, double k) const {
  const auto both = [](const ElementRules& flat, const ElementRules& solid, RuleView* views) {
    views[0] = flat.triangle(), views[1] = solid.tetrahedron();
  };
  PairInput in{elements.data(), k, {}, {}, {}, {}};
  both(point, point, in.point), both(touching_flat, touching, in.touching);
  both(near, near, in.near), both(smooth, smooth, in.smooth);
  return in;
}

NearBlocks make_near_blocks(const std::vector<Element>& elements, const Integration& integration, double k) {
  NearBlocks near{find_near_pairs(elements, integration.near_reach), {}};
  require_memory(std::size_t(near.list.num_pairs()) * sizeof(ElementBlock<float>), "near corrections");
  near.blocks.resize(std::size_t(near.list.num_pairs()));
  const IntegrationRules rules(integration);
  const PairInput input = rules.input(elements, k);
#pragma omp parallel for schedule(dynamic, 64)
  for (Index t = 0; t < Index(elements.size()); ++t) {
    if (is_interrupted()) continue;
    for (Offset i = near.list.offsets[std::size_t(t)]; i < near.list.offsets[std::size_t(t) + 1]; ++i) {
      const Index s = near.list.columns[std::size_t(i)];
      if (s < t) continue;
      const auto block = single(input.exact(t, s) - input.by_points(t, s));
      near.blocks[std::size_t(i)] = block;
      if (s != t) near.blocks[std::size_t(near.list.find(s, t))] = transposed(block);
    }
  }
  check_interrupt();
  return near;
}

}  // namespace curlew::ie
