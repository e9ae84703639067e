// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Problems of em-bench ie. The two structures of the chapter's section 19.6 without Gmsh: structured meshes
// of about the same numbers.

#include "base/constants.hpp"
#include "bench/cases.hpp"
#include "ie/mixed_potential/mixed_potential_equation.hpp"
#include "ie/operator/solve.hpp"
#include "ie/sources/excitation.hpp"
#include "ie/surface/pair_integrals.hpp"
#include "ie/surface/problem.hpp"
#include "ie/volume/volume_system.hpp"
#include "mesh/mesh.hpp"

namespace curlew::bench {

/// Twelve discs of 200 nm diameter and 50 nm height in a ring, 25 nm apart (figure 19.7): boxes whose squares
/// are drawn out to discs, 12 * 6 n^2 m tetrahedra.
mesh::Mesh resonators(int n, int m);

/// Four square films of 1 um, 100 nm apart, with five by five holes of 100 nm (figure 19.8): squares of side
/// 1 um/n, halved, without those in a hole.
ie::SurfaceMesh perforated_films(int n);
ie::MixedPotentialSystem film_system(int n);

/// Both structures meet waves of 1 um and are solved to the tolerances of the configs.
inline constexpr double wavenumber = 2 * pi / 1e-6;
ie::Field wave_of_1um(Vec3<double> direction, Vec3<double> electric);
inline ie::Field film_wave() {
  return wave_of_1um({0, 0, 1}, {-1, 0, 0});
}
ie::SolveOptions chapter_options(Device device);
inline ie::MixedPotentialEquation chapter_equation(const ie::MixedPotentialSystem& system) {
  return ie::MixedPotentialEquation(system, ie::integration_for(1e-2));
}

/// A conducting sphere of 20 n^2 triangles, ten edges a wavelength.
ie::Problem sphere(int n);

/// Iterations of films and of the EFIE against the size of cells, and of a sweep over incidences with and
/// without recycled starts.
void film_meshes(const Options& options, Report& report);
void fine_surfaces(const Options& options, Report& report);
void sweep(const Options& options, Report& report);

}  // namespace curlew::bench
