// SPDX-License-Identifier: BSD-3-Clause
// Keys of [solver], [solver.expert], [acceleration] and [formulation] of the three-dimensional programs, and
// [truncation].
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr Key solvers[] = {
    {"solver.method", Type::word, "", "auto | direct | bicgstab | bicgstabl | tfqmr | gmres | cocr",
     "\"auto\"", "direct factors, or a Krylov method; auto: direct or gmres by predicted time and memory",
     fem},
    {"solver.method", Type::word, "", "auto | direct | gmres | bicgstab | tfqmr | bicgstabl | cocr",
     "(auto; volume and film: tfqmr)",
     "direct factors, or a Krylov method; bicgstabl and cocr for the volume and film equations", "ie-solve"},
    {"solver.direct", Type::word, "", "mumps | mkl", "\"mumps\"",
     "library of direct factors on the CPU; mkl: Intel MKL, to be installed", fem},
    {"solver.gpus", Type::integer, "", "1 to 64", "1", "GPUs that share the factors", fem},
    {"solver.tolerance", Type::number, "", "(0 to 1)", "(direct 1e-10, Krylov 1e-9)", "relative residual",
     fem},
    {"solver.tolerance", Type::number, "", "(0 to 1)", "1e-4", "relative residual", "ie-solve"},
    {"solver.max_iterations", Type::integer, "", "1 to 10000000", "1000",
     "greatest number of iterations of a Krylov method", fem},
    {"solver.max_iterations", Type::integer, "", "1 to 1000000", "1000",
     "greatest number of iterations of a Krylov method", "ie-solve"},
    {"solver.preconditioner", Type::word, "", "none | jacobi | multilevel | subdomains", "\"multilevel\"",
     "preconditioner of a Krylov method", fem},
    {"solver.preconditioner", Type::word, "", "auto | none | jacobi | near | loop_star | charges",
     "(auto; volume and film: jacobi)",
     "preconditioner of a Krylov method; charges: for the volume and film equations", "ie-solve"},
    {"solver.subdomains", Type::integer, "", "1 to 1000000", "1", "number of subdomains of the coarse level",
     fem},
    {"solver.precision", Type::word, "", "automatic | single | double | complex", "\"automatic\"",
     "number type of direct factors, refined in double: real where the matrix is real, except with complex; "
     "automatic: single for large complex matrices",
     fem},
    {"solver.precision", Type::word, "", "automatic | double | mixed", "\"automatic\"",
     "precision of dense factors; mixed: single, refined in double", "ie-solve"},
    {"solver.gpus", Type::integer, "", "0 to 64", "0",
     "CUDA devices that share right-hand sides or, where one cannot hold the operator, the rows of a surface "
     "equation; 0: as many as are useful",
     "ie-solve"},
    {"acceleration.type", Type::word, "", "none | ngim | auto", "\"auto\"",
     "fast sums over points; none: over all pairs", "fe-iiee ie-solve"},
    {"acceleration.tolerance", Type::number, "", "(0 to 1)", "(1e-4; volume and film: 1e-3)",
     "relative error of the fast sums", "ie-solve"},
    {"acceleration.integration_accuracy", Type::number, "", "> 0", "(1e-3, at least the tolerance)",
     "relative error of products with the matrix of the volume and film equations", "ie-solve"},
    {"formulation.equation", Type::word, "",
     "efie | mfie | cfie | mfie_dual | cfie_dual | auto | volume | film", "\"auto\"",
     "integral equation; dual: Buffa-Christiansen functions test the magnetic field, in stored matrices "
     "only; "
     "auto: the one of efie, cfie and cfie_dual that suits the surfaces",
     "ie-solve"},
    {"formulation.alpha", Type::number, "", "(0 to 1)", "0.5", "weight of the EFIE in the CFIE", "ie-solve"},
};

/// Keys that need knowledge of the solvers: --keys prints them last.
constexpr Key experts[] = {
    {"solver.expert.device_memory", Type::number, "GiB", "> 0", "(all that is free)",
     "GPU memory for factors at most: what does not fit stays in host memory (cuDSS)", fem},
    {"solver.expert.restart", Type::integer, "", "1 to 500", "100", "vectors of gmres before a restart",
     meshed},
    {"solver.expert.coarse_order", Type::integer, "", "0 to 3", "0",
     "orders on the coarse level; 0: chosen by their phase error", fem},
    {"solver.expert.shadow", Type::word, "", "auto | residual | random", "\"auto\"",
     "shadow vector of tfqmr; auto: random where the right-hand side lies on few unknowns, else the residual",
     meshed},
    {"solver.expert.kept_directions", Type::integer, "", "0 to 10000",
     "(as memory allows, up to 1000, or 600 of low-accuracy products)",
     "recycled search directions of gmres; 0: none, but initial guesses from up to 60 earlier solutions",
     "ie-solve"},
    {"solver.expert.group", Type::integer, "", "1 to 1000000", "(a million unknowns together, at least 32)",
     "right-hand sides that are iterated, saved for --resume and dropped as a group", "ie-solve"},
    {"solver.expert.compression_tolerance", Type::number, "", "0 to 0.1", "(a tenth of the tolerance)",
     "incidences that are combinations of others to this error are not iterated; 0: all are", "ie-solve"},
    {"solver.expert.currents", Type::word, "", "flux | curl", "\"flux\"",
     "electric currents on the surfaces: the conserved flux, or curl E at the points as in published work",
     "fe-iiee"},
    {"solver.expert.device_memory", Type::number, "GiB", "> 0", "(all that is free)",
     "GPU memory for the dense matrix at most; the rest stays in host memory", "mom2d ie-solve"},
};

constexpr Key truncation[] = {
    {"truncation.surfaces", Type::texts, "", "(two names)", "[\"S\", \"S_prime\"]",
     "the outer surface, on which the mesh ends, and the inner closed one, whose currents radiate",
     "fe-iiee"},
    {"truncation.symmetry", Type::texts, "", "", "[]", "planes of symmetry, normal to an axis", "fe-iiee"},
    {"truncation.distance", Type::number, "wavelengths", "(0 < d <= 1)", "(surfaces of the mesh)",
     "distance from the body to the outer surface, at the highest frequency; the program then makes both "
     "surfaces",
     "fe-iiee"},
    {"truncation.gap", Type::number, "wavelengths", ">= 0", "0.0",
     "distance from the body to the inner surface", "fe-iiee"},
    {"truncation.body", Type::texts, "", "", "[]", "regions of the body; none: all regions", "fe-iiee"},
    {"truncation.tolerance", Type::number, "", "(1e-13 to 1)", "1e-4",
     "relative change of the boundary field in an iteration", "fe-iiee"},
    {"truncation.max_iterations", Type::integer, "", "1 to 1000", "50",
     "greatest number of iterations of the truncation", "fe-iiee"},
    {"truncation.acceleration", Type::word, "", "none | gmres", "\"gmres\"",
     "method of the iteration; none: fixed-point iteration", "fe-iiee"},
};

}  // namespace

std::span<const Key> solver_keys() {
  return solvers;
}
std::span<const Key> expert_keys() {
  return experts;
}
std::span<const Key> truncation_keys() {
  return truncation;
}

}  // namespace curlew::io::schema
