// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A MixedPotentialSystem solved by a Krylov method with accelerated products, on the CPU or whole on the GPU;
// or by a dense factorisation.

#include "base/device.hpp"
#include "ie/mixed_potential/accelerated_operator.hpp"
#include "linalg/krylov/options.hpp"

namespace curlew::ie {

enum class Method { dense, accelerated };
/// charges: see charge_preconditioner.hpp.
enum class Preconditioner { none, jacobi, charges };

struct SolveOptions {
  Method method = Method::accelerated;
  Acceleration acceleration;
  linalg::KrylovOptions krylov;
  Preconditioner preconditioner = Preconditioner::jacobi;
  int charge_steps = 12;  ///< of Preconditioner::charges
  Device device = Device::cpu;
};

struct SolveReport {
  std::vector<linalg::KrylovReport> krylov;             ///< by right-hand side; empty for dense
  std::string dense_method;                             ///< empty for accelerated
  double residual = 0;                                  ///< largest relative residual
  Offset num_points = 0, num_near_pairs = 0;            ///< accelerated only
  std::size_t bytes = 0;                                ///< of the matrix or of the operator
  std::vector<std::pair<std::string, double>> set_up;   ///< seconds by stage
  std::vector<std::pair<std::string, double>> product;  ///< seconds of one product by step, where measured
  double solve_seconds = 0;
};

/// Bytes that a solve takes, before anything is made: for plans and for the choice of method.
std::size_t estimate_bytes(const MixedPotentialSystem& system, const SolveOptions& options, Index num_rhs);

/// @param b, x [num_rhs, unknowns], one right-hand side after another
/// @throws ResourceError if memory does not suffice; NumericalError if the dense matrix is singular. A Krylov
/// method that does not converge is reported, not thrown.
SolveReport solve_system(const MixedPotentialSystem& system, const SolveOptions& options, const Complex* b,
                         Complex* x, Index num_rhs);

}  // namespace curlew::ie
