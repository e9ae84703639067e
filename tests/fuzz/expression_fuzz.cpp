// SPDX-License-Identifier: BSD-3-Clause
// Expressions and units, as they stand in quotes in a config.

#include <cmath>

#include "io/expression.hpp"
#include "scratch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace curlew;
  const std::string text = fuzz::text_of(data, size);
  const io::Names names{[](const std::string& name) -> std::optional<io::Quantity> {
                          if (name == "w") return io::Quantity{1e-3, {1}, true};
                          return std::nullopt;
                        },
                        {"w"}};
  try {
    if (!std::isfinite(io::evaluate(text, names).value)) std::abort();
  } catch (const io::ExpressionError&) {
  }
  io::parse_unit(text);
  return 0;
}
