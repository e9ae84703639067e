// SPDX-License-Identifier: BSD-3-Clause
#include "io/provenance.hpp"

#include <fmt/format.h>

#include "curlew/build.hpp"

namespace curlew::io {

std::vector<std::string> provenance_lines(const Provenance& provenance) {
  return {fmt::format("{} {} (curlew)", provenance.program, CURLEW_VERSION),
          fmt::format("config: {}", provenance.config_name),
          "time convention exp(+jwt), peak phasors; units are in the column names or below"};
}

}  // namespace curlew::io
