// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Position of a key in a config, for errors found when the config is no longer available.

#include <string>
#include <string_view>

#include "io/config.hpp"

namespace curlew::io {

/// The context in messages of Config::error: file and line or the option, the table, and the expression of
/// the value.
class Place {
 public:
  Place() = default;
  /// Position of a key of the table, or of the table: "".
  Place(const Config& table, std::string_view key);

  /// Throws InputError with the text of Config::error.
  [[noreturn]] void error(const std::string& message) const;

 private:
  std::string before_, after_;
};

}  // namespace curlew::io
