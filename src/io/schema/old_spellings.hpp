// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Keys that were renamed or removed: configs that have them still run, with a warning.

#include <span>
#include <string_view>

namespace curlew::io::schema {

struct OldSpelling {
  std::string_view path;  ///< as in Key
  std::string_view now;   ///< "" for a key that was removed
  std::string_view why;   ///< for removed keys: the replacement
};

/// To be removed with the next minor release.
std::span<const OldSpelling> old_spellings();

/// A word that a key no longer has.
struct OldWord {
  std::string_view path, word, now, why;
};

std::span<const OldWord> old_words();

/// Two keys of a table that became one list, [first, second], or several: one for each pair of their entries.
struct JoinedKeys {
  std::string_view table;  ///< as in Key
  std::string_view first, second;
  std::span<const std::string_view> now;
  std::string_view first_default = "", second_default = "";  ///< TOML, of one that is not given; "": none
};

std::span<const JoinedKeys> joined_keys();

}  // namespace curlew::io::schema
