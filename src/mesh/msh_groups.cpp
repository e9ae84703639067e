// SPDX-License-Identifier: BSD-3-Clause
// Source: Gmsh reference manual, "MSH file format version 2 (Legacy)".
#include "mesh/msh_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <tuple>
#include <vector>

#include "base/error.hpp"

namespace curlew::mesh {
namespace {

/// Dimension and nodes of Gmsh's element types, from 1.
struct TypeSize {
  int dimension, nodes;
};
constexpr TypeSize type_sizes[] = {{1, 2},  {2, 3},  {2, 4},  {3, 4},  {3, 8},  {3, 6},  {3, 5},  {1, 3},
                                   {2, 6},  {2, 9},  {3, 10}, {3, 27}, {3, 18}, {3, 14}, {0, 1},  {2, 8},
                                   {3, 20}, {3, 15}, {3, 13}, {2, 9},  {2, 10}, {2, 12}, {2, 15}, {2, 15},
                                   {2, 21}, {1, 4},  {1, 5},  {1, 6},  {3, 20}, {3, 35}, {3, 56}};

/// An element as its line states it.
struct Element {
  int type = 0, group = 0, entity = 0;
  std::size_t place = 0, width = 0;  ///< position of the elementary tag in the text
};

[[noreturn]] void refuse(const std::string& name) {
  throw InputError(fmt::format("{}: its $Elements cannot be read: the file is damaged", name));
}

/// The next number of a text, after blanks and ends of lines.
struct Numbers {
  const std::string& text;
  std::size_t at;
  std::size_t start = 0;  ///< of the last one

  bool next(long& value) {
    while (at < text.size() && std::strchr(" \t\r\n", text[at]) != nullptr) ++at;
    start = at;
    const auto [end, fault] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    at = std::size_t(end - text.data());
    return fault == std::errc();
  }
};

std::vector<Element> read_lines(const std::string& text, std::size_t at, const std::string& name) {
  Numbers numbers{text, at};
  long count = 0;
  if (!numbers.next(count)) refuse(name);
  std::vector<Element> elements;
  for (long e = 0; e < count; ++e) {
    long number = 0, type = 0, tags = 0, value = 0;
    if (!numbers.next(number) || !numbers.next(type) || !numbers.next(tags)) refuse(name);
    Element element{.type = int(type)};
    for (long t = 0; t < tags; ++t) {
      if (!numbers.next(value)) refuse(name);
      if (t == 0) element.group = int(value);
      if (t != 1) continue;
      element.entity = int(value);
      element.place = numbers.start;
      element.width = numbers.at - numbers.start;
    }
    if (tags >= 2) elements.push_back(element);
    numbers.at = std::min(text.find('\n', numbers.at), text.size());
  }
  return elements;
}

/// Blocks of elements of one type and one number of tags, in numbers of 32 bits of this machine's order.
std::vector<Element> read_blocks(const std::string& text, std::size_t at, const std::string& name) {
  Numbers lines{text, at};
  long count = 0;
  if (!lines.next(count)) refuse(name);
  at = lines.at + 1;  // behind one end of line
  constexpr std::size_t word = sizeof(std::int32_t);
  const auto number = [&](std::size_t place) {
    std::int32_t value = 0;
    if (place + word > text.size()) refuse(name);
    std::memcpy(&value, text.data() + place, word);
    return value;
  };
  std::vector<Element> elements;
  for (long done = 0; done < count;) {
    const int type = number(at), in_block = number(at + word), tags = number(at + 2 * word);
    if (type < 1 || type > int(std::size(type_sizes)) || in_block < 1 || tags < 0) refuse(name);
    at += 3 * word;
    for (int e = 0; e < in_block; ++e, ++done) {
      if (tags >= 2)
        elements.push_back({type, number(at + word), number(at + 2 * word), at + 2 * word, word});
      at += std::size_t(1 + tags + type_sizes[type - 1].nodes) * word;
    }
  }
  return elements;
}

int dimension_of(const Element& element) {
  const bool is_known = element.type >= 1 && element.type <= int(std::size(type_sizes));
  return is_known ? type_sizes[element.type - 1].dimension : 3;
}

/// New elementary tags for those that have elements of several groups, by dimension, tag and group.
std::map<std::tuple<int, int, int>, int> new_entities(const std::vector<Element>& elements) {
  std::map<std::pair<int, int>, std::set<int>> groups;
  int greatest = 0;
  for (const Element& e : elements) {
    groups[{dimension_of(e), e.entity}].insert(e.group);
    greatest = std::max(greatest, e.entity);
  }
  std::map<std::tuple<int, int, int>, int> entities;
  for (const auto& [key, members] : groups)
    if (members.size() > 1)
      for (const int group : members) entities[{key.first, key.second, group}] = ++greatest;
  return entities;
}

std::string replaced(const std::string& text, const std::vector<Element>& elements, bool is_binary,
                     const std::map<std::tuple<int, int, int>, int>& entities) {
  std::string result;
  result.reserve(text.size() + elements.size());
  std::size_t copied = 0;
  for (const Element& e : elements) {
    const auto found = entities.find({dimension_of(e), e.entity, e.group});
    if (found == entities.end()) continue;
    result.append(text, copied, e.place - copied);
    const std::int32_t entity = found->second;
    if (is_binary)
      result.append(reinterpret_cast<const char*>(&entity), sizeof entity);
    else
      result += std::to_string(entity);
    copied = e.place + e.width;
  }
  return result.append(text, copied, std::string::npos);
}

}  // namespace

MshGroups separate_groups(const std::string& text, const std::string& name) {
  const auto format = text.find("$MeshFormat"), section = text.find("$Elements");
  if (format == std::string::npos || section == std::string::npos) return {};
  char* end = nullptr;
  const double version = std::strtod(text.c_str() + format + std::strlen("$MeshFormat"), &end);
  const bool is_binary = std::strtol(end, nullptr, 10) != 0;
  if (!(version >= 2 && version < 3)) return {};
  const std::size_t begin = section + std::strlen("$Elements");
  const auto elements = is_binary ? read_blocks(text, begin, name) : read_lines(text, begin, name);
  MshGroups out;
  for (const Element& e : elements)
    if (dimension_of(e) >= 2) ++out.counts[{dimension_of(e), std::abs(e.group)}];
  const auto entities = new_entities(elements);
  if (!entities.empty()) out.text = replaced(text, elements, is_binary, entities);
  return out;
}

}  // namespace curlew::mesh
