// SPDX-License-Identifier: BSD-3-Clause
#include "io/schema/old_spellings.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view with_device_memory =
    "[solver.expert] device_memory limits the GPU's part of the factors, and the rest stays in host memory";
constexpr std::string_view by_need = "the coarse space grows as far as it is needed";
constexpr std::string_view as_residual_allows =
    "products of gmres are as accurate as the residual needs, and residuals have acceleration.tolerance";
constexpr std::string_view by_library = "the library and the processes choose the ordering";
constexpr std::string_view always_estimated = "the condition number of a dense matrix is always estimated";
constexpr std::string_view always_mirrored = "waves that are mirror images of others are never solved";
constexpr std::string_view by_distance = "distance and triangles of the inner surface choose the quadrature";
constexpr std::string_view by_tolerance = "the tolerance of the truncation chooses the precision";

constexpr OldSpelling all[] = {
    {"solver.ordering", "", by_library},
    {"solver.expert.ordering", "", by_library},
    {"solver.device_memory", "solver.expert.device_memory", ""},
    {"solver.restart", "solver.expert.restart", ""},
    {"solver.shadow", "solver.expert.shadow", ""},
    {"solver.coarse_order", "solver.expert.coarse_order", ""},
    {"solver.kept_directions", "solver.expert.kept_directions", ""},
    {"solver.compression_tolerance", "solver.expert.compression_tolerance", ""},
    {"solver.group", "solver.expert.group", ""},
    {"solver.condition", "", always_estimated},
    {"solver.expert.condition", "", always_estimated},
    {"solver.mirror_waves", "", always_mirrored},
    {"solver.expert.mirror_waves", "", always_mirrored},
    {"truncation.quadrature_degree", "", by_distance},
    {"solver.expert.quadrature_degree", "", by_distance},
    {"truncation.frequency", "", "distance and gap are wavelengths of the highest frequency"},
    {"boundary[].sheet_resistance", "boundary[].surface_impedance", ""},
    {"port[].mode_solver", "", "modes are computed where they have no closed form"},
    {"formulation.near_distance", "", "an error estimate chooses the integrals that are corrected"},
    {"formulation.dielectric", "", "dielectrics have Muller's equations"},
    {"optimization.first_step", "", "steps begin with a quarter of a variable's range"},
    {"optimization.least_step", "", "a search ends at steps of a thousandth of the ranges"},
    {"variable[].difference", "", "differences have steps of a hundredth of max - min"},
    {"boundary[].normal_conductivity", "boundary[].conductivity", ""},
    {"solver.cycle", "", "every level is visited once: a W cycle gains less than it costs"},
    {"solver.recycled_starts", "",
     "an incidence starts from the best of up to 60 earlier solutions where no directions are kept"},
    {"unit", "mesh.unit", ""},
    {"formulation.polarization", "excitation.polarization", ""},
    {"port[].between", "port[].region", ""},
    {"output.angles", "output.far_field.phi", ""},
    {"truncation.radiation", "acceleration.type", ""},
    {"refinement.strict", "accuracy.strict", ""},
    {"boundary[].pressure", "boundary[].value", ""},
    {"material[].loss_factor", "material[].loss_tangent", ""},
    {"material[].model[].collision_frequency", "material[].model[].damping", ""},
    {"material[].model[].linewidth", "material[].model[].damping", ""},
    {"solver.hybrid_memory", "", with_device_memory},
    {"solver.expert.hybrid_memory", "", with_device_memory},
    {"solver.l", "", "BiCGSTAB(l) has l = 8"},
    {"solver.expert.l", "", "BiCGSTAB(l) has l = 8"},
    {"solver.smoothing_steps", "", "the multilevel preconditioner has two sweeps"},
    {"solver.expert.smoothing_steps", "", "the multilevel preconditioner has two sweeps"},
    {"solver.coarse_vectors", "", by_need},
    {"solver.expert.coarse_vectors", "", by_need},
    {"solver.preconditioner_steps", "", "the preconditioner charges has 12 steps"},
    {"solver.expert.preconditioner_steps", "", "the preconditioner charges has 12 steps"},
    {"acceleration.relaxed", "", as_residual_allows},
    {"solver.expert.relaxed", "", as_residual_allows},
    {"truncation.radiation_precision", "", by_tolerance},
    {"solver.expert.radiation_precision", "", by_tolerance},
    {"output.field_cells", "", "field_subdivision asks for linear cells"},
    {"pml[].exponent", "", "the absorption grows with the square of the depth"},
    {"goal[].points", "", "the third number of frequency, [start, stop, points]"},
    {"tolerance_analysis.seed", "", "the random points are the same in every run"},
    {"boundary[].mu_r", "", "films and slabs are not magnetic"},
    {"analysis.check_completeness", "", "modes are counted unless accuracy.estimate is off"},
    {"output.far_field.formats", "output.formats", ""},
    {"physics", "", "a [[material]] with speed_of_sound carries sound"},
    {"output.near_field[].type", "", "positions and points say it"},
    {"boundary[].normal_velocity", "boundary[].velocity", ""},
    {"reference", "", "counts to compare with belong beside the output of --info"},
};

constexpr OldWord words[] = {
    {"solver.method", "cocg", "cocr", "it solves the same matrices"},
    {"solver.preconditioner", "loop_tree", "near", "loop_star is for low frequencies"},
};

constexpr std::string_view ends[] = {"points"}, corners[] = {"start", "stop", "points"}, range[] = {"range"},
                           spheres[] = {"spheres"}, equal[] = {"equal"}, surfaces[] = {"surfaces"},
                           direction[] = {"direction"};
constexpr JoinedKeys joined[] = {{"contour[]", "start", "end", ends},
                                 {"output.near_field[]", "x", "y", corners},
                                 {"variable[]", "min", "max", range},
                                 {"boundary[].roughness", "radius", "area_ratio", spheres},
                                 {"goal[]", "equal", "tolerance", equal},
                                 {"goal[]", "theta", "phi", direction, "0.0", "0.0"},
                                 {"truncation", "outer", "inner", surfaces, "\"S\"", "\"S_prime\""}};

}  // namespace

std::span<const OldSpelling> old_spellings() {
  return all;
}
std::span<const OldWord> old_words() {
  return words;
}
std::span<const JoinedKeys> joined_keys() {
  return joined;
}

}  // namespace curlew::io::schema
