// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Provenance in every file: program, version, config and the sign convention.

#include <string>
#include <vector>

namespace curlew::io {

struct Provenance {
  std::string program;      ///< "fem-solve"
  std::string config_name;  ///< the config's file name
  std::string config_text;  ///< the config with options applied, TOML
};

/// Lines for the head of a text file, without a comment sign: program and version, config, exp(+jwt).
std::vector<std::string> provenance_lines(const Provenance& provenance);

}  // namespace curlew::io
