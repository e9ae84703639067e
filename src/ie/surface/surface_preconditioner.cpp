// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/surface_preconditioner.hpp"

#include <algorithm>

#include "base/device.hpp"
#include "base/error.hpp"
#include "curlew/build.hpp"
#include "ie/operator/solve.hpp"
#include "ie/surface/loop_star.hpp"
#include "ie/surface/surface_equation.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "ie/surface/device_near_diagonal.hpp"
#include "ie/surface/device_near_matrix.hpp"
#include "linalg/direct/cudss.hpp"
#endif

namespace curlew::ie {
namespace {

/// Pairs that share edges suffice for the diagonal.
linalg::Csr<Complex> entries(const System& system, const std::vector<Entry>& loads, NearPairs pairs,
                             [[maybe_unused]] Device device) {
#ifdef CURLEW_HAVE_CUDA
  if (device == Device::cuda && pairs == NearPairs::sharing_edges) {
    auto diagonal = linalg::identity<Complex>(system.num_unknowns());
    diagonal.values = device_near_diagonal(system, loads);
    return diagonal;
  }
  if (device == Device::cuda) return device_near_matrix(system, loads, pairs)->to_host();
#endif
  return near_matrix(system, loads, pairs);
}

/// True for equations without identity terms, for which loop_star is not scaled.
bool suits_loop_star(const System& system) {
  if (!system.is_symmetric() || system.has_junctions()) return false;
  const auto& p = system.problem();
  return std::none_of(p.mesh.tag.begin(), p.mesh.tag.end(),
                      [&](int tag) { return p.surfaces[std::size_t(tag)].boundary == Boundary::impedance; });
}

/// Around junctions currents and charges of both media couple beyond touching triangles. Above this number of
/// unknowns the factors would take too much memory.
NearPairs pairs_of_near(const System& system) {
  constexpr Index most = 30000;
  return system.has_junctions() && system.num_unknowns() <= most ? NearPairs::medium : NearPairs::near;
}

}  // namespace

void check_preconditioner(const System& system, Preconditioner kind) {
  if (kind == Preconditioner::loop_star && !suits_loop_star(system))
    throw InputError(
        system.mesh().name +
        ": preconditioner \"loop_star\" is for equation = \"efie\" on conductors and for bodies that do not "
        "touch; take \"near\" or \"jacobi\" for MFIE, CFIE, impedances and bodies that touch");
  if (kind == Preconditioner::charges)
    throw InputError(system.mesh().name + ": preconditioner \"charges\" is for films and volumes");
}

namespace {

bool makes_factors_on_gpu() {
#ifdef CURLEW_HAVE_CUDA
  return linalg::has_cudss();
#else
  return false;
#endif
}

}  // namespace

bool factors_pay(Index waves, bool on_gpu, std::size_t needed, std::size_t free) {
  constexpr Index least = 4;
  return on_gpu && waves >= least && double(needed) <= 0.9 * double(free);
}

Preconditioner choose_preconditioner(const System& system, Device device, Index waves) {
  if (device == Device::cuda && system.problem().equation != Equation::efie && !system.is_symmetric()) {
    SolveOptions with_factors;
    with_factors.preconditioner = Preconditioner::near;
    with_factors.direct = false, with_factors.accelerated = true, with_factors.device = device;
    with_factors.krylov.method = linalg::KrylovMethod::gmres;
    with_factors.relaxes_products = true, with_factors.kept_directions = most_loose_directions;
    const std::size_t needed = estimate_device_bytes(SurfaceEquation(system), with_factors, waves);
    return factors_pay(waves, makes_factors_on_gpu(), needed, free_device_memory(0)) ? Preconditioner::near
                                                                                     : Preconditioner::jacobi;
  }
  const bool is_fine = resolution(system.problem(), system.scene()).per_wavelength() > 25;
  return is_fine && suits_loop_star(system) ? Preconditioner::loop_star : Preconditioner::near;
}

Preconditioning make_preconditioning(const System& system, const std::vector<Entry>& loads,
                                     Preconditioner kind, Device device) {
  Preconditioning p;
  if (kind == Preconditioner::none) return p;
  check_preconditioner(system, kind);
  if (kind == Preconditioner::loop_star) {
    p.basis = make_loop_star(system);
    return p;
  }
  const bool only_diagonal = kind == Preconditioner::jacobi;
  p.near = entries(system, loads, only_diagonal ? NearPairs::sharing_edges : pairs_of_near(system), device);
  return p;
}

}  // namespace curlew::ie
