// SPDX-License-Identifier: BSD-3-Clause
#include "programs/mesh/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/number_text.hpp"
#include "mesh/length_unit.hpp"

namespace curlew::programs {
namespace {

std::vector<mesh::RegionNeed> read_needs(const run::Run& run) {
  std::vector<mesh::RegionNeed> needs;
  for (const std::string& text : run.option_list("need")) {
    const std::string kind = text.substr(0, text.find('='));
    if (text.find('=') == std::string::npos || (kind != "volume" && kind != "surface" && kind != "region"))
      throw InputError(fmt::format("--need {}: must be volume=NAME, surface=NAME or region=NAME", text));
    needs.push_back({kind, text.substr(kind.size() + 1)});
  }
  return needs;
}

}  // namespace

std::map<std::string, double> named_numbers(const run::Run& run, const std::string& option) {
  std::map<std::string, double> result;
  for (const std::string& text : run.option_list(option)) {
    const auto at = text.rfind('=');
    const bool is_named = at != std::string::npos && at > 0;
    const auto value = is_named ? io::number_of(text.substr(at + 1)) : std::nullopt;
    if (!value || !std::isfinite(*value))
      throw InputError(fmt::format("--{} {}: must be name=number", option, text));
    result[text.substr(0, at)] = *value;
  }
  return result;
}

std::optional<double> positive_option(const run::Run& run, const std::string& option) {
  const auto value = run.number_option(option);
  if (value && !(*value > 0)) throw InputError(fmt::format("--{} {}: must be positive", option, *value));
  return value;
}

Waves read_waves(const run::Run& run) {
  Waves waves{positive_option(run, "frequency"), named_numbers(run, "index")};
  for (const auto& [region, index] : waves.index)
    if (!(index > 0)) throw InputError(fmt::format("--index {}={}: must be positive", region, index));
  return waves;
}

std::string unit_option(const run::Run& run) {
  if (const auto unit = run.option("unit")) return *unit;
  throw InputError(
      fmt::format("--unit is needed: the unit of the numbers in {} ({})", run.input(), mesh::length_units));
}

mesh::ImportOptions import_options(const run::Run& run, const Waves& waves) {
  const std::string unit = unit_option(run);
  mesh::ImportOptions options{.unit = unit,
                              .size = positive_option(run, "size"),
                              .parameters = named_numbers(run, "set-number"),
                              .needs = read_needs(run),
                              .for_surfaces = run.flag("surfaces")};
  if (const auto field = run.option("size-field")) options.size_field = *field;
  if (const auto order = run.number_option("order")) {
    if (*order != 1 && *order != 2)
      throw InputError(fmt::format("--order {}: 1 (straight) or 2 (curved)", *order));
    options.order = int(*order);
  }
  if (const auto fraction = positive_option(run, "wavelength-fraction")) {
    if (options.size) throw InputError("--size and --wavelength-fraction exclude each other");
    if (!waves.frequency) throw InputError("--wavelength-fraction needs --frequency");
    const double size = *fraction * speed_of_light / *waves.frequency;
    options.size = size / mesh::metres_per_unit(unit);
    for (const auto& [region, index] : waves.index) options.region_sizes[region] = size / index;
    // A medium slower than the vacuum has smaller cells than `size`, a faster one greater ones.
    for (const auto& [region, index] : waves.index)
      options.size = std::max(*options.size, options.region_sizes[region] / mesh::metres_per_unit(unit));
  }
  return options;
}

mesh::Surround surround_options(const run::Run& run, const Waves& waves) {
  mesh::Surround options{.body = run.option_list("body"),
                         .hollow = run.option_list("hollow"),
                         .distance = *positive_option(run, "surround"),
                         .gap = positive_option(run, "gap").value_or(0)};
  const auto fraction = positive_option(run, "wavelength-fraction");
  if (const auto size = positive_option(run, "size"))
    options.size = *size * mesh::metres_per_unit(run.option("unit").value_or("m"));
  else if (fraction && waves.frequency)
    options.size = *fraction * speed_of_light / *waves.frequency;
  return options;
}

std::vector<int> mirror_axes(const run::Run& run) {
  std::vector<int> axes;
  for (const std::string& text : run.option_list("mirror")) {
    if (text != "x" && text != "y" && text != "z")
      throw InputError(fmt::format("--mirror {}: must be x, y or z", text));
    const int axis = text[0] - 'x';
    if (std::find(axes.begin(), axes.end(), axis) != axes.end())
      throw InputError(fmt::format("--mirror {}: is there twice", text));
    axes.push_back(axis);
  }
  return axes;
}

}  // namespace curlew::programs
