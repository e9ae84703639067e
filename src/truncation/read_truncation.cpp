// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/read_truncation.hpp"

#include <fmt/format.h>

#include <set>

#include "base/constants.hpp"
#include "fields/pattern.hpp"
#include "io/frequency.hpp"
#include "io/ranges.hpp"
#include "mesh/surround.hpp"

namespace curlew::truncation {

namespace {

constexpr double least_tolerance = 1e-13;

}  // namespace

TruncationOptions read_truncation(const io::Config& config) {
  const io::Config table = config.table("truncation");
  TruncationOptions options;
  const auto surfaces = table.get_or<std::vector<std::string>>("surfaces", {"S", "S_prime"});
  table.require(surfaces.size() == 2 && surfaces[0] != surfaces[1], "surfaces",
                "surfaces must be two different surfaces, the outer and the inner one");
  options.names.outer = surfaces[0], options.names.inner = surfaces[1];
  options.names.symmetry = table.get_or<std::vector<std::string>>("symmetry", {});
  const std::set<std::string> planes(options.names.symmetry.begin(), options.names.symmetry.end());
  table.require(planes.size() == options.names.symmetry.size(), "symmetry",
                "symmetry names the same surface twice");
  options.iteration.tolerance = table.positive_or("tolerance", options.iteration.tolerance);
  table.require(options.iteration.tolerance < 1, "tolerance", "tolerance must be below 1");
  table.require(options.iteration.tolerance >= least_tolerance, "tolerance",
                fmt::format("tolerance must be at least {:g}, because of rounding errors", least_tolerance));
  options.iteration.max_iterations = table.integer_in_or("max_iterations", 1, 1000, 50);
  options.iteration.acceleration = table.choice_or("acceleration", {"none", "gmres"}, "gmres") == "gmres"
                                       ? Acceleration::gmres
                                       : Acceleration::none;
  const io::Config expert = config.table("solver").table("expert");
  options.currents = expert.choice_or("currents", {"flux", "curl"}, "flux") == "curl"
                         ? fem::CurrentRule::curl
                         : fem::CurrentRule::flux;
  const auto sums = config.table("acceleration").choice_or("type", {"none", "ngim", "auto"}, "auto");
  if (sums != "auto") options.radiation = sums == "ngim" ? RadiationMethod::ngim : RadiationMethod::direct;
  return options;
}

std::vector<std::string> surround_arguments(const io::Config& config) {
  const io::Config table = config.table("truncation");
  const auto body = table.get_or<std::vector<std::string>>("body", {});
  if (!table.has("distance")) {
    for (const char* key : {"body", "gap"})
      table.require(!table.has(key), key,
                    fmt::format("{} belongs to distance, which makes surfaces around a body", key));
    return {};
  }
  table.require(!table.has("surfaces"), "surfaces",
                "distance makes both surfaces around the body: leave surfaces out");
  table.require(!table.has("symmetry"), "symmetry",
                "distance makes surfaces around a full body, not around a part of a symmetric one: leave "
                "symmetry out and give the full body, or draw both surfaces around the part");
  const double wavelength = speed_of_light / io::frequencies(config).back();
  const double distance = table.positive("distance"), gap = table.get_or<double>("gap", 0.0);
  table.require(distance <= 1, "distance", "must be at most 1 wavelength; 0.05 to 0.2 is right");
  table.require(gap >= 0, "gap", "must be 0 (on the body) or positive (wavelengths)");
  std::vector<std::string> arguments{"--surround", fmt::format("{}", distance * wavelength)};
  const auto add = [&](const char* option, const std::string& value) {
    arguments.insert(arguments.end(), {option, value});
  };
  if (gap > 0) add("--gap", fmt::format("{}", gap * wavelength));
  for (const auto& name : body) add("--body", name);
  const mesh::Surround names;
  for (const auto& boundary : config.tables("boundary"))
    for (const auto& name : boundary.get<std::vector<std::string>>("region"))
      if (name != names.inner) add("--hollow", name);
  return arguments;
}

std::vector<ArrivingWave> read_waves(const io::Config& config) {
  std::vector<ArrivingWave> waves;
  for (const auto& table : config.tables("excitation")) {
    if (table.choice_or("type", {"plane_wave", "dipole", "current"}, "plane_wave") != "plane_wave") return {};
    for (const auto& wave : io::read_plane_waves(table)) waves.push_back({wave});
  }
  return waves;
}

FarFieldRequest read_far_field_request(const io::Config& config) {
  const io::Config output = config.table("output");
  FarFieldRequest request;
  request.monostatic = output.get_or<bool>("monostatic", false);
  request.formats = io::read_pattern_formats(config);
  const io::Config table = output.table("far_field");
  const auto theta = output.has("far_field") ? io::linear_range(table, "theta") : io::linspace(0, 180, 37);
  const auto phi = output.has("far_field") ? io::linear_range(table, "phi") : std::vector<double>{0.0, 90.0};
  request.directions = fields::directions_at(theta, phi);
  return request;
}

}  // namespace curlew::truncation
