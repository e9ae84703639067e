// SPDX-License-Identifier: BSD-3-Clause
// Keys of [accuracy].
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr Key keys[] = {
    {"accuracy.estimate", Type::word, "", "auto | off | one | all", "\"auto\"",
     "error bars: where they are cheap, never, at one frequency, at all", solver_programs},
    {"accuracy.tolerance", Type::number, "", "> 0", "",
     "estimated error above which the run warns: of abs(S), else relative", solver_programs},
    {"accuracy.strict", Type::boolean, "", "", "false",
     "above this tolerance, or that of [refinement], the run ends with status 1, after all files are "
     "written; "
     "else with a warning",
     solver_programs},
};

}  // namespace

std::span<const Key> accuracy_keys() {
  return keys;
}

}  // namespace curlew::io::schema
