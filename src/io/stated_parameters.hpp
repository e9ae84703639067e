// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[sensitivity]] of a config: the parameters of derivatives.

#include <optional>
#include <string>
#include <vector>

#include "io/config.hpp"

namespace curlew::io {

/// The config with a parameter slightly decreased or increased.
struct VariedConfig {
  Config config;
  double step;  ///< difference from the parameter's value; <= 0 of the lower variant
};

struct StatedParameter {
  std::string name;  ///< "material.substrate.epsilon_r"
  double value = 0;
  std::optional<VariedConfig> low{}, high{};  ///< for numbers in tables; empty for those of the geometry

  bool is_of_geometry() const { return !low; }
  /// "gap" of "mesh.parameters.gap".
  std::string number() const { return name.substr(name.rfind('.') + 1); }
};

/// parameter = "material.REGION.KEY", "boundary.REGION.KEY", "port.REGION.KEY" or "mesh.parameters.NAME".
/// @throws InputError with file and line: no such table, or a key whose value is no number
/// @param relative_step of the variants
std::vector<StatedParameter> read_stated_parameters(const Config& config, double relative_step);

/// The parameters of the geometry among them.
std::vector<std::string> geometry_numbers(const std::vector<StatedParameter>& parameters);

}  // namespace curlew::io
