// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Predicted run time of finite elements, for dry runs.

#include "fem/error/solved_again.hpp"
#include "fem/output/field_cells.hpp"
#include "fem/space.hpp"
#include "linalg/krylov/system_solver.hpp"
#include "run/run.hpp"

namespace curlew::fem {

/// Work of a run on its mesh.
struct FemWork {
  double solutions = 1;         ///< frequencies that are assembled and factorised
  double right_hand_sides = 1;  ///< right-hand sides of each
  double written = 0;           ///< sets of fields that go into fields.vtkhdf
  FieldCells field_cells = {};  ///< of that file
  CheckPrice check = {};        ///< systems of the error estimate; empty without one
  double checks = 1;            ///< number of frequencies with an error estimate
};

/// Reports seconds of assembly, factorisation, substitution, fields and error estimate. Does nothing outside
/// of dry runs, or on GPUs, whose speed is not known here.
void plan_fem_seconds(const NedelecSpace& space, const linalg::SystemInfo& info, const FemWork& work,
                      run::Run& run);

}  // namespace curlew::fem
