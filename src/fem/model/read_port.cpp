// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/read_port.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "fem/model/region_rules.hpp"

namespace curlew::fem {
namespace {

/// A vector that is not zero.
Vec3<double> read_vector(const io::Config& table, const char* key) {
  const auto d = table.get<Vec3<double>>(key);
  table.require(norm(d) > 0, key, fmt::format("{} must not be the zero vector", key));
  return d;
}

ImpedanceDefinition read_definition(const io::Config& table) {
  const std::string word =
      table.choice_or("impedance", {"automatic", "power_current", "power_voltage", "wave"}, "automatic");
  if (word == "power_current") return ImpedanceDefinition::power_current;
  if (word == "power_voltage") return ImpedanceDefinition::power_voltage;
  return word == "wave" ? ImpedanceDefinition::wave : ImpedanceDefinition::automatic;
}

/// Two points; the voltage is for nothing but power_voltage, which it makes the default.
void read_voltage_line(const io::Config& table, double unit, PortModel& port) {
  if (!table.has("voltage_line")) return;
  const auto points = table.get<std::vector<Vec3<double>>>("voltage_line");
  table.require(points.size() == 2 && norm(points[1] - points[0]) > 0, "voltage_line",
                "voltage_line must be two different points [[x, y, z], [x, y, z]] on the port");
  if (!table.has("impedance")) port.impedance = ImpedanceDefinition::power_voltage;
  table.require(port.impedance == ImpedanceDefinition::power_voltage, "voltage_line",
                "voltage_line is the voltage of impedance = \"power_voltage\": give that, or none");
  port.voltage_line = {unit * points[0], unit * points[1]};
}

void read_waveguide(const io::Config& table, double unit, PortModel& port) {
  port.modes = table.integer_in_or("modes", 1, 100, 1);
  port.absorbed_modes = table.integer_in_or("absorbed_modes", 0, 100, port.absorbed_modes);
  port.numeric = table.choice_or("mode_solver", {"automatic", "numeric"}, "automatic") == "numeric";
  port.impedance = read_definition(table);
  read_voltage_line(table, unit, port);
  if (table.has("polarization")) port.polarization = read_vector(table, "polarization");
  port.deembed = table.get_or<double>("deembed", 0.0);
}

/// Of the first mode, in the excitation of all ports at once.
void read_drive(const io::Config& table, PortModel& port) {
  if (!table.has("amplitude") && !table.has("phase")) return;
  const double amplitude = table.get_or<double>("amplitude", 1.0), phase = table.get_or<double>("phase", 0.0);
  table.require(amplitude >= 0, "amplitude", "amplitude must be at least 0 [sqrt W]");
  table.require(port.type != PortType::floquet, table.has("amplitude") ? "amplitude" : "phase",
                "amplitude and phase are of waveguide and lumped ports: waves of a floquet port come alone");
  port.drive = std::polar(amplitude, phase * pi / 180);
}

/// modes left out: all that propagate, and at least TE(0,0) and TM(0,0).
void read_floquet(const io::Config& table, PortModel& port) {
  port.type = PortType::floquet;
  port.modes = table.has("modes") ? table.integer_in("modes", 1, 100) : 0;
  port.absorbed_modes = table.integer_in_or("absorbed_modes", 0, 100, 12);
  port.deembed = table.get_or<double>("deembed", 0.0);
}

}  // namespace

CurrentDirection read_direction(const io::Config& table) {
  if (table.kind("direction") != io::Config::Kind::string) return {read_vector(table, "direction"), false};
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
  table.require(regions.size() == 1, "region", "a port is one surface: give every surface its own [[port]]");
  port.region = regions[0];
  port.excite = table.get_or<bool>("excite", false);
  port.reference_impedance = read_reference_impedance(table);
  const auto type = table.choice_or("type", {"waveguide", "lumped", "floquet"}, "waveguide");
  if (type == "waveguide") {
    read_waveguide(table, unit, port);
    read_drive(table, port);
    return port;
  }
  if (type == "floquet") {
    read_floquet(table, port);
    read_drive(table, port);
    return port;
  }
  port.type = PortType::lumped;
  port.absorbed_modes = 0;
  port.resistance = table.positive_or("resistance", port.resistance);
  port.direction = read_direction(table);
  read_drive(table, port);
  return port;
}

}  // namespace curlew::fem
