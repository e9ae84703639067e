// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/geo_parameters.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "io/atomic_file.hpp"
#include "mesh/geo_text.hpp"

namespace curlew::mesh {
namespace {

namespace fs = std::filesystem;

/// Names at the outer level of the list that starts behind DefineConstant[: `a, b = 1, c = {1, Name "C"}`.
/// @return the index of its end
std::size_t add_declared(const std::string& text, std::size_t at, std::set<std::string>& names) {
  int depth = 0;
  bool expects_name = true;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      at = std::min(text.find('"', at + 1), text.size() - 1);
    } else if (c == '{' || c == '(' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ')' || c == ']') {
      if (--depth < 0) return at;
    } else if (c == ',' && depth == 0) {
      expects_name = true;
    } else if (is_word(c) && depth == 0 && expects_name) {
      const auto end =
          std::find_if_not(text.begin() + std::ptrdiff_t(at), text.end(), is_word) - text.begin();
      names.insert(text.substr(at, std::size_t(end) - at));
      at = std::size_t(end) - 1;
      expects_name = false;
    }
  }
  return text.size();
}

/// True behind Physical: Physical Point(..) = {..} is a list of points.
bool names_a_group(std::string_view before) {
  constexpr std::string_view word = "Physical";
  const auto end = before.find_last_not_of(" \t\r\n");
  return end != std::string_view::npos && before.substr(0, end + 1).ends_with(word);
}

/// True if a point is given a fourth number: Point(..) = {x, y, z, size}.
bool sizes_points(std::string_view text) {
  constexpr std::string_view word = "Point";
  for (Scan scan(text); scan.find(word);) {
    if (names_a_group(text.substr(0, scan.at() - word.size())) || !scan.take("(")) continue;
    scan.until(")");
    if (!scan.take(")") || !scan.take("=") || !scan.take("{")) continue;
    int commas = 0;
    while (commas < 3 && (scan.until("{},"), scan.take(","))) ++commas;
    if (commas == 3) return true;
  }
  return false;
}

/// True if what is meshed is given a size: MeshSize {..}, Characteristic Length {..}.
bool sizes_entities(std::string_view text) {
  for (Scan scan(text); scan.find("MeshSize");)
    if (scan.take("{")) return true;
  for (Scan scan(text); scan.find("Characteristic");)
    if (scan.take("Length") && scan.take("{")) return true;
  return false;
}

/// Names of files in quotes after a command.
void add_named_files(std::string_view text, std::string_view command, std::vector<std::string>& names) {
  for (Scan scan(text); scan.find(command);) {
    if (command == "ShapeFromFile" && !scan.take("(")) continue;
    if (!scan.take("\"")) continue;
    const auto name = scan.until("\"");
    if (!name.empty() && scan.take("\"")) names.emplace_back(name);
  }
}

std::string text_of(const std::string& path) {
  return without_comments(io::read_text_file(path));
}

/// Whether a .geo, or one that it includes, has one of the words.
bool uses_any(const std::string& path, std::initializer_list<const char*> words) {
  if (fs::path(path).extension() != ".geo") return false;
  for (const std::string& file : geo_files(path)) {
    if (fs::path(file).extension() != ".geo") continue;
    const std::string text = text_of(file);
    for (const auto* word : words)
      if (Scan(text).find_alone(word)) return true;
  }
  return false;
}

}  // namespace

std::set<std::string> geo_parameters(const std::string& path) {
  std::set<std::string> names;
  for (const std::string& file : geo_files(path)) {
    if (fs::path(file).extension() != ".geo" && file != path) continue;
    const std::string text = text_of(file);
    for (Scan scan(text); scan.find("DefineConstant");)
      if (scan.take("[")) scan = Scan(text, add_declared(text, scan.at(), names));
    for (Scan scan(text); scan.find("Exists");) {
      if (!scan.take("(")) continue;
      if (const auto name = scan.name(); !name.empty()) names.emplace(name);
    }
  }
  return names;
}

bool geo_sizes_points(const std::string& path) {
  for (const std::string& file : geo_files(path)) {
    if (fs::path(file).extension() != ".geo") continue;
    const std::string text = text_of(file);
    if (sizes_points(text) || sizes_entities(text)) return true;
  }
  return false;
}

bool geo_runs_commands(const std::string& path) {
  return uses_any(path, {"NonBlockingSystemCall", "SystemCall", "OnelabRun"});
}

bool geo_asks_environment(const std::string& path) {
  return uses_any(path, {"GetEnv"});
}

std::vector<std::string> geo_files(const std::string& path) {
  std::vector<std::string> files{path};
  // A script that includes itself has ever longer names by "./" or a link: files are compared by location,
  // not by name.
  std::error_code fault;
  std::set<fs::path> places{fs::canonical(path, fault)};
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i > 0 && fs::path(files[i]).extension() != ".geo") continue;
    const std::string text = text_of(files[i]);
    std::vector<std::string> names;
    for (const auto* command : {"Include", "Merge", "ShapeFromFile"}) add_named_files(text, command, names);
    for (const auto& name : names) {
      const auto named = fs::path(files[i]).parent_path() / name;
      if (fs::is_regular_file(named, fault) && places.insert(fs::canonical(named, fault)).second)
        files.push_back(named.string());
    }
  }
  return files;
}

}  // namespace curlew::mesh
