// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The kinds of preconditioners. A new one: see PreconditionerKind.

#include <string>
#include <vector>

#include "linalg/krylov/preconditioner.hpp"

namespace curlew::linalg {

extern const PreconditionerKind jacobi_kind;
/// Sweeps over the higher orders, and a coarse level that is factorised completely or in subdomains.
extern const PreconditionerKind multilevel_kind;
/// Overlapping subdomains of the full matrix with impedances between them, and a coarse space.
extern const PreconditionerKind subdomains_kind;

/// "none", "jacobi", ...
std::vector<std::string> preconditioner_names();
/// @param name "none", "jacobi", ... @throws InputError for another word, naming the existing ones
const PreconditionerKind& preconditioner_named(const std::string& name);

}  // namespace curlew::linalg
