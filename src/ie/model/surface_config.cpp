// SPDX-License-Identifier: BSD-3-Clause
#include "ie/model/surface_config.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "ie/sources/dipole_sources.hpp"
#include "io/touchstone.hpp"
#include "job/dense_memory.hpp"
#include "run/mesh_input.hpp"

namespace curlew::ie {
namespace {

// ---- excitation ----

void read_excitations(const io::Config& config, SurfaceConfig& c) {
  const double unit = run::length_unit(config);
  for (const auto& t : config.tables("excitation")) {
    if (t.choice_or("type", {"plane_wave", "dipole"}, "plane_wave") == "plane_wave") {
      for (auto& wave : read_waves(t)) c.waves.push_back(std::move(wave));
      continue;
    }
    const auto direction = t.get<Vec3<double>>("direction");
    t.require(norm(direction) > 0, "direction", "direction must not be zero");
    c.dipoles.push_back(
        {unit * t.get<Vec3<double>>("position"), t.get_or<Complex>("moment", 1.0) * normalized(direction)});
    t.require(c.dipoles.back().power(1) > 0, "moment", "moment must not be zero");
  }
}

/// `direction`: an axis with a sign or a vector, +z if it is not given.
Vec3<double> read_direction(const io::Config& t) {
  if (t.kind("direction") == io::Config::Kind::array) {
    const auto v = t.get<Vec3<double>>("direction");
    t.require(norm(v) > 0, "direction", "direction must not be zero");
    return normalized(v);
  }
  const auto word = t.choice_or("direction", {"x", "y", "z", "+x", "+y", "+z", "-x", "-y", "-z"}, "z");
  Vec3<double> unit{};
  unit[word.back() - 'x'] = word.front() == '-' ? -1 : 1;
  return unit;
}

/// Amplitude and phase of every port; empty if none has either.
std::vector<Complex> read_drive(const io::Config& config) {
  std::vector<Complex> drive;
  bool is_given = false;
  for (const auto& t : config.tables("port")) {
    drive.emplace_back(0.0);
    if (!t.has("amplitude") && !t.has("phase")) continue;
    is_given = true;
    const double amplitude = t.get_or<double>("amplitude", 1.0), phase = t.get_or<double>("phase", 0.0);
    t.require(amplitude >= 0, "amplitude", "amplitude must be at least 0 [sqrt W]");
    drive.back() = std::polar(amplitude, phase * pi / 180);
  }
  return is_given ? drive : std::vector<Complex>{};
}

// ---- solver and output ----

void read_solver(const io::Config& config, run::Run& run, SurfaceConfig& c) {
  const auto stated = read_common(config, {"auto", "direct", "gmres", "bicgstab", "tfqmr"}, 1e-4, run, c);
  const auto t = config.table("solver");
  auto& o = c.solver;
  c.automatic = stated.method == "auto" && stated.type != "ngim";
  o.direct = stated.method == "direct";
  o.accelerated = stated.type == "ngim" || (stated.type == "auto" && stated.method != "direct");
  const auto p = t.choice_or("preconditioner", {"auto", "none", "jacobi", "near", "loop_star"}, "auto");
  c.automatic_preconditioner = p == "auto";
  if (p != "auto") o.preconditioner = preconditioner_from(p);
  o.precision = job::read_lu_precision(t, run);
  const auto expert = t.table("expert");
  if (expert.has("kept_directions")) o.kept_directions = expert.integer_in_or("kept_directions", 0, 10000, 0);
  o.compression_tolerance = expert.get_or<double>("compression_tolerance", 0.1 * o.krylov.tolerance);
  expert.require(o.compression_tolerance >= 0 && o.compression_tolerance <= 0.1, "compression_tolerance",
                 "compression_tolerance must lie from 0 to 0.1");
}

material::Circuit read_load(const io::Config& port) {
  return material::read_circuit(port, {"series_resistance", "series_inductance", "series_capacitance"});
}

/// Two ports of one name, or in one place, would be one row of the network twice.
void require_distinct(const io::Config& table, const Port& port, const std::vector<Port>& others) {
  for (const Port& other : others) {
    table.require(other.name != port.name, "name",
                  fmt::format("two ports are named \"{}\": give each a name of its own", port.name));
    const bool same_gap = port.region.empty() && other.region.empty() &&
                          std::minmax(port.from, port.to) == std::minmax(other.from, other.to);
    const bool same_place = same_gap || (!port.region.empty() && port.region == other.region);
    table.require(
        !same_place, "region",
        fmt::format("ports \"{}\" and \"{}\" are at the same place, which has one voltage: leave one out",
                    other.name, port.name));
  }
}

/// Whether a config sets an allowed error.
bool states_error(const io::Config& config) {
  const auto has = [&](const char* table) {
    return config.has(table) && config.table(table).has("tolerance");
  };
  return has("accuracy") || has("refinement");
}

}  // namespace

SurfaceConfig read_surface_config(const io::Config& config, run::Run& run) {
  SurfaceConfig c;
  read_solver(config, run, c);
  c.surfaces = std::make_shared<const SurfaceCase>(read_surface_case(config));
  read_excitations(config, c);
  c.ports = read_surface_ports(config, c.frequencies.front());
  for (const auto& t : config.tables("port")) c.loads.push_back(read_load(t));
  c.drive = read_drive(config);
  if (c.waves.empty() && c.dipoles.empty() && c.ports.empty())
    config.error("excitation",
                 "nothing excites the problem: [excitation] with a plane wave or a dipole, or a [[port]]");
  const auto output = config.table("output");
  c.monostatic = output.get_or<bool>("monostatic", false);
  c.reference_impedance = output.positive_or("reference_impedance", 50.0);
  c.touchstone = io::read_touchstone_version(output);
  c.formats = io::read_pattern_formats(config);
  config.allow({"sensitivity"});
  c.adaptive = io::adaptive_sweep(config, c.frequencies);
  if (c.adaptive && !c.adaptive->is_stated && c.ports.empty() && c.dipoles.empty() && !states_error(config))
    c.adaptive->tolerance = 3e-3;  // of fields: 0.03 dB of the greatest cross-section
  if (c.adaptive && config.has("sensitivity")) {
    if (c.adaptive->is_stated)
      config.table("frequency")
          .error("adaptive_tolerance",
                 "[[sensitivity]] needs every frequency solved: leave adaptive_tolerance or [[sensitivity]] "
                 "out");
    c.adaptive.reset();
  }
  return c;
}

SurfaceConfig SurfaceConfig::at(double frequency) const {
  SurfaceConfig c = *this;
  for (std::size_t i = 0; i < loads.size(); ++i)
    c.ports[i].series_impedance = loads[i].series_impedance(frequency);
  return c;
}

void check_dipoles(const io::Config& config, const System& system) {
  const double unit = run::length_unit(config);
  for (const auto& t : config.tables("excitation")) {
    if (t.choice_or("type", {"plane_wave", "dipole"}, "plane_wave") != "dipole") continue;
    try {
      region_of_dipole(system, unit * t.get<Vec3<double>>("position"));
    } catch (const InputError& e) {
      t.error("position", e.what());
    }
  }
}

bool is_lumped(const io::Config& port) {
  return port.choice_or("type", {"gap", "lumped"}, "gap") == "lumped";
}

std::vector<Port> read_surface_ports(const io::Config& config, double frequency) {
  std::vector<Port> ports;
  for (const auto& t : config.tables("port")) {
    Port p;
    p.name = t.get_or<std::string>("name", fmt::format("port{}", ports.size() + 1));
    if (!is_lumped(t)) {
      const auto between = t.get<std::vector<std::string>>("region");
      t.require(between.size() == 2 && between[0] != between[1], "region",
                "region must be the names of the two different surfaces that share the edges of the gap; a "
                "port on one surface has type = \"lumped\"");
      p.from = between[0], p.to = between[1];
    } else {
      p.region = t.get<std::string>("region");
      p.direction = read_direction(t);
      p.sheet_resistance = t.get_or<double>("resistance", 0.0);
      t.require(p.sheet_resistance >= 0, "resistance", "resistance must be at least 0 [ohm]");
    }
    p.series_impedance = read_load(t).series_impedance(frequency);
    require_distinct(t, p, ports);
    ports.push_back(p);
  }
  return ports;
}

std::string read_equation(const io::Config& config) {
  return config.table("formulation")
      .choice_or("equation", {"efie", "mfie", "cfie", "mfie_dual", "cfie_dual", "auto", "volume", "film"},
                 "auto");
}

}  // namespace curlew::ie
