// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Options of an iterative solver, and its state after the set-up.

#include <string>

#include "base/device.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/krylov/multilevel.hpp"
#include "linalg/krylov/options.hpp"

namespace curlew::linalg {

struct IterativeOptions {
  KrylovOptions krylov;
  std::string preconditioner = "multilevel";  ///< a kind (preconditioner_kinds.hpp)
  MultilevelOptions multilevel;
  /// Orders 1 .. coarse_order are factorised together; 0: one less than the highest, at least 1.
  int coarse_order = 0;
  /// 2 or more: the coarse level is factorised in this number of overlapping subdomains.
  int subdomains = 1;
  /// Functions of each subdomain in the coarse space, increased if too few; 0: none. Not for cocr.
  int coarse_vectors = 40;
  DirectOptions direct;  ///< of the coarse factorisation; symmetry follows the matrix
  /// gmres: factors of a coarse level or of subdomains in single precision if accurate enough
  /// (short_factors.hpp). Only on the CPU, and not if the full matrix is factorised.
  bool short_factors = true;
  /// Largest number of simultaneous right-hand sides; fewer if their vectors would take more than half of the
  /// memory.
  int columns = 16;
  Device device = Device::cpu;
};

/// Statistics of the set-up after prepare.
struct IterativeInfo {
  std::string coarse_library;  ///< "MUMPS 5.5.1", "cuDSS 1.0.0"; empty without a coarse level
  Index coarse_unknowns = 0;
  /// Real operations of its factorisation on several processes, and without low-rank blocks.
  double coarse_flops = 0, uncompressed_coarse_flops = 0;
  Index coarse_functions = 0;  ///< of the subdomains' coarse space, all together
  double prepare_seconds = 0;
  double coarse_seconds = 0;  ///< analysis and factorisation of the coarse level within them
  /// of the coarse level's analysis, which may have been made for an earlier matrix of the same pattern
  double coarse_analyse_seconds = 0;
  bool is_symmetric = false;
  double asymmetry = 0;
};

}  // namespace curlew::linalg
