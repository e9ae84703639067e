// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A key of a config as one object: the row of the schema, from which --keys, documentation and error messages
// are made, is also the argument of readers (io/key.hpp). So they cannot differ.

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/schema/key.hpp"

namespace curlew::io {

/// The type of keys whose value is one of the words in their range.
struct Word {};

template <class T>
consteval schema::Type type_of() {
  using schema::Type;
  if constexpr (std::is_same_v<T, bool>)
    return Type::boolean;
  else if constexpr (std::is_same_v<T, int>)
    return Type::integer;
  else if constexpr (std::is_same_v<T, double>)
    return Type::number;
  else if constexpr (std::is_same_v<T, std::string>)
    return Type::text;
  else if constexpr (std::is_same_v<T, Word>)
    return Type::word;
  else if constexpr (std::is_same_v<T, std::vector<double>>)
    return Type::numbers;
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return Type::texts;
  else
    return Type::rows;
}

/// A key whose values are of type T. Fields as in schema::Key.
template <class T>
struct Key : schema::Key {
  consteval Key(std::string_view at, std::string_view in, std::string_view limits, std::string_view otherwise,
                std::string_view says, std::string_view for_programs)
      : schema::Key{at, type_of<T>(), in, limits, otherwise, says, for_programs} {}
};

/// The last part of a key's path: its name in its table.
constexpr std::string_view name_of(const schema::Key& key) {
  const auto dot = key.path.rfind('.');
  return dot == std::string_view::npos ? key.path : key.path.substr(dot + 1);
}

}  // namespace curlew::io
