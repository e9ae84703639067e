// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A port whose modes are the plane waves of a periodic cell. The modes are orthonormal in the Hermitian inner
// product, so that with test functions of conjugate phase the port's term is
//   sum c_m f_m (f_m^H x - 2 a_m),   f_m = int W.e_m dS,
// the algebra of ports/port.hpp with conjugation. kt, and with it f_m, changes with frequency at a fixed
// angle.

#include "fem/model/port_kind.hpp"

namespace curlew::fem {

struct FloquetOptions {
  int modes = 0;  ///< that appear in S; 0 for all that propagate at the highest frequency
  int absorbed_modes = 12;
};

PortKindPtr floquet_port(const FloquetOptions& options);

}  // namespace curlew::fem
