// SPDX-License-Identifier: BSD-3-Clause
#include "io/plane_waves.hpp"

#include <fmt/format.h>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/ranges.hpp"

namespace curlew::io {
namespace {

struct Polarization {
  std::string name;
  double angle;  // [rad]
};

std::vector<Polarization> read_polarizations(const Config& table) {
  constexpr const char* key = "polarization";
  const auto by_name = [&](const std::string& name) {
    table.require(name == "theta" || name == "phi", key,
                  fmt::format("polarization \"{}\" must be \"theta\", \"phi\" or an angle in degrees", name));
    return Polarization{name, name == "theta" ? 0 : pi / 2};
  };
  std::vector<Polarization> all;
  if (table.kind(key) == Config::Kind::missing) {
    table.get_or<std::string>(key, "theta");
    return {by_name("theta")};
  }
  bool words = table.kind(key) == Config::Kind::string;
  if (table.kind(key) == Config::Kind::array) {
    try {
      table.get<std::vector<std::string>>(key);
      words = true;
    } catch (const InputError&) {  // then it must be a list of angles
    }
  }
  if (words) {
    for (const auto& name : table.get<std::vector<std::string>>(key)) all.push_back(by_name(name));
  } else {
    const auto angles = table.get<std::vector<double>>(key);
    for (const double degrees : angles) {
      require_angle(table, key, degrees);
      all.push_back({fmt::format("{:g}", degrees), degrees * pi / 180});
    }
  }
  return all;
}

}  // namespace

std::vector<PlaneWaveRequest> read_plane_waves(const Config& excitation) {
  std::vector<PlaneWaveRequest> waves;
  const auto phis = angle_list(excitation, "phi");
  for (const double theta : angle_list(excitation, "theta"))
    for (const double phi : phis)
      for (const auto& p : read_polarizations(excitation)) waves.push_back({theta, phi, p.name, p.angle});
  return waves;
}

}  // namespace curlew::io
