// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The command line of em-mesh as values. @throws InputError for values that are not possible

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mesh/gmsh_import.hpp"
#include "mesh/surround.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Refractive indices of regions: for sizes by wavelength and for the check in the report.
struct Waves {
  std::optional<double> frequency;      ///< [Hz]
  std::map<std::string, double> index;  ///< refractive index of regions, 1 where not given
  double index_of(const std::string& region) const { return index.contains(region) ? index.at(region) : 1.0; }
};

Waves read_waves(const run::Run& run);

/// `name=value` of a repeated option; split at the last '=', as region names may contain one.
std::map<std::string, double> named_numbers(const run::Run& run, const std::string& option);
std::optional<double> positive_option(const run::Run& run, const std::string& option);
/// --unit, which is needed.
std::string unit_option(const run::Run& run);
mesh::ImportOptions import_options(const run::Run& run, const Waves& waves);
/// The cells around the body of a mesh, for open problems.
mesh::Surround surround_options(const run::Run& run, const Waves& waves);
/// The axes of --mirror, each once.
std::vector<int> mirror_axes(const run::Run& run);

}  // namespace curlew::programs
