// SPDX-License-Identifier: BSD-3-Clause
// Keys of [[port]] and [[excitation]].
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view driven = "fem-solve fem-assemble fe-iiee ie-solve";
constexpr std::string_view axes = "x | y | z | +x | +y | +z | -x | -y | -z";

constexpr Key ports[] = {
    {"port[].region", Type::text, "", "", "required", "the surface of the port", fem},
    {"port[].region", Type::texts, "", "", "required",
     "surface of a lumped port, which is metal with a source in it; of a gap the two that share its edges",
     "ie-solve"},
    {"port[].type", Type::word, "", "waveguide | lumped | floquet", "\"waveguide\"", "kind of the port", fem},
    {"port[].type", Type::word, "", "gap | lumped", "\"gap\"", "kind of the port", "ie-solve"},
    {"port[].name", Type::text, "", "", "(port1, port2, ...)", "name in tables and files", "ie-solve"},
    {"port[].name", Type::text, "", "", "(region)", "name in tables and files", fem},
    {"port[].modes", Type::integer, "", "1 to 100", "(1; floquet: all that propagate)",
     "modes that appear in S", fem},
    {"port[].absorbed_modes", Type::integer, "", "0 to 100", "(4; floquet: 12)",
     "further modes, matched but not in S", fem},
    {"port[].excite", Type::boolean, "", "", "false", "write the fields of 1 W incident here", fem},
    {"port[].amplitude", Type::number, "sqrt W", ">= 0", "1.0",
     "incident wave when all ports with amplitude or phase are driven at once", driven},
    {"port[].phase", Type::number, "degrees", "", "0.0", "phase of that wave", driven},
    {"port[].impedance", Type::word, "", "automatic | power_current | power_voltage | wave", "\"automatic\"",
     "definition of Z0 in ports.csv and for output.reference_impedance", fem},
    {"port[].reference_impedance", Type::complex, "ohm", "(Re > 0)", "(output.reference_impedance)",
     "reference impedance of S at this port; default of hollow guides: that of the mode", fem},
    {"port[].polarization", Type::vector, "", "(not zero)", "",
     "global direction along which the E of degenerate modes is aligned", fem},
    {"port[].voltage_line", Type::vectors, "mesh.unit", "(two points)", "",
     "line in the face whose voltage defines Z0 (power_voltage)", fem},
    {"port[].deembed", Type::number, "m", "", "0.0",
     "shift of the reference plane, positive into the structure", fem},
    {"port[].resistance", Type::number, "ohm", "> 0", "50.0",
     "resistance of a lumped port's source, distributed over its surface; reference of S if no other is "
     "given",
     fem},
    {"port[].resistance", Type::number, "ohm", ">= 0", "0.0",
     "resistance of a lumped port's source, distributed over its surface, 0: a uniform field; not the "
     "reference of S",
     "ie-solve"},
    {"port[].series_resistance", Type::number, "ohm", "> 0", "",
     "series resistance between the terminals and the gap of a lumped port", driven},
    {"port[].series_inductance", Type::number, "H", "> 0", "",
     "series inductance between the terminals and the gap of a lumped port", driven},
    {"port[].series_capacitance", Type::number, "F", "> 0", "",
     "series capacitance between the terminals and the gap of a lumped port", driven},
    {"port[].parallel_resistance", Type::number, "ohm", "> 0", "",
     "resistance across the gap of a lumped port", fem},
    {"port[].parallel_inductance", Type::number, "H", "> 0", "", "inductance across the gap of a lumped port",
     fem},
    {"port[].parallel_capacitance", Type::number, "F", "> 0", "",
     "capacitance across the gap of a lumped port", fem},
    {"port[].direction", Type::direction, "", "x | y | z | +x | +y | +z | -x | -y | -z | radial", "",
     "direction of the voltage of a lumped port; radial: a ring or sector", fem},
    {"port[].direction", Type::direction, "", axes, "\"z\"", "direction of the voltage of a lumped port",
     "ie-solve"},
};

constexpr Key excitations[] = {
    {"excitation[].type", Type::word, "", "plane_wave | dipole | current", "required", "kind of the source",
     fem_pair},
    {"excitation[].type", Type::word, "", "plane_wave | dipole | current", "\"plane_wave\"",
     "kind of the source", "fe-iiee"},
    {"excitation[].type", Type::word, "", "plane_wave | dipole", "\"plane_wave\"", "kind of the source",
     "ie-solve"},
    {"excitation.type", Type::word, "", "plane_wave", "\"plane_wave\"", "kind of the source", "mom2d"},
    {"excitation[].theta", Type::numbers, "degrees", "-360 to 360", "",
     "polar angles of the directions waves come from", meshed},
    {"excitation[].phi", Type::numbers, "degrees", "-360 to 360", "",
     "azimuths of the directions waves come from; combined with all theta", meshed},
    {"excitation.phi", Type::numbers, "degrees", "-360 to 360", "[0.0]",
     "angles of the directions waves come from", "mom2d"},
    {"excitation[].polarization", Type::words_or_numbers, "degrees", "theta | phi", "\"theta\"",
     "direction of the incident E, or its angle from theta towards phi", meshed},
    {"excitation[].amplitude", Type::number, "V/m", "> 0", "1.0",
     "peak amplitude of a plane wave; acoustics: [Pa]", fem},
    {"excitation[].formulation", Type::word, "", "automatic | scattered | total", "\"automatic\"",
     "unknown with dipoles: the scattered field (without that of the dipoles) or the total field", fem},
    {"excitation[].position", Type::vectors, "mesh.unit", "", "",
     "positions of dipoles, which radiate together", fem},
    {"excitation[].position", Type::vector, "mesh.unit", "", "", "position of a dipole", "ie-solve"},
    {"excitation[].direction", Type::vectors, "", "(not zero)", "",
     "direction of dipoles: one, or one for each", fem},
    {"excitation[].direction", Type::vector, "", "(not zero)", "", "direction of a dipole", "ie-solve"},
    {"excitation[].moment", Type::complexes, "A m", "", "1.0",
     "moment I l of dipoles, peak: one, or one for each", fem},
    {"excitation[].moment", Type::complex, "A m", "", "1.0", "moment I l of a dipole, peak", "ie-solve"},
    {"excitation[].region", Type::texts, "", "", "", "volumes that carry an impressed current", fem},
    {"excitation[].density", Type::vector, "A/m2", "", "", "peak density of an impressed current", fem},
    {"excitation[].phase", Type::number, "degrees", "", "0.0", "phase of an impressed current", fem},
};

}  // namespace

std::span<const Key> port_keys() {
  return ports;
}
std::span<const Key> excitation_keys() {
  return excitations;
}

}  // namespace curlew::io::schema
