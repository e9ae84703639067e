// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The iris of tests/data/plain_iris.geo between two ports at 10 GHz, as configs of several tests have it.

#include <string>

#include "test_paths.hpp"

namespace curlew::test {

/// @param mesh_keys more lines of [mesh] @param more tables at the end
inline std::string plain_iris_config(const std::string& mesh_keys, const std::string& more) {
  return "[mesh]\nfile = '" + test::source_dir() + "/tests/data/plain_iris.geo'\nunit = 'mm'\n" + mesh_keys +
         R"(
[frequency]
values = [10e9]
[[material]]
region = "air"
[[boundary]]
region = "walls"
type = "pec"
[[port]]
region = "port1"
[[port]]
region = "port2"
[output]
fields = false
[accuracy]
estimate = "off"
)" + more;
}

}  // namespace curlew::test
