// SPDX-License-Identifier: BSD-3-Clause
// Perfect electric conductors.

#include "fem/conditions/kinds.hpp"

namespace curlew::fem {
namespace {

class Pec final : public FaceCondition {
 public:
  bool is_pec() const override { return true; }
};

}  // namespace

ConditionPtr pec_condition() {
  static const auto condition = std::make_shared<const Pec>();
  return condition;
}

ConditionPtr read_pec(const io::Config&, double) {
  return pec_condition();
}

}  // namespace curlew::fem
