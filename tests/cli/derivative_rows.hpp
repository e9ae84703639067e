// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Derivatives as results.sensitivities of summary.json has them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/types.hpp"

namespace curlew::test {

/// Derivative of a quantity by a parameter; a failure of the test and 0 if it is missing.
inline Complex derivative(const nlohmann::json& results, const std::string& parameter,
                          const std::string& quantity) {
  for (const auto& row : results["sensitivities"])
    if (row["parameter"] == parameter && row["quantity"] == quantity)
      return {row["derivative"][0], row["derivative"][1]};
  ADD_FAILURE() << parameter << " " << quantity;
  return 0;
}

}  // namespace curlew::test
