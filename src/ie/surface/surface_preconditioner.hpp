// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Preconditioners of surface systems as sparse matrices, before they are turned into operators of host or
// device.

#include "base/device.hpp"
#include "ie/operator/basis_change.hpp"
#include "ie/surface/near_matrix.hpp"

namespace curlew::ie {

/// none; the diagonal; sparse factors of the near part; the same in loops and trees, which holds at low
/// frequency; hierarchical loops and stars (ie/surface/loop_star.hpp), which hold on fine meshes too.
enum class SurfacePreconditioner { none, jacobi, near, loop_tree, loop_star };

struct SurfacePreconditioning {
  linalg::Csr<Complex> near;  ///< what is divided by (jacobi: by its diagonal); no rows for `none`
  SurfaceBasis basis;         ///< x = B z, for loops with trees or stars; else empty. `near` is in its terms
};

/// @throws InputError for loop_star with MFIE, CFIE or impedances: their identities have other orders than it
/// is scaled for
void check_preconditioner(const System& system, SurfacePreconditioner kind);

/// loop_star where it suits and no edge is longer than a 25th of the shortest wavelength, else near: which of
/// them takes fewer iterations (docs/ie.md).
SurfacePreconditioner choose_preconditioner(const System& system);
const char* name_of(SurfacePreconditioner kind);

/// Other bases are scaled to a diagonal of about one. @throws InputError as above
/// @param device where the entries are made
SurfacePreconditioning make_preconditioning(const System& system, const std::vector<Entry>& loads,
                                            SurfacePreconditioner kind, Device device = Device::cpu);

}  // namespace curlew::ie
