// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The seconds of a finite element run, as a dry run states them.

#include "fem/output/field_cells.hpp"
#include "fem/space.hpp"
#include "linalg/krylov/system_solver.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// What a run will do on its mesh.
struct FemWork {
  double solutions = 1;              ///< frequencies that are assembled and factorised
  double right_hand_sides = 1;       ///< of each
  double written = 0;                ///< sets of fields that go into fields.vtkhdf
  fem::FieldCells field_cells = {};  ///< of that file
  /// Solutions of the run that its error estimate costs; 0 without one.
  double check_solutions = 0;
};

/// States seconds of assembly, factorisation, substitution, fields and error estimate. Nothing outside of dry
/// runs and on GPUs, whose speed is not measured here.
void plan_fem_seconds(const fem::NedelecSpace& space, const linalg::SystemInfo& info, const FemWork& work,
                      run::Run& run);

}  // namespace curlew::programs
