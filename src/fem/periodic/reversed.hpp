// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The periodic cell with the opposite phases: in reciprocal media A(-k) = A(k)ᵀ and S(-k) = S(k)ᵀ, rows and
// columns of a wave (m,n) those of (-m,-n). Source: Bhattacharyya (2006), Phased Array Antennas, section 3.4.

#include <string>

#include "fem/periodic/periodicity.hpp"

namespace curlew::fem {

/// The same cell with k along the translations replaced by -k.
Periodicity reversed(const Periodicity& periodicity);

/// "TE(0,1)" of "TE(0,-1)": the wave that travels back. Names of other modes are unchanged.
std::string reversed_wave(const std::string& name);

}  // namespace curlew::fem
