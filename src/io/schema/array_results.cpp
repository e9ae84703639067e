// SPDX-License-Identifier: BSD-3-Clause
// Arrays of VTKHDF files.
#include "io/schema/result.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view file = "*.vtkhdf";
constexpr std::string_view solvers = "fem-solve fe-iiee ie-solve";

constexpr Result arrays[] = {
    {file, "E", "V/m", "total electric field", solvers},
    {file, "H", "A/m", "total magnetic field", solvers},
    {file, "E_scattered", "V/m", "scattered electric field, where the incident one is known", solvers},
    {file, "H_scattered", "A/m", "scattered magnetic field, where the incident one is known", solvers},
    {file, "D", "C/m^2", "electric flux density in the body", "ie-solve"},
    {file, "E_error", "V/m", "estimated error of E, root mean square in a cell", "ie-solve"},
    {file, "J", "A/m", "electric surface current n x H", "ie-solve"},
    {file, "M", "V/m", "magnetic surface current -n x E", "ie-solve"},
    {file, "Ez", "V/m", "total field of a wave of 1 V/m, TM", "mom2d"},
    {file, "Hz", "A/m", "total field of a wave of 1 V/m, TE", "mom2d"},
    {file, "region", "1", "0 outside, -1 in conductors, else the number of the material", "mom2d"},
    {file, "epsilon_r", "1", "relative permittivity of the cells, its real part where it is one array",
     solvers},
    {file, "origin", "1",
     "what a near field was computed from: 0 nothing (no field there), 1 elements, 2 currents", solvers},
    {file, "p", "Pa", "acoustics: pressure", "fem-solve"},
    {file, "p_scattered", "Pa", "acoustics: pressure without the plane wave", "fem-solve"},
    {file, "v", "m/s", "acoustics: particle velocity", "fem-solve"},
    {file, "level", "dB", "acoustics: sound pressure level re 20 uPa", "fem-solve"},
    {file, "density", "kg/m^3", "acoustics: density of the cells, real part", "fem-solve"},
    {file, "speed_of_sound", "m/s", "acoustics: speed of sound in the cells, real part", "fem-solve"},
    {file, "volume", "1",
     "number of the volume region, -1 for triangles; the array's description names the regions",
     "em-mesh fem-solve fe-iiee"},
    {file, "surface", "1",
     "number of the surface region, -1 for cells; the array's description names the regions",
     "em-mesh fem-solve fe-iiee"},
    {file, "shape", "1", "mean ratio of a cell: 1 regular, 0 flat", "em-mesh"},
    {file, "jacobian", "1", "least over greatest Jacobian determinant within a cell", "em-mesh"},
};

}  // namespace

std::vector<Result> array_results() {
  return {std::begin(arrays), std::end(arrays)};
}

}  // namespace curlew::io::schema
