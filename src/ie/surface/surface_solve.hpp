// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solution of a surface system: by factors of the dense matrix, or by Krylov loops over dense or fast
// products with preconditioners made of the near part of the matrix.

#include <optional>
#include <string>
#include <vector>

#include "base/device.hpp"
#include "ie/surface/surface_preconditioner.hpp"
#include "linalg/dense/lu.hpp"
#include "linalg/krylov/options.hpp"

namespace curlew::ie {

struct SurfaceSolveOptions {
  bool direct = true;
  bool accelerated = false;              ///< iterative: fast products in place of the dense matrix
  double acceleration_tolerance = 1e-4;  ///< of the fast products
  linalg::KrylovOptions krylov;
  SurfacePreconditioner preconditioner = SurfacePreconditioner::near;
  linalg::LuPrecision precision = linalg::LuPrecision::automatic;
  bool with_condition = false;
  Device device = Device::cpu;  ///< of fast products and their iteration
  int recycled_starts = 60;     ///< earlier solutions that an incidence may start from, 0: start from zero
};

struct SurfaceSolveReport {
  std::string method;
  std::vector<linalg::KrylovReport> krylov;  ///< by right-hand side; empty if direct
  linalg::LuReport lu;
  double fill_seconds = 0, solve_seconds = 0;
  bool converged = true;
  double residual = 0;  ///< largest relative one; in another basis, of the transformed system
  long iterations = 0;  ///< of all right-hand sides
  Offset num_points = 0, near_entries = 0;  ///< of fast products
  std::size_t bytes = 0;  ///< of their stored part; on the device, all that the iteration takes
  std::vector<std::pair<std::string, double>> product;  ///< seconds of one product by step, on the device
};

/// Bytes of the largest stage.
std::size_t estimate_bytes(const System& system, const SurfaceSolveOptions& options, Index num_rhs);

/// The same on the device, of fast products.
std::size_t estimate_device_bytes(const System& system, const SurfaceSolveOptions& options);

/// @param loads of ports, as port_loads makes them
/// @param[in,out] b [num_rhs, unknowns] right-hand sides in, solutions out. A Krylov loop starts from the
/// combination of earlier solutions with the smallest residual.
/// @throws NumericalError if the matrix is singular; ResourceError if memory does not suffice. No convergence
/// is reported, not thrown.
SurfaceSolveReport solve_surface(const System& system, const std::vector<Entry>& loads,
                                 const SurfaceSolveOptions& options, std::vector<Complex>& b, Index num_rhs);

}  // namespace curlew::ie
