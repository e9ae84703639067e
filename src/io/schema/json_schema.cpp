// SPDX-License-Identifier: BSD-3-Clause
// The keys of a program as JSON Schema. Tables of lists may be single tables as well, as Config::tables reads
// them. The members x-... repeat an entry word for word.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "io/schema/json_text.hpp"

#include "io/schema/schema.hpp"

namespace curlew::io::schema {
namespace {

/// "0 to 5", "> 0", ">= 0" as members of a JSON Schema, each with a comma before it.
std::string limits(std::string_view range) {
  const auto is_plain = [](std::string_view text) {
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc() && end == text.data() + text.size();
  };
  if (range.starts_with(">= ")) return fmt::format(", \"minimum\": {}", range.substr(3));
  if (range.starts_with("> ")) return fmt::format(", \"exclusiveMinimum\": {}", range.substr(2));
  const auto to = range.find(" to ");
  if (to == std::string_view::npos || !is_plain(range.substr(0, to)) || !is_plain(range.substr(to + 4)))
    return "";
  return fmt::format(", \"minimum\": {}, \"maximum\": {}", range.substr(0, to), range.substr(to + 4));
}

std::string one_of(const std::vector<std::string>& words) {
  std::vector<std::string> list;
  for (const auto& word : words) list.push_back(json_text(word));
  return fmt::format("{{\"enum\": [{}]}}", fmt::join(list, ", "));
}

std::string any_of(const std::vector<std::string>& schemas) {
  return fmt::format("\"anyOf\": [{}]", fmt::join(schemas, ", "));
}

std::string list_of(const std::string& item, int length = 0) {
  const std::string count =
      length > 0 ? fmt::format(", \"minItems\": {0}, \"maxItems\": {0}", length) : std::string();
  return fmt::format("{{\"type\": \"array\", \"items\": {}{}}}", item, count);
}

/// Members that describe the values of the key.
std::string value_schema(const Key& key) {
  const std::string limit = limits(key.range);
  // Texts are expressions; limits of JSON Schema apply to numbers alone.
  const std::string number = fmt::format("{{\"type\": [\"number\", \"string\"]{}}}", limit);
  const std::string integer = fmt::format("{{\"type\": [\"integer\", \"string\"]{}}}", limit);
  const std::string any_number = "{\"type\": [\"number\", \"string\"]}", text = "{\"type\": \"string\"}";
  const std::string pair = list_of(any_number, 2), vector = list_of(any_number, 3);
  const std::string complex = fmt::format("{{{}}}", any_of({any_number, pair}));
  const auto one_or_list = [](const std::string& item) { return any_of({item, list_of(item)}); };
  const auto inner = [](const std::string& object) { return object.substr(1, object.size() - 2); };
  switch (key.type) {
    case Type::boolean:
      return "\"type\": \"boolean\"";
    case Type::integer:
      return inner(integer);
    case Type::number:
      return inner(number);
    case Type::complex:
      return inner(complex);
    case Type::tensor:
      return "\"type\": [\"number\", \"string\", \"array\"]";
    case Type::text:
      return inner(text);
    case Type::word:
      return inner(one_of(words_of(key)));
    case Type::vector:
      return inner(vector);
    case Type::direction:
      return any_of({one_of(words_of(key)), vector});
    case Type::integers:
      return one_or_list(integer);
    case Type::numbers:
      return one_or_list(number);
    case Type::complexes:
      return one_or_list(complex);
    case Type::texts:
      return one_or_list(text);
    case Type::words:
      return one_or_list(one_of(words_of(key)));
    case Type::vectors:
      return one_or_list(vector);
    case Type::rows:
      return inner(list_of(list_of(any_number)));
    case Type::range:
      return inner(vector);
    case Type::words_or_numbers: {
      const std::string word = one_of(words_of(key));
      return any_of({word, any_number, list_of(word), list_of(any_number)});
    }
  }
  return "";
}

std::string key_schema(const Key& key) {
  const std::string unit = key.unit.empty() ? std::string() : fmt::format(" [{}]", key.unit);
  std::string text =
      fmt::format("{{{}, \"description\": {}", value_schema(key), json_text(std::string(key.help) + unit));
  if (!toml_default(key).empty()) text += fmt::format(", \"default\": {}", toml_default(key));
  return text + fmt::format(
                    ", \"x-path\": {}, \"x-type\": {}, \"x-unit\": {}, \"x-range\": {}, \"x-default\": {}, "
                    "\"x-help\": {}}}",
                    json_text(key.path), json_text(name_of(key.type)), json_text(key.unit),
                    json_text(key.range), json_text(key.fallback), json_text(key.help));
}

/// True if the table at a plain path is a list of tables.
bool is_list(std::string_view plain, std::string_view program) {
  const auto keys = keys_of(program);
  return std::any_of(keys.begin(), keys.end(), [&](const Key* key) {
    for (auto at = key->path.find("[]"); at != std::string_view::npos; at = key->path.find("[]", at + 1))
      if (plain_path(key->path.substr(0, at)) == plain) return true;
    return false;
  });
}

std::string table_schema(const std::string& plain, std::string_view program, const std::string& indent) {
  std::vector<std::string> members, required;
  const std::string deeper = indent + "  ";
  for (const auto& name : names_in(plain, program)) {
    const std::string path = plain.empty() ? name : plain + "." + name;
    if (name == "*") continue;
    if (is_table(path, program)) {
      const std::string table = table_schema(path, program, deeper);
      const std::string schema =
          is_list(path, program) ? fmt::format("{{{}}}", any_of({table, list_of(table)})) : table;
      members.push_back(fmt::format("\n{}{}: {}", deeper, json_text(name), schema));
    } else {
      const Key* key = find_key(path, program);
      members.push_back(fmt::format("\n{}{}: {}", deeper, json_text(name), key_schema(*key)));
      if (key->fallback == "required") required.push_back(json_text(name));
    }
  }
  std::string text = "{\"type\": \"object\"";
  if (!required.empty()) text += fmt::format(", \"required\": [{}]", fmt::join(required, ", "));
  if (has_free_names(plain, program)) {
    text += ", \"additionalProperties\": " + key_schema(*find_key(plain + ".*", program));
  } else {
    text += ", \"additionalProperties\": false";
  }
  return fmt::format("{}, \"properties\": {{{}\n{}}}}}", text, fmt::join(members, ","), indent);
}

}  // namespace

std::string as_json_schema(std::string_view program) {
  const std::string body = table_schema("", program, "");
  return fmt::format(
      "{{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n\"title\": \"config of {}\",\n{}\n",
      program, body.substr(1));
}

}  // namespace curlew::io::schema
