// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The system as a short sum Σ g_t(f) T_t of matrices that do not depend on frequency: what a reduced model
// needs, and what a sweep adds up at every frequency instead of integrating again.

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
  std::vector<Index> rows{};  ///< all that T_t has, if it has few: it may then be assembled into them alone
};

/// True if a model's system is such a sum: it has no layers that change with frequency, no periodic faces and
/// no conditions of second order, whose pattern is another one.
bool is_sum_of_terms(const Model& model);

/// Stiffness, mass, conduction, boundary and port terms of a driven problem; the last ones are the ports', in
/// order. @pre is_sum_of_terms
/// @param model, assembler, ports outlive the terms
std::vector<SystemTerm> system_terms(const Model& model, const Assembler& assembler,
                                     const std::vector<PortPtr>& ports);

/// T_t with the pattern of the space, in whose place it has empty rows where it is zero.
linalg::Csr<Complex> assemble_term(const SystemTerm& term, const linalg::Csr<Complex>& pattern);

}  // namespace curlew::fem
