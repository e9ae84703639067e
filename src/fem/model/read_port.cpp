// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/read_port.hpp"

#include <fmt/format.h>

#include "base/constants.hpp"
#include "fem/model/region_rules.hpp"

namespace curlew::fem {
namespace {

/// Amplitude and phase of the first mode in the excitation of all ports at once.
void read_drive(const io::Config& table, PortModel& port) {
  if (!table.has("amplitude") && !table.has("phase")) return;
  const double amplitude = table.get_or<double>("amplitude", 1.0), phase = table.get_or<double>("phase", 0.0);
  table.require(amplitude >= 0, "amplitude", "amplitude must be at least 0 [sqrt W]");
  port.drive = std::polar(amplitude, phase * pi / 180);
}

}  // namespace

Vec3<double> read_nonzero_vector(const io::Config& table, const char* key) {
  const auto d = table.get<Vec3<double>>(key);
  table.require(norm(d) > 0, key, fmt::format("{} must not be the zero vector", key));
  return d;
}

CurrentDirection read_direction(const io::Config& table) {
  if (table.kind("direction") != io::Config::Kind::string)
    return {read_nonzero_vector(table, "direction"), false};
  const std::string word =
      table.choice("direction", {"x", "y", "z", "+x", "+y", "+z", "-x", "-y", "-z", "radial"});
  CurrentDirection direction{{}, word == "radial"};
  if (!direction.is_radial) direction.vector[word.back() - 'x'] = word[0] == '-' ? -1 : 1;
  return direction;
}

std::optional<Complex> read_reference_impedance(const io::Config& table) {
  const auto z = table.find<Complex>("reference_impedance");
  if (z)
    table.require(z->real() > 0, "reference_impedance",
                  "reference_impedance must have a positive real part [ohm]");
  return z;
}

PortModel read_port(const io::Config& table, const mesh::Mesh& mesh, double unit) {
  PortModel port;
  const auto regions = read_surface_names(table, mesh);
  table.require(regions.size() == 1, "region", "a port has one surface: give every surface its own [[port]]");
  port.region = regions[0];
  port.name = table.get_or<std::string>("name", port.region);
  port.excite = table.get_or<bool>("excite", false);
  port.reference_impedance = read_reference_impedance(table);
  read_port_kind(table, unit, port);
  read_drive(table, port);
  return port;
}

}  // namespace curlew::fem
