// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/waveguide_port.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "fem/model/read_port.hpp"
#include "fem/ports/homogeneous_port.hpp"
#include "fem/ports/hybrid_port.hpp"
#include "fem/ports/kinds.hpp"
#include "fem/ports/port_shape.hpp"
#include "fem/ports/port_walls.hpp"
#include "fem/ports/voltage_line.hpp"
#include "io/config.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::fem {
namespace {

/// The axis u along a direction in the plane.
void turn(Vec3<double> direction, const std::string& what, PortShape& shape) {
  const Vec3<double> normal = cross(shape.u, shape.v);
  shape.u = in_plane(direction, normal, what);
  shape.v = cross(normal, shape.u);
}

/// V along a line that ends on an electric plane of symmetry is half of the whole structure's.
double whole_voltage(const std::array<Vec3<double>, 2>& line, const WholeStructure& whole) {
  double factor = 1;
  for (const auto& plane : whole.planes)
    for (const auto& end : line)
      if (plane.is_electric && plane.holds(end, 1e-6 * norm(line[1] - line[0]))) factor *= 2;
  return factor;
}

/// V = g·x with x = B⁻¹ ∫ W·e dS, so the functional that is kept is B⁻¹g.
std::vector<double> voltage_functional(const std::array<Vec3<double>, 2>& line, const PortFace& face,
                                       const NedelecSpace& space) {
  auto voltage = line_functional(space, face.triangles, face.dofs, line, face.region);
  const linalg::Csr<double> mass = port_mass(face, space);
  const auto solver = linalg::make_direct_solver<double>({});
  solver->analyse(mass);
  solver->factor(mass);
  solver->solve(voltage.data(), 1);
  return voltage;
}

/// A hollow guide has no such impedance: it would be 0 in the results.
void require_line(const WaveguideOptions& options, const std::string& name, int conductors) {
  const bool by_voltage = options.impedance == ImpedanceDefinition::power_voltage;
  if (conductors > 1 || options.voltage_line ||
      !(by_voltage || options.impedance == ImpedanceDefinition::power_current))
    return;
  throw InputError(fmt::format(
      "port \"{}\": impedance = \"{}\" needs the {} of a line, but \"{}\" lacks two conductors: {}"
      "take \"wave\" or \"automatic\", E_t / H_t",
      name, by_voltage ? "power_voltage" : "power_current", by_voltage ? "voltage" : "current", name,
      by_voltage ? "give a voltage_line; " : ""));
}

class WaveguideKind final : public PortKind {
 public:
  explicit WaveguideKind(const WaveguideOptions& options) : options_(options) {}
  bool has_dense_term() const override { return options_.modes + options_.absorbed_modes > 1; }

  PortPtr make(const PortModel& port, const PortFace& face, const Model& model,
               const NedelecSpace& space) const override {
    auto shape = detect_port_shape(*space.mesh, {face.region, face.triangles}, face.name);
    if (shape && shape->kind == PortShape::Kind::circle && options_.polarization)
      turn(*options_.polarization, fmt::format("port \"{}\": polarization", face.region), *shape);
    auto walls = find_walls(face, model, space);
    const int conductors = count_conductors(face, walls, model, space);
    if (walls.empty()) require_line(options_, face.region, conductors);
    const bool one_medium = is_homogeneous(face, model, space);
    const bool closed_form =
        shape && one_medium && !options_.numeric && has_metal_outline(face, walls, model, space);
    if (!closed_form && !(one_medium && walls.empty()))
      return std::make_shared<const HybridPort>(port, face, options_, conductors, std::move(walls), space);
    auto made = std::make_shared<HomogeneousPort>(port, face, options_, conductors, space);
    if (closed_form)
      made->set_closed_form(waveguide_modes(*shape, options_.modes + options_.absorbed_modes), space);
    else
      made->set_numeric(options_, space);
    return made;
  }

 private:
  WaveguideOptions options_;
};

ImpedanceDefinition read_definition(const io::Config& table) {
  const std::string word =
      table.choice_or("impedance", {"automatic", "power_current", "power_voltage", "wave"}, "automatic");
  if (word == "power_current") return ImpedanceDefinition::power_current;
  if (word == "power_voltage") return ImpedanceDefinition::power_voltage;
  return word == "wave" ? ImpedanceDefinition::wave : ImpedanceDefinition::automatic;
}

/// Reads two points; the voltage is only for power_voltage, which becomes the default.
void read_voltage_line(const io::Config& table, double unit, WaveguideOptions& options) {
  if (!table.has("voltage_line")) return;
  const auto points = table.get<std::vector<Vec3<double>>>("voltage_line");
  table.require(points.size() == 2 && norm(points[1] - points[0]) > 0, "voltage_line",
                "voltage_line must be two different points [[x, y, z], [x, y, z]] on the port");
  if (!table.has("impedance")) options.impedance = ImpedanceDefinition::power_voltage;
  table.require(options.impedance == ImpedanceDefinition::power_voltage, "voltage_line",
                "voltage_line needs impedance = \"power_voltage\": set it, or leave voltage_line out");
  options.voltage_line = {unit * points[0], unit * points[1]};
}

}  // namespace

PortKindPtr waveguide_port() {
  return waveguide_port(WaveguideOptions{});
}

PortKindPtr waveguide_port(const WaveguideOptions& options) {
  return std::make_shared<const WaveguideKind>(options);
}

void read_waveguide_port(const io::Config& table, double unit, PortModel& port) {
  WaveguideOptions options;
  options.modes = table.integer_in_or("modes", 1, 100, 1);
  options.absorbed_modes = table.integer_in_or("absorbed_modes", 0, 100, options.absorbed_modes);
  options.impedance = read_definition(table);
  read_voltage_line(table, unit, options);
  if (table.has("polarization")) options.polarization = read_nonzero_vector(table, "polarization");
  port.deembed = table.get_or<double>("deembed", 0.0);
  port.kind = waveguide_port(options);
}

WaveguidePort::WaveguidePort(const PortModel& model, const PortFace& face, const WaveguideOptions& options,
                             int num_conductors, const NedelecSpace& space)
    : Port(model, face), impedance_(options.impedance), num_conductors_(num_conductors) {
  num_reported = options.modes;
  if (!options.voltage_line) return;
  voltage_ = voltage_functional(*options.voltage_line, face, space);
  voltage_factor_ = whole_voltage(*options.voltage_line, whole);
}

void WaveguidePort::require_impedance(std::size_t mode, const ModeState& state) const {
  Port::require_impedance(mode, state);
  const bool is_line = int(mode) < num_conductors_ - 1;
  if (!is_line || impedance_ != ImpedanceDefinition::automatic ||
      state.definition != ImpedanceDefinition::wave)
    return;
  throw InputError(
      fmt::format("port \"{}\": reference_impedance: {} {} runs between conductors of finite impedance, "
                  "whose voltage is not known: give a voltage_line, or impedance = \"wave\" to refer to E_t "
                  "/ H_t",
                  region, region, modes[mode].name));
}

void WaveguidePort::set_impedance(Complex y, LineQuantities line, ModeState& state) const {
  ImpedanceDefinition definition = impedance_;
  if (definition == ImpedanceDefinition::automatic)
    definition = line.current != 0.0 ? ImpedanceDefinition::power_current : ImpedanceDefinition::wave;
  state.definition = definition;
  state.propagates = carries_power(state.power_phase);
  double size = 0;
  if (definition == ImpedanceDefinition::wave)
    size = 1 / std::abs(y);
  else if (definition == ImpedanceDefinition::power_voltage && !voltage_.empty())
    size = std::norm(voltage_factor_ * line.voltage) / (std::abs(y) * whole.copies);
  else if (definition == ImpedanceDefinition::power_voltage)
    size = std::norm(line.voltage) / std::abs(y) * whole.impedance;
  else if (line.current != 0.0)
    size = std::abs(y) / std::norm(line.current) * whole.impedance;
  state.impedance = size * state.power_phase;
}

}  // namespace curlew::fem
