// SPDX-License-Identifier: BSD-3-Clause
// Keys of mom2d alone.
#include "io/schema/mom2d_keys.hpp"
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view mom2d = "mom2d";

constexpr Key rows[] = {
    keys::mesh_unit,
    keys::polarization,
    keys::formulation::method,
    keys::formulation::nodes,
    keys::formulation::equation,
    keys::formulation::alpha,
    keys::formulation::integration,
    keys::contour::type,
    keys::contour::name,
    keys::contour::material,
    keys::contour::center,
    keys::contour::radius,
    keys::contour::rotation,
    keys::contour::size,
    keys::contour::points,
    keys::contour::closed,
    keys::contour::file,
    {"contour[].region", Type::text, "", "", "(the only one)", "name of the physical curve", mom2d},
    {"contour[].parameters.*", Type::number, "mesh.unit or none", "", "(those of the .geo)",
     "a DefineConstant number of the .geo", mom2d},
    keys::contour::grading,
    keys::contour::cells,
    {"solver.precision", Type::word, "", "automatic | double | mixed", "\"automatic\"",
     "precision of dense factors; mixed: single, refined in double", mom2d},
    {"solver.gpus", Type::integer, "", "1 to 64", "1", "GPUs that share the matrix", mom2d},
};

}  // namespace

std::span<const Key> mom2d_keys() {
  return rows;
}

}  // namespace curlew::io::schema
