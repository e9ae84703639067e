// SPDX-License-Identifier: BSD-3-Clause
// Perfect magnetic conductors: the natural condition, with a cut through surfaces inside the mesh.

#include "fem/conditions/kinds.hpp"

namespace curlew::fem {
namespace {

class Pmc final : public FaceCondition {
 public:
  bool is_pmc() const override { return true; }
  material::Sides sides(double) const override { return material::Sides::apart; }
};

}  // namespace

ConditionPtr pmc_condition() {
  static const auto condition = std::make_shared<const Pmc>();
  return condition;
}

ConditionPtr read_pmc(const io::Config&, double) {
  return pmc_condition();
}

}  // namespace curlew::fem
