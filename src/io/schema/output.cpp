// SPDX-License-Identifier: BSD-3-Clause
// Keys of [output], [[sensitivity]] and [[probe]].
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr Key keys[] = {
    {"sensitivity[].parameter", Type::text, "", "", "required",
     "a number of the config: material.REGION.KEY, boundary.REGION.KEY, port.REGION.KEY or "
     "mesh.parameters.NAME",
     "fem-solve fe-iiee ie-solve"},
    {"output.fields", Type::boolean, "", "", "true", "write fields for ParaView", meshed},
    {"output.reference_impedance", Type::complex, "ohm", "(Re > 0)", "(each mode's own)",
     "reference impedance of S at lumped ports and of modes between conductors", fem},
    {"output.solution", Type::boolean, "", "", "true",
     "write solution.h5; without it and fields, currents of many waves are not kept in memory", "ie-solve"},
    {"output.field_subdivision", Type::integer, "", "1 to 10", "(cells with the polynomials of the elements)",
     "linear cells in fields.vtkhdf, with so many pieces of every edge of an element", fem},
    {"output.frequencies", Type::numbers, "Hz", "> 0",
     "(all; adaptive sweeps of elements: first, middle, last)",
     "frequencies of fields, currents and solution.h5: an ascending list, or [start, stop, points]",
     "fem-solve fe-iiee ie-solve"},
    {"output.reference_impedance", Type::number, "ohm", "> 0", "50.0",
     "reference impedance of S in the Touchstone file", "ie-solve"},
    {"output.formats", Type::words, "", "ffe | ffs | touchstone2", "[]",
     "further files: ffe (patterns for FEKO), ffs (for CST); touchstone2: NAME.sNp in version 2, with a real "
     "reference impedance for each port",
     meshed},
    {"output.monostatic", Type::boolean, "", "", "false",
     "write the cross-section towards the source of each wave only", "fe-iiee ie-solve mom2d"},
    {"output.far_field.theta", Type::range, "degrees", "-360 to 360", "(fem: required; else 0 to 180)",
     "polar angles of the pattern", meshed},
    {"output.far_field.phi", Type::range, "degrees", "-360 to 360", "(fem: required; else a few cuts)",
     "azimuths of the pattern", meshed},
    {"output.far_field.surface", Type::texts, "", "", "(layer or absorbing boundary)",
     "closed surface in vacuum whose currents radiate", fem_pair},
    {"output.near_field[].name", Type::text, "", "", "(1, 2, ...)", "NAME of the file near_NAME.csv", meshed},
    {"output.near_field[].positions", Type::vectors, "mesh.unit", "", "required",
     "the points; with `points` the ends of a line, a corner of a plane and the ends of its two sides, or "
     "opposite corners of a grid",
     meshed},
    {"output.near_field[].points", Type::integers, "", ">= 1", "",
     "numbers of points: one along a line, two in a plane, three in a grid", meshed},
    {"output.near_field.positions", Type::rows, "mesh.unit", "(two numbers each)", "required",
     "opposite corners of a grid", "mom2d"},
    {"output.near_field.points", Type::integers, "", "1 to 1000000", "", "number of points along x and y",
     "mom2d"},
    {"output.far_field.phi", Type::range, "degrees", "-360 to 360", "[0.0, 359.0, 360.0]",
     "angles of the echo width", "mom2d"},
    {"probe[].name", Type::text, "", "", "required", "name of a probe of the pressure (acoustics)", fem_pair},
    {"probe[].point", Type::vector, "m", "", "", "position, instead of region", fem_pair},
    {"probe[].region", Type::texts, "", "", "",
     "surface over which the pressure is averaged, instead of point", fem_pair},
};

}  // namespace

std::span<const Key> output_keys() {
  return keys;
}

}  // namespace curlew::io::schema
