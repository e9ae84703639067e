// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/mumps_messages.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"

namespace curlew::linalg {

double mumps_count(int value) {
  return value < 0 ? -1e6 * value : double(value);
}

namespace {

std::string memory_text(int code, int detail) {
  switch (code) {
    case -13:
      return fmt::format("an allocation of {:.3g} numbers failed", mumps_count(detail));
    case -7:
    case -5:
      return fmt::format("an allocation of {:.3g} integers or numbers failed in the analysis",
                         mumps_count(detail));
    case -19:
      return "the allowed memory is smaller than the factorisation needs";
    case -22:
      return "an array that MUMPS needs was not given";
    case -90:
      return "the factors could not be written to the out-of-core folder (is the disk full?)";
    case -51:
    case -52:
      return "the graph is too large for the 32-bit integers of the ordering library; choose another "
             "ordering";
    default:
      return fmt::format("the workspace is too small by {:.3g} numbers, even enlarged", mumps_count(detail));
  }
}

}  // namespace

bool is_workspace_error(int code) {
  return code == -8 || code == -9 || code == -11 || code == -12 || code == -14 || code == -15 ||
         code == -17 || code == -20;
}

void throw_mumps_error(const char* stage, int code, int detail) {
  if (code >= 0) return;
  const bool memory = is_workspace_error(code) || code == -5 || code == -7 || code == -13 || code == -19 ||
                      code == -51 || code == -52 || code == -90;
  if (memory)
    throw ResourceError(fmt::format("MUMPS, {}: {} (error {})", stage, memory_text(code, detail), code));
  if (code == -10)
    throw NumericalError(
        fmt::format("MUMPS, {}: the matrix is singular (elimination stopped after {} pivots). A lossless "
                    "problem at one of its "
                    "resonances, or a part without material or boundary condition, gives such a matrix",
                    stage, detail));
  if (code == -6)
    throw NumericalError(
        fmt::format("MUMPS, {}: the matrix is structurally singular, rank {}", stage, detail));
  if (code == -40) throw NumericalError(fmt::format("MUMPS, {}: the matrix is not positive definite", stage));
  if (code == -4)
    throw InputError(
        fmt::format("MUMPS, {}: the ordering given is no permutation (position {})", stage, detail));
  if (code == -16) throw InputError(fmt::format("MUMPS, {}: a matrix of {} unknowns", stage, detail));
  throw InputError(fmt::format("MUMPS, {}: error {} ({})", stage, code, detail));
}

}  // namespace curlew::linalg
