// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The system as a short sum Σ g_t(f) T_t of matrices that do not depend on frequency: what a reduced model
// needs.

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "fem/assembly.hpp"
#include "fem/model/model.hpp"
#include "fem/ports/port.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

struct SystemTerm {
  std::function<Complex(double)> factor;                ///< g_t(f), f in Hz
  std::function<void(linalg::Csr<Complex>&)> assemble;  ///< T_t into a matrix of the space's pattern
};

/// Stiffness, mass, conduction, boundary and port terms of a driven problem.
/// @param model, assembler, ports outlive the terms
std::vector<SystemTerm> system_terms(const Model& model, const Assembler& assembler,
                                     const std::vector<PortPtr>& ports);

}  // namespace curlew::fem
