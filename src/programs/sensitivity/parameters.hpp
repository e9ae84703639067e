// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[sensitivity]] of a config: the numbers that results are differentiated by.

#include <optional>
#include <string>
#include <vector>

#include "io/config.hpp"

namespace curlew::programs {

/// The config with a number a little less or greater.
struct VariedConfig {
  io::Config config;
  double step;  ///< of the number from its value; of the lower one <= 0
};

struct StatedParameter {
  std::string name;  ///< "material.substrate.epsilon_r"
  double value = 0;
  std::optional<VariedConfig> low{}, high{};  ///< of numbers in tables; none of the geometry's

  bool is_of_geometry() const { return !low; }
  /// "gap" of "mesh.parameters.gap".
  std::string number() const { return name.substr(name.rfind('.') + 1); }
};

/// parameter = "material.REGION.KEY", "boundary.REGION.KEY", "port.REGION.KEY" or "mesh.parameters.NAME".
/// @throws InputError with file and line: no such table, or a key that states no number
/// @param relative_step of the variants
std::vector<StatedParameter> read_stated_parameters(const io::Config& config, double relative_step);

/// Numbers of the geometry among them.
std::vector<std::string> geometry_numbers(const std::vector<StatedParameter>& parameters);

}  // namespace curlew::programs
