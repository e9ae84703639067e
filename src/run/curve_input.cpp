// SPDX-License-Identifier: BSD-3-Clause
#include "run/curve_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "run/converted_file.hpp"

namespace curlew::run {
namespace {

std::vector<mesh::PhysicalCurve> load_curves(const io::Config& table, const std::string& unit, Run& run) {
  const std::string path = table.resolve_path(table.get<std::string>("file"));
  std::error_code fault;
  table.require(std::filesystem::is_regular_file(path, fault), "file", fmt::format("{}: no such file", path));
  std::vector<mesh::PhysicalCurve> curves;
  const auto read = [&](const std::string& file) { curves = mesh::read_curves(file); };
  if (std::filesystem::path(path).extension() == ".h5") {
    table.require(!table.has("parameters"), "parameters",
                  fmt::format("{} holds finished curves in metres: this key is for geometry files", path));
    run.depends_on(path);
    try {
      read(path);
    } catch (const InputError& e) {
      table.error("file", e.what());
    }
    return curves;
  }
  std::vector<std::string> arguments{"--curves", "--unit", unit};
  const io::Config parameters = table.table("parameters");
  for (const std::string& name : parameters.keys()) {
    arguments.emplace_back("--set-number");
    arguments.push_back(fmt::format("{}={}", name, parameters.get<double>(name)));
  }
  with_converted(table, path, std::move(arguments), run, read);
  return curves;
}

}  // namespace

mesh::PhysicalCurve load_curve(const io::Config& table, const std::string& unit, Run& run) {
  auto curves = load_curves(table, unit, run);
  std::vector<std::string> names;
  for (const auto& curve : curves) names.push_back(curve.name);
  const auto known = fmt::format("(curves: {})", fmt::join(names, ", "));
  if (!table.has("region")) {
    table.require(curves.size() == 1, "region", "there are several curves: name one of " + known);
    return curves[0];
  }
  const auto region = table.get<std::string>("region");
  const auto found = std::find(names.begin(), names.end(), region);
  table.require(found != names.end(), "region", fmt::format("no physical curve \"{}\" {}", region, known));
  return std::move(curves[std::size_t(found - names.begin())]);
}

}  // namespace curlew::run
