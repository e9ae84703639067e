// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Preconditioners of surface systems as sparse matrices, before they are turned into operators of host or
// device.

#include "base/device.hpp"
#include "ie/near_matrix.hpp"

namespace curlew::ie {

/// none; the diagonal; sparse factors of the near part; the same in loops and trees, which holds at low
/// frequency.
enum class SurfacePreconditioner { none, jacobi, near, loop_tree };

struct SurfacePreconditioning {
  linalg::Csr<Complex> near;  ///< what is divided by (jacobi: by its diagonal); no rows for `none`
  linalg::Csr<Complex>
      basis;  ///< B of x = B z, for loops and trees; no rows otherwise: `near` is in its terms

  bool has_basis() const { return basis.num_rows > 0; }
};

/// The basis of loops and trees is scaled to a unit diagonal.
/// @param device where the entries are made
SurfacePreconditioning make_preconditioning(const System& system, const std::vector<Port>& ports,
                                            SurfacePreconditioner kind, Device device = Device::cpu);

}  // namespace curlew::ie
