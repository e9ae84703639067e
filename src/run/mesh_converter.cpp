// SPDX-License-Identifier: BSD-3-Clause
#include "run/mesh_converter.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "run/child_program.hpp"

namespace curlew::run {
namespace {

constexpr const char* converter = "em-mesh";

/// Variables that em-mesh gets: paths and speed of its libraries, and the folder of temporary files. A
/// geometry could read others (GetEnv), whose changes a cached mesh would not notice.
constexpr std::string_view passed_on[] = {
    "LD_",           "OMP_",          "OPENBLAS_",     "TMPDIR=",       "CURLEW_",
    "ASAN_OPTIONS=", "LSAN_OPTIONS=", "TSAN_OPTIONS=", "UBSAN_OPTIONS="};

std::vector<std::string> environment() {
  std::vector<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable = *at;
    if (std::any_of(std::begin(passed_on), std::end(passed_on),
                    [&](std::string_view name) { return variable.starts_with(name); }))
      variables.emplace_back(variable);
  }
  return variables;
}

}  // namespace

std::string find_mesh_converter() {
  return find_program(converter);
}

void run_mesh_converter(const std::string& program, const std::vector<std::string>& arguments) {
  run_program(converter, program, arguments, Bond::loose, environment());
}

}  // namespace curlew::run
