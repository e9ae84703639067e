// SPDX-License-Identifier: BSD-3-Clause
#include "run/mesh_converter.hpp"

#include "run/child_program.hpp"

namespace curlew::run {
namespace {

constexpr const char* converter = "em-mesh";

}  // namespace

std::string find_mesh_converter() {
  return find_program(converter);
}

void run_mesh_converter(const std::string& program, const std::vector<std::string>& arguments) {
  run_program(converter, program, arguments);
}

}  // namespace curlew::run
