// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/surface_preconditioner.hpp"

#include <algorithm>
#include <cmath>

#include "base/device.hpp"
#include "base/error.hpp"
#include "curlew/build.hpp"
#include "ie/operator/solve.hpp"
#include "ie/surface/loop_star.hpp"
#include "ie/surface/loop_tree.hpp"
#include "ie/surface/surface_equation.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "ie/surface/device_near_diagonal.hpp"
#include "ie/surface/device_near_matrix.hpp"
#include "linalg/direct/cudss.hpp"
#endif

namespace curlew::ie {
namespace {

/// The basis of all unknowns in which the system is solved: x = B z, scaled to a diagonal of ones.
linalg::Csr<Complex> loop_tree_basis(const System& system) {
  const auto small = make_loop_tree(system.mesh(), system.space()).basis;
  linalg::Coo<Complex> out;
  out.num_rows = out.num_cols = system.num_unknowns();
  std::vector<Index> next(std::size_t(system.num_unknowns()), -1);
  // The magnetic part: the same on pieces that have it. Its columns are those that touch such functions.
  for (Index f = 0; f < small.num_rows; ++f) {
    for (Offset e = small.row_offsets[f]; e < small.row_offsets[f + 1]; ++e) {
      out.add(f, small.columns[e], small.values[e]);
      if (system.magnetic_unknown(f) >= 0) next[small.columns[e]] = 0;
    }
  }
  Index column = system.num_electric();
  for (Index c = 0; c < system.num_electric(); ++c)
    if (next[c] == 0) next[c] = column++;
  for (Index f = 0; f < small.num_rows; ++f) {
    const Index row = system.magnetic_unknown(f);
    if (row < 0) continue;
    for (Offset e = small.row_offsets[f]; e < small.row_offsets[f + 1]; ++e)
      out.add(row, next[small.columns[e]], small.values[e]);
  }
  return linalg::to_csr(out);
}

/// B^T A B for sparse A and B.
linalg::Csr<Complex> congruence(const linalg::Csr<Complex>& a, const linalg::Csr<Complex>& b) {
  linalg::Coo<Complex> out;
  out.num_rows = out.num_cols = b.num_cols;
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e)
      for (Offset p = b.row_offsets[i]; p < b.row_offsets[i + 1]; ++p)
        for (Offset q = b.row_offsets[a.columns[e]]; q < b.row_offsets[a.columns[e] + 1]; ++q)
          out.add(b.columns[p], b.columns[q], b.values[p] * a.values[e] * b.values[q]);
  return linalg::to_csr(out);
}

std::vector<Complex> diagonal_of(const linalg::Csr<Complex>& a) {
  std::vector<Complex> d(std::size_t(a.num_rows));
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e)
      if (a.columns[e] == i) d[i] = a.values[e];
  return d;
}

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
  if (kind == Preconditioner::loop_tree && system.has_junctions())
    throw InputError(
        system.mesh().name +
        ": preconditioner \"loop_tree\" is for bodies that do not touch: take \"near\" for others");
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
  if (kind != Preconditioner::loop_tree) return p;
  auto& basis = p.basis.expand;
  basis = loop_tree_basis(system);
  const auto d = diagonal_of(congruence(p.near, basis));
  for (std::size_t e = 0; e < basis.values.size(); ++e)
    basis.values[e] /= std::sqrt(std::abs(d[basis.columns[e]]));
  p.near = congruence(p.near, basis);
  return p;
}

}  // namespace curlew::ie
