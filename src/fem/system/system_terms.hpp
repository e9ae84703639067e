// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The system as a short sum Σ g_t(f) T_t of matrices that do not depend on frequency: for reduced models, and
// for sweeps, which sum them at every frequency instead of integrating again.

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "fem/assembly.hpp"
#include "fem/model/model.hpp"
#include "fem/ports/port.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

struct SystemTerm {
  std::function<Complex(Complex)> factor;               ///< g_t(f), f in Hz, complex for decaying modes
  std::function<void(linalg::Csr<Complex>&)> assemble;  ///< T_t into a matrix of the space's pattern
  std::vector<Index> rows{};  ///< nonempty rows of T_t, if few: it may then be assembled into them only
};

/// True if a model's system is such a sum: no PML that change with frequency, no periodic faces, and no
/// conditions of second order, whose pattern differs.
bool is_sum_of_terms(const Model& model);

/// Stiffness, mass, conduction, boundary and port terms of a driven problem; the last ones are the ports', in
/// order. @pre is_sum_of_terms
/// @param model, assembler, ports outlive the terms
std::vector<SystemTerm> system_terms(const Model& model, const Assembler& assembler,
                                     const std::vector<PortPtr>& ports);

/// T_t with the pattern of the space, but with empty rows where it is zero.
linalg::Csr<Complex> assemble_term(const SystemTerm& term, const linalg::Csr<Complex>& pattern);

}  // namespace curlew::fem
