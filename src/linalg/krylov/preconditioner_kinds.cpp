// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/preconditioner_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

constexpr PreconditionerKind none{.name = "none"};
constexpr const PreconditionerKind* kinds[] = {&none, &jacobi_kind, &multilevel_kind, &subdomains_kind};

}  // namespace

std::vector<std::string> preconditioner_names() {
  std::vector<std::string> names;
  for (const PreconditionerKind* kind : kinds) names.emplace_back(kind->name);
  return names;
}

const PreconditionerKind& preconditioner_named(const std::string& name) {
  for (const PreconditionerKind* kind : kinds)
    if (kind->name == name) return *kind;
  throw InputError(fmt::format("preconditioner = \"{}\" must be one of \"{}\"", name,
                               fmt::join(preconditioner_names(), "\", \"")));
}

}  // namespace curlew::linalg
