// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Converts error numbers of MUMPS to our exceptions.

namespace curlew::linalg {

/// Throws what MUMPS reports; returns if there is no error (warnings, INFOG(1) > 0, are none).
/// @param stage what was being done, e.g. "factorisation"
/// @param code, detail INFOG(1) and INFOG(2)
/// @throws NumericalError for singular matrices, ResourceError for memory and disk, InputError for the rest
void throw_mumps_error(const char* stage, int code, int detail);

/// A count of INFOG, which is in millions if negative (Users' Guide, "Error diagnostics").
double mumps_count(int value);

/// Whether a larger ICNTL(14) can cure the error: a workspace or buffer was too small.
bool is_workspace_error(int code);

}  // namespace curlew::linalg
