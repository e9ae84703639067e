// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The seconds of a finite element run, as a dry run states them.

#include "fem/error/solved_again.hpp"
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
  fem::CheckPrice check = {};        ///< what an error estimate solves; no systems without one
  double checks = 1;                 ///< frequencies that it is made at
};

/// States seconds of assembly, factorisation, substitution, fields and error estimate. Nothing outside of dry
/// runs and on GPUs, whose speed is not measured here.
void plan_fem_seconds(const fem::NedelecSpace& space, const linalg::SystemInfo& info, const FemWork& work,
                      run::Run& run);

}  // namespace curlew::programs
