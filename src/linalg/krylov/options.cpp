// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/options.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

struct Named {
  KrylovMethod method;
  const char* name;
};
constexpr Named methods[] = {{KrylovMethod::bicgstab, "bicgstab"},
                             {KrylovMethod::bicgstabl, "bicgstabl"},
                             {KrylovMethod::tfqmr, "tfqmr"},
                             {KrylovMethod::gmres, "gmres"},
                             {KrylovMethod::cocr, "cocr"}};

const char* outcome(KrylovStatus status) {
  switch (status) {
    case KrylovStatus::converged:
      return "converged";
    case KrylovStatus::max_iterations:
      return "not converged";
    case KrylovStatus::breakdown:
      return "breakdown (a denominator vanished: is the matrix or preconditioner singular?)";
    case KrylovStatus::stagnated:
      return "stagnated (the residual no longer falls)";
    default:
      return "a NaN or an infinity appeared (in the matrix, preconditioner, right-hand side or by overflow)";
  }
}

}  // namespace

bool is_bicg_type(KrylovMethod method) {
  return method == KrylovMethod::bicgstab || method == KrylovMethod::bicgstabl ||
         method == KrylovMethod::tfqmr;
}

bool needs_symmetry(KrylovMethod method) {
  return method == KrylovMethod::cocr;
}

Shadow shadow_from(const std::string& name) {
  if (name == "auto") return Shadow::automatic;
  if (name == "residual") return Shadow::residual;
  if (name == "random") return Shadow::random;
  throw InputError(fmt::format("shadow \"{}\": must be auto, residual or random", name));
}

KrylovMethod krylov_method_from(const std::string& name) {
  for (const auto& m : methods) {
    if (name == m.name) return m.method;
  }
  throw InputError(
      fmt::format("Krylov method \"{}\": must be bicgstab, bicgstabl, tfqmr, gmres or cocr", name));
}

const char* name_of(KrylovMethod method) {
  for (const auto& m : methods) {
    if (method == m.method) return m.name;
  }
  return "";
}

const char* name_of(KrylovStatus status) {
  switch (status) {
    case KrylovStatus::converged:
      return "converged";
    case KrylovStatus::max_iterations:
      return "max_iterations";
    case KrylovStatus::breakdown:
      return "breakdown";
    case KrylovStatus::stagnated:
      return "stagnated";
    default:
      return "not_finite";
  }
}

std::string KrylovReport::message(const KrylovOptions& options) const {
  return fmt::format("{}: {} after {} iterations, true relative residual {:.3e}, tolerance {:.3e}",
                     name_of(options.method), outcome(status), iterations, relative_residual,
                     options.tolerance);
}

void check(const KrylovOptions& o) {
  if (!(o.tolerance >= 0))
    throw InputError(fmt::format("solver tolerance {}: must be zero or positive", o.tolerance));
  if (o.max_iterations < 0)
    throw InputError(fmt::format("max_iterations {}: must not be negative", o.max_iterations));
  if (o.ell < 1 || o.ell > 16) throw InputError(fmt::format("l = {} of BiCGSTAB(l): must be 1 to 16", o.ell));
  if (o.restart < 1 || o.restart > 500)
    throw InputError(fmt::format("restart {} of GMRES: must be 1 to 500", o.restart));
  if (o.kept_directions < 0 || o.kept_directions > 100'000)
    throw InputError(fmt::format("{} recycled search directions: must be 0 to 100000", o.kept_directions));
  if (o.outer_directions < 0 || o.outer_directions > o.kept_directions)
    throw InputError(fmt::format("{} outer directions: must be 0 to the {} recycled ones", o.outer_directions,
                                 o.kept_directions));
}

}  // namespace curlew::linalg
