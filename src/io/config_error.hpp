// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The error of a key in a config.

#include "base/error.hpp"

namespace curlew::io {

/// Exception of Config::error: its message names file, line and table.
class ConfigError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace curlew::io
