// SPDX-License-Identifier: BSD-3-Clause
#include "io/place.hpp"

#include "io/config_error.hpp"

namespace curlew::io {

Place::Place(const Config& table, std::string_view key) {
  // Only Config::error knows the format of a position: it is called with a message that no config has, as
  // TOML has no control characters.
  const std::string mark = "\x01";
  try {
    table.error(key, mark);
  } catch (const ConfigError& e) {
    const std::string text = e.what();
    const auto at = text.find(mark);
    before_ = text.substr(0, at), after_ = text.substr(at + mark.size());
  }
}

void Place::error(const std::string& message) const {
  throw ConfigError(before_ + message + after_);
}

}  // namespace curlew::io
