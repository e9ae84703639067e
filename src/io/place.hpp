// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where a key of a config stands, for errors that are found when the config is no longer at hand.

#include <string>
#include <string_view>

#include "io/config.hpp"

namespace curlew::io {

/// What Config::error says around its message: file and line or the option, the table, the expression that
/// the value was written as.
class Place {
 public:
  Place() = default;
  /// Of a key of the table, or of the table itself: "".
  Place(const Config& table, std::string_view key);

  /// @throws InputError always, with the text that Config::error gives
  [[noreturn]] void error(const std::string& message) const;

 private:
  std::string before_, after_;
};

}  // namespace curlew::io
