// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/read_truncation.hpp"

#include <fmt/format.h>

#include "io/ranges.hpp"

namespace curlew::truncation {

namespace {

struct Polarization {
  std::string name;
  double angle;
};

std::vector<Polarization> read_polarizations(const io::Config& table) {
  if (table.kind("polarization") == io::Config::Kind::number) {
    const auto degrees = table.get<double>("polarization");
    return {{fmt::format("{:g}", degrees), degrees * pi / 180}};
  }
  std::vector<Polarization> all;
  for (const auto& name : table.get_or<std::vector<std::string>>("polarization", {"theta"})) {
    table.require(name == "theta" || name == "phi", "polarization",
                  fmt::format("polarization \"{}\" must be \"theta\", \"phi\" or an angle in degrees", name));
    all.push_back({name, name == "theta" ? 0 : pi / 2});
  }
  return all;
}

}  // namespace

TruncationOptions read_truncation(const io::Config& config) {
  const io::Config table = config.table("truncation");
  TruncationOptions options;
  options.names.outer = table.get_or<std::string>("outer", options.names.outer);
  options.names.inner = table.get_or<std::string>("inner", options.names.inner);
  table.require(options.names.outer != options.names.inner, "inner",
                "inner and outer must be different surfaces");
  options.names.symmetry = table.get_or<std::vector<std::string>>("symmetry", {});
  options.iteration.tolerance = table.positive_or("tolerance", options.iteration.tolerance);
  table.require(options.iteration.tolerance < 1, "tolerance", "tolerance must be below 1");
  options.iteration.max_iterations = table.integer_in_or("max_iterations", 1, 1000, 50);
  options.iteration.acceleration = table.choice_or("acceleration", {"none", "gmres"}, "gmres") == "gmres"
                                       ? Acceleration::gmres
                                       : Acceleration::none;
  options.source_degree = table.integer_in_or("quadrature_degree", 0, 40, 0);
  table.choice_or("radiation", {"auto", "direct"}, "auto");
  return options;
}

std::vector<ArrivingWave> read_waves(const io::Config& config) {
  std::vector<ArrivingWave> waves;
  for (const auto& table : config.tables("excitation")) {
    table.choice_or("type", {"plane_wave"}, "plane_wave");
    for (const double theta : table.get<std::vector<double>>("theta"))
      for (const double phi : table.get<std::vector<double>>("phi"))
        for (const auto& p : read_polarizations(table)) waves.push_back({theta, phi, p.name, p.angle});
  }
  return waves;
}

FarFieldRequest read_far_field_request(const io::Config& config) {
  const io::Config output = config.table("output");
  FarFieldRequest request;
  request.monostatic = output.get_or<bool>("monostatic", false);
  const io::Config table = output.table("far_field");
  const auto theta = output.has("far_field") ? io::linear_range(table, "theta") : io::linspace(0, 180, 37);
  const auto phi = output.has("far_field") ? io::linear_range(table, "phi") : std::vector<double>{0.0, 90.0};
  for (const double p : phi)
    for (const double t : theta) request.directions.push_back({t * pi / 180, p * pi / 180});
  return request;
}

}  // namespace curlew::truncation
