// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The kinds of preconditioners. A new one: see PreconditionerKind.

#include <string>
#include <vector>

#include "linalg/krylov/preconditioner.hpp"

namespace curlew::linalg {

extern const PreconditionerKind jacobi_kind;
/// Orders by sweeps over a coarse level that is factorised, whole or by subdomains.
extern const PreconditionerKind multilevel_kind;
/// The whole matrix by overlapping subdomains with impedances between them, and a coarse space.
extern const PreconditionerKind subdomains_kind;

/// "none", "jacobi", ...
std::vector<std::string> preconditioner_names();
/// @param name "none", "jacobi", ... @throws InputError for another word, naming those there are
const PreconditionerKind& preconditioner_named(const std::string& name);

}  // namespace curlew::linalg
