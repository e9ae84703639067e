// SPDX-License-Identifier: BSD-3-Clause
#include "io/stated_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace curlew::io {
namespace {

/// Step upwards from 0, which may be the lower limit of a key.
constexpr double step_from_zero = 1e-6;

/// The table of a list that names a region, or a port by its name. @returns its index
std::size_t find_table(const Config& config, const Config& asking, const std::string& kind,
                       const std::string& region) {
  const auto tables = config.tables(kind);
  std::vector<const char*> keys{"region"};
  if (kind == "port") keys.push_back("name");
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (const char* key : keys) {
      if (!tables[i].has(key)) continue;
      const auto names = tables[i].get<std::vector<std::string>>(key);
      if (std::find(names.begin(), names.end(), region) != names.end()) return i;
    }
  }
  asking.error("parameter", fmt::format("no [[{}]] has region = \"{}\"", kind, region));
}

VariedConfig varied(const Config& config, const std::string& path, double value, double step) {
  Config changed = config.clone();
  changed.set(path, fmt::format("{:.17g}", value + step), "[[sensitivity]]");
  return {std::move(changed), step};
}

StatedParameter read_geometry(const Config& config, const Config& table, const std::string& name) {
  StatedParameter parameter{name};
  const Config parameters = config.table("mesh").table("parameters");
  table.require(parameters.has(parameter.number()), "parameter",
                fmt::format("\"{}\": [mesh] parameters does not contain {}", name, parameter.number()));
  parameter.value = parameters.get<double>(parameter.number());
  return parameter;
}

StatedParameter read_parameter(const Config& config, const Config& table, double relative_step) {
  const auto name = table.get<std::string>("parameter");
  const auto first = name.find('.'), last = name.rfind('.');
  const std::string kind = name.substr(0, first);
  if (name.starts_with("mesh.parameters.")) return read_geometry(config, table, name);
  table.require(
      first != std::string::npos && last > first &&
          (kind == "material" || kind == "boundary" || kind == "port"),
      "parameter",
      fmt::format("\"{}\": must be like \"material.substrate.epsilon_r\", with material, boundary or port, a "
                  "region and a key of its table",
                  name));
  const std::string region = name.substr(first + 1, last - first - 1), key = name.substr(last + 1);
  const std::size_t place = find_table(config, table, kind, region);
  const Config stated = config.tables(kind)[place];
  table.require(
      stated.kind(key) == Config::Kind::number, "parameter",
      fmt::format("\"{}\": {} of [[{}]] \"{}\" must be given as one number", name, key, kind, region));
  const double value = stated.get<double>(key);
  const std::string path = fmt::format("{}.{}.{}", kind, place, key);
  const double step = relative_step * std::abs(value);
  return {name, value, varied(config, path, value, -step),
          varied(config, path, value, step > 0 ? step : step_from_zero)};
}

}  // namespace

std::vector<StatedParameter> read_stated_parameters(const Config& config, double relative_step) {
  std::vector<StatedParameter> parameters;
  for (const Config& table : config.tables("sensitivity"))
    parameters.push_back(read_parameter(config, table, relative_step));
  return parameters;
}

std::vector<std::string> geometry_numbers(const std::vector<StatedParameter>& parameters) {
  std::vector<std::string> numbers;
  for (const auto& p : parameters)
    if (p.is_of_geometry()) numbers.push_back(p.number());
  return numbers;
}

}  // namespace curlew::io
