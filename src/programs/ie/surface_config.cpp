// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/driven/driven_options.hpp"
#include "ie/sources/dipole_sources.hpp"
#include "io/frequency.hpp"
#include "io/touchstone.hpp"
#include "material/circuit.hpp"
#include "material/medium.hpp"
#include "material/surface_law.hpp"
#include "mesh/regions.hpp"
#include "programs/ie/permittivity.hpp"
#include "programs/ie/surface_names.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

// ---- surfaces ----

/// [ohm] of a wall, or of a slab of a thickness with a permittivity and a magnetic wall behind it: what one
/// side of a film sees when both sides carry the same field.
Complex surface_impedance(const io::Config& t, double frequency) {
  if (t.has("surface_impedance") || t.has("conductivity"))
    return material::read_wall(t)->impedance(frequency);
  if (!t.has("thickness"))
    t.error("type",
            "an impedance needs surface_impedance, conductivity, or thickness with epsilon_r or model");
  return material::slab_impedance(read_permittivity(t)(frequency), 1.0, t.positive("thickness"), frequency)
      .open;
}

/// Surfaces of the mesh by the names in a table.
std::vector<std::string> surfaces_in(const io::Config& table, const mesh::Mesh& mesh) {
  std::vector<std::string> out;
  for (const auto& stated : table.get<std::vector<std::string>>("region")) {
    const auto names = named_surfaces(mesh, stated);
    if (names.empty()) table.error("region", mesh::no_region(mesh, "surface", stated));
    for (const auto& name : names)
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
  return out;
}

/// What the tables say of surfaces; each has a number, the tag of the mesh that extract_surfaces makes.
struct Described {
  std::vector<std::string> names;
  std::vector<ie::Surface> surfaces;
  std::vector<ie::Body> bodies;
  std::vector<int> num_bodies;  ///< that each surface is around

  std::size_t find(const std::string& name) const {
    return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
  }
  void add(const std::string& name, const ie::Surface& surface) {
    names.push_back(name), surfaces.push_back(surface), num_bodies.push_back(0);
  }
};

void add_boundary(const io::Config& t, const mesh::Mesh& mesh, double frequency, Described& out) {
  ie::Surface s;
  if (t.choice("type", {"pec", "impedance"}) == "impedance") {
    s.boundary = ie::Boundary::impedance;
    s.surface_impedance = surface_impedance(t, frequency);
  }
  for (const auto& name : surfaces_in(t, mesh)) {
    if (out.find(name) < out.names.size())
      t.error("region", fmt::format("surface \"{}\" is described twice", name));
    out.add(name, s);
  }
}

/// Conductors stay what they are: a face of the body is metal.
void add_body(const io::Config& t, const mesh::Mesh& mesh, double frequency, Described& out) {
  const auto medium = material::read_medium(t, material::MediumKind::stated);
  ie::Body body{medium.permittivity(frequency), medium.mu_r[0], {}};
  for (const auto& name : surfaces_in(t, mesh)) {
    const std::size_t at = out.find(name);
    if (at == out.names.size()) out.add(name, {.boundary = ie::Boundary::dielectric});
    if (out.surfaces[at].boundary == ie::Boundary::impedance)
      t.error("region",
              fmt::format("surface \"{}\" is an impedance and around a material: leave a gap", name));
    if (++out.num_bodies[at] > 2)
      t.error("region",
              fmt::format("surface \"{}\" is around three materials: a face lies between two bodies", name));
    body.surfaces.push_back(int(at));
  }
  out.bodies.push_back(std::move(body));
}

/// The strip of a lumped port is metal with a source in it, whether or not a [[boundary]] says so.
void add_port(const io::Config& t, const mesh::Mesh& mesh, Described& out) {
  if (!t.has("region")) return;
  const auto name = t.get<std::string>("region");
  if (out.find(name) == out.names.size() && mesh::find_region(mesh.surfaces, name) != nullptr)
    out.add(name, {});
}

Described read_surfaces(const io::Config& config, const mesh::Mesh& mesh, double frequency) {
  Described out;
  for (const auto& t : config.tables("boundary")) add_boundary(t, mesh, frequency, out);
  for (const auto& t : config.tables("material")) add_body(t, mesh, frequency, out);
  const bool has_nothing = out.names.empty();
  for (const auto& t : config.tables("port")) add_port(t, mesh, out);
  std::vector<std::string> missing;
  for (const auto& region : mesh.surfaces)
    if (out.find(region.name) == out.names.size()) missing.push_back(region.name);
  if (has_nothing || (mesh.cells.empty() && !missing.empty()))
    config.error("boundary", fmt::format("no [[boundary]] or [[material]] says what surface \"{}\" is: "
                                         "type = \"pec\" or \"impedance\", or the epsilon_r inside it",
                                         fmt::join(missing, "\", \"")));
  return out;
}

/// But for equation, testing and alpha.
ie::Problem described_problem(const io::Config& config, const mesh::Mesh& mesh, double frequency) {
  ie::Problem p;
  auto described = read_surfaces(config, mesh, frequency);
  p.mesh = ie::extract_surfaces(mesh, described.names);
  p.surfaces = std::move(described.surfaces), p.bodies = std::move(described.bodies);
  p.frequency = frequency;
  return p;
}

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
  const auto p =
      t.choice_or("preconditioner", {"auto", "none", "jacobi", "near", "loop_tree", "loop_star"}, "auto");
  c.automatic_preconditioner = p == "auto";
  if (p != "auto") o.preconditioner = preconditioner_from(p);
  const auto precision = t.choice_or("precision", {"automatic", "double", "mixed"}, "automatic");
  o.precision = precision == "double"  ? linalg::LuPrecision::full
                : precision == "mixed" ? linalg::LuPrecision::mixed
                                       : linalg::LuPrecision::automatic;
  if (run.precision() == run::Precision::single_precision) o.precision = linalg::LuPrecision::mixed;
  o.recycled_starts = t.integer_in_or("recycled_starts", 0, 1000, o.recycled_starts);
  if (t.has("kept_directions")) o.kept_directions = t.integer_in_or("kept_directions", 0, 10000, 0);
  o.compression_tolerance = t.get_or<double>("compression_tolerance", 0.1 * o.krylov.tolerance);
  t.require(o.compression_tolerance >= 0 && o.compression_tolerance <= 0.1, "compression_tolerance",
            "compression_tolerance must lie from 0 to 0.1");
  o.with_condition = t.get_or<bool>("condition", false);
  c.mirror_waves = t.get_or<bool>("mirror_waves", true);
}

/// Two ports of one name, or in one place, would be one row of the network twice.
void require_distinct(const io::Config& table, const ie::Port& port, const std::vector<ie::Port>& others) {
  for (const ie::Port& other : others) {
    table.require(other.name != port.name, "name",
                  fmt::format("two ports are named \"{}\": give each a name of its own", port.name));
    const bool same_gap = port.region.empty() && other.region.empty() &&
                          std::minmax(port.from, port.to) == std::minmax(other.from, other.to);
    const bool same_place = same_gap || (!port.region.empty() && port.region == other.region);
    table.require(
        !same_place, port.region.empty() ? "between" : "region",
        fmt::format("ports \"{}\" and \"{}\" are in one place, which has one voltage: leave one out",
                    other.name, port.name));
  }
}

}  // namespace

SurfaceConfig read_surface_config(const io::Config& config, run::Run& run) {
  SurfaceConfig c;
  read_solver(config, run, c);
  read_excitations(config, c);
  c.ports = read_surface_ports(config, c.frequencies.front());
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
  c.fast = fem::read_fast_sweep(config);
  if (c.fast && config.has("sensitivity"))
    config.table("frequency")
        .error("adaptive_tolerance", "an adaptive sweep has no [[sensitivity]]: leave one of them out");
  return c;
}

void check_surfaces(const io::Config& config, const mesh::Mesh& mesh) {
  const double frequency = io::frequencies(config).back();
  ie::check_joined(described_problem(config, mesh, frequency).mesh);
}

void check_dipoles(const io::Config& config, const ie::System& system) {
  const double unit = run::length_unit(config);
  for (const auto& t : config.tables("excitation")) {
    if (t.choice_or("type", {"plane_wave", "dipole"}, "plane_wave") != "dipole") continue;
    try {
      ie::region_of_dipole(system, unit * t.get<Vec3<double>>("position"));
    } catch (const InputError& e) {
      t.error("position", e.what());
    }
  }
}

std::vector<ie::Port> read_surface_ports(const io::Config& config, double frequency) {
  std::vector<ie::Port> ports;
  for (const auto& t : config.tables("port")) {
    ie::Port p;
    p.name = t.get_or<std::string>("name", fmt::format("port{}", ports.size() + 1));
    if (t.choice_or("type", {"gap", "lumped"}, "gap") == "gap") {
      const auto between = t.get<std::vector<std::string>>("between");
      t.require(between.size() == 2, "between",
                "between must be the names of the two surfaces that share the edges of the gap");
      p.from = between[0], p.to = between[1];
    } else {
      p.region = t.get<std::string>("region");
      p.direction = read_direction(t);
      p.sheet_resistance = t.get_or<double>("resistance", 0.0);
      t.require(p.sheet_resistance >= 0, "resistance", "resistance must be at least 0 [ohm]");
    }
    p.series_impedance =
        material::read_circuit(t, {"series_resistance", "series_inductance", "series_capacitance"})
            .series_impedance(frequency);
    require_distinct(t, p, ports);
    ports.push_back(p);
  }
  return ports;
}

std::string read_equation(const io::Config& config) {
  return config.table("formulation")
      .choice_or("equation", {"efie", "mfie", "cfie", "auto", "volume", "film"}, "auto");
}

std::optional<ie::EquationChoice> automatic_equation(const io::Config& config, const mesh::Mesh& mesh) {
  const auto f = config.table("formulation");
  if (read_equation(config) != "auto") return std::nullopt;
  if (f.has("testing"))
    f.error("testing", "equation = \"auto\" chooses the testing too: leave it out, or state the equation");
  const auto frequencies = io::frequencies(config);
  const double highest = *std::max_element(frequencies.begin(), frequencies.end());
  const auto method =
      config.table("solver").choice_or("method", {"auto", "direct", "gmres", "bicgstab", "tfqmr"}, "auto");
  const auto type = config.table("acceleration").choice_or("type", {"none", "ngim", "auto"}, "auto");
  const bool stores_matrix = method == "direct" || type == "none" || (method == "auto" && type == "auto");
  return ie::choose_equation(described_problem(config, mesh, highest), !config.tables("port").empty(),
                             stores_matrix);
}

ie::Problem read_surface_problem(const io::Config& config, const mesh::Mesh& mesh, double frequency) {
  ie::Problem p = described_problem(config, mesh, frequency);
  const auto f = config.table("formulation");
  p.alpha = f.get_or<double>("alpha", 0.5);
  if (const auto chosen = automatic_equation(config, mesh)) {
    p.equation = chosen->equation, p.testing = chosen->testing;
    return p;
  }
  const auto equation = read_equation(config);
  p.equation = equation == "efie"   ? ie::Equation::efie
               : equation == "mfie" ? ie::Equation::mfie
                                    : ie::Equation::cfie;
  p.testing = f.choice_or("testing", {"rwg", "dual"}, "rwg") == "dual" ? ie::MagneticTesting::dual
                                                                       : ie::MagneticTesting::rwg;
  return p;
}

}  // namespace curlew::programs
