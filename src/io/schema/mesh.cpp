// SPDX-License-Identifier: BSD-3-Clause
// Keys of the document itself, of [mesh], [space], [analysis] and [refinement].
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view refined = "fem-solve fe-iiee ie-solve mom2d";

constexpr Key keys[] = {
    {"title", Type::text, "", "", "(none)", "name of the problem; free text", all_programs},
    {"variables.*", Type::number, "any", "", "",
     "a number or expression, \"1.6 mm\", for the expressions of other keys", all_programs},
    {"mesh.file", Type::text, "", "", "required",
     "geometry or mesh: .geo, .step, .brep, .msh, .stl, .ply, .bdf, .nas, .unv, .mesh or .h5, relative to "
     "the config",
     meshed},
    {"mesh.unit", Type::word, "", "m | cm | mm | um | nm | km | inch | in | ft | mil",
     "(required but for .h5)", "unit of the file's coordinates and of lengths in the config", meshed},
    {"mesh.size", Type::number, "mesh.unit", "> 0", "(that of the geometry)",
     "greatest edge length of the cells; smaller sizes in the geometry are kept", meshed},
    {"mesh.wavelength_fraction", Type::number, "", "> 0", "(0.25 without size, of the first mesh)",
     "greatest edge length of the cells in wavelengths of each region, instead of size", meshed},
    {"mesh.order", Type::integer, "", "1 to 2", "(2 where the geometry is curved, else 1)",
     "geometry of the cells: 1 straight, 2 curved", meshed},
    {"mesh.mirror", Type::words, "", "x | y | z", "",
     "the geometry is one half of the body, which is mirrored in these coordinate planes", meshed},
    {"mesh.parameters.*", Type::number, "mesh.unit or none", "", "(those of the .geo)",
     "a DefineConstant number of the .geo", meshed},
    {"mesh.time_limit", Type::number, "s", "> 0", "(1800)", "time limit of the mesh generator", meshed},
    {"space.order", Type::integer, "", "1 to 3", "2", "polynomial order of the elements", fem},
    {"space.orders.*", Type::integer, "", "1 to 3", "(space.order)",
     "polynomial order of the elements in a region: orders = { substrate = 3 }", fem},
    {"analysis.type", Type::word, "", "driven | eigen | ports", "\"driven\"",
     "driven by ports and sources, the modes of a resonator, or the modes of the ports alone", "fem-solve"},
    {"analysis.type", Type::word, "", "driven | eigen", "\"driven\"",
     "driven by ports and sources, or the modes of a resonator", "fem-assemble"},
    {"analysis.modes", Type::integer, "", "1 to 1000", "5", "number of modes", fem_pair},
    {"analysis.target", Type::number, "Hz", "> 0", "(the lowest modes)", "modes nearest above this frequency",
     meshed},
    {"refinement.tolerance", Type::number, "", "> 0",
     "(0.02; frequencies 1e-3, gains and pressures 0.023, cross-sections 0.047)",
     "change between passes and estimated error below which the mesh is fine enough: of abs(S), else "
     "relative",
     refined},
    {"refinement.target", Type::word, "", "S | impedance | frequency | rcs | gain | pressure",
     "(S; modes: frequency, waves: rcs, dipoles: gain, sound: pressure)",
     "quantity for which the mesh is refined", "fem-solve"},
    {"refinement.target", Type::word, "", "S | impedance | rcs | gain", "(S; waves: rcs)",
     "quantity for which the mesh is refined", "fe-iiee ie-solve"},
    {"refinement.target", Type::word, "", "rcs", "\"rcs\"", "quantity for which cells are cut: echo widths",
     "mom2d"},
    {"refinement.frequencies", Type::numbers, "Hz", "> 0",
     "(for S and impedances chosen in each pass; else the highest)",
     "frequencies at which passes compare the target", "fem-solve fe-iiee ie-solve"},
    {"refinement.frequencies", Type::numbers, "Hz", "> 0", "(all)",
     "frequencies at which passes compare the target", "mom2d"},
    {"refinement.max_order", Type::integer, "", "2 to 3", "(2; modes: 3)",
     "3: elements of order 2 become order 3 where fields are smooth; 2: orders do not change", "fem-solve"},
    {"refinement.max_order", Type::integer, "", "2 to 3", "2",
     "3: elements of order 2 become order 3 where fields are smooth; 2: orders do not change", "fe-iiee"},
    {"refinement.edge_layers", Type::integer, "", "0 to 4", "(0; for S, impedances and modes 1)",
     "layers of thin cells at the rims of thin conductors", "fem-solve fe-iiee"},
    {"refinement.max_passes", Type::integer, "", "1 to 100", "12",
     "greatest number of meshes; 1: no refinement", refined},
    {"refinement.time_limit", Type::number, "s", "> 0", "(1800)", "a pass that would end later is not begun",
     refined},
    {"refinement.max_unknowns", Type::integer, "", "1000 to 2000000000", "2000000",
     "greatest number of unknowns of a mesh; approximate where orders of cells change", refined},
};

}  // namespace

std::span<const Key> mesh_keys() {
  return keys;
}

}  // namespace curlew::io::schema
