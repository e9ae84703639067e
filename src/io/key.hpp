// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A key of a config as one object: the row of the schema, from which --keys, documentation and error messages
// are made, is also the argument of readers. So they cannot differ: limits, default and words are only in the
// row.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/config.hpp"
#include "io/schema/typed_key.hpp"

namespace curlew::io {

inline bool has(const Config& table, const schema::Key& key) {
  return table.has(name_of(key));
}

/// The value of a required key, within the limits of its range.
/// @throws InputError if it is missing, of another type or out of range
template <class T>
T get(const Config& table, const Key<T>& key);
/// The same, or the default that the key declares, which is recorded for resolved.toml.
template <class T>
T read(const Config& table, const Key<T>& key);
/// The same with a default that depends on other keys: prose in the key.
template <class T>
T read(const Config& table, const Key<T>& key, const T& fallback);
/// Empty if the key is missing.
template <class T>
std::optional<T> find(const Config& table, const Key<T>& key) {
  if (!has(table, key)) return std::nullopt;
  return get(table, key);
}

/// Index in the key's list of the value, else of the default.
std::size_t read_word(const Config& table, const Key<Word>& key, std::string_view fallback = {});

/// The words of a key and their values. Words that are not those of the key do not compile.
template <class E, std::size_t count>
class Choice {
 public:
  consteval Choice(const Key<Word>& key, const std::pair<std::string_view, E> (&words)[count]) : key_(key) {
    std::string_view rest = key.range;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_last = i + 1 == count;
      const std::string_view word = rest.substr(0, is_last ? rest.size() : rest.find(" | "));
      if (word != words[i].first) throw "the words of a choice must be those of its key, in their order";
      rest.remove_prefix(is_last ? rest.size() : word.size() + 3);
      words_[i] = words[i].first, values_[i] = words[i].second;
    }
  }

  /// @throws InputError for another word, with the list and the nearest word of it
  E read(const Config& table) const { return values_[read_word(table, key_)]; }
  /// With a default that depends on other keys.
  E read(const Config& table, E fallback) const {
    std::size_t at = 0;
    while (values_[at] != fallback) ++at;
    return values_[read_word(table, key_, words_[at])];
  }

 private:
  const Key<Word>& key_;
  std::array<std::string_view, count> words_{};
  std::array<E, count> values_{};
};

}  // namespace curlew::io
