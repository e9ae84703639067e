// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/geo_parameters.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

#include "io/atomic_file.hpp"

namespace curlew::mesh {
namespace {

namespace fs = std::filesystem;

/// Script without // and /* */ comments; strings are kept, and may hold either.
std::string without_comments(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      const auto end = std::min(text.find('"', i + 1), text.size() - 1);
      result += text.substr(i, end + 1 - i);
      i = end + 1;
    } else if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      const auto end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 2;
    } else {
      result += text[i++];
    }
  }
  return result;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Names at the outer level of the list that starts behind DefineConstant[: `a, b = 1, c = {1, Name "C"}`.
void add_declared(const std::string& text, std::size_t at, std::set<std::string>& names) {
  int depth = 0;
  bool expects_name = true;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      at = std::min(text.find('"', at + 1), text.size() - 1);
    } else if (c == '{' || c == '(' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ')' || c == ']') {
      if (--depth < 0) return;
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
}

}  // namespace

std::set<std::string> geo_parameters(const std::string& path) {
  static const std::regex define(R"(DefineConstant\s*\[)"), exists(R"(Exists\s*\(\s*(\w+))");
  std::set<std::string> names;
  for (const std::string& file : geo_files(path)) {
    if (fs::path(file).extension() != ".geo" && file != path) continue;
    const std::string text = without_comments(io::read_text_file(file));
    for (std::sregex_iterator m(text.begin(), text.end(), define), end; m != end; ++m)
      add_declared(text, std::size_t(m->position() + m->length()), names);
    for (std::sregex_iterator m(text.begin(), text.end(), exists), end; m != end; ++m) names.insert((*m)[1]);
  }
  return names;
}

bool geo_sizes_points(const std::string& path) {
  static const std::regex point(R"(Point\s*\([^)]*\)\s*=\s*\{[^{},]*,[^{},]*,[^{},]*,)"),
      size(R"((MeshSize|Characteristic\s+Length)\s*\{)");
  for (const std::string& file : geo_files(path)) {
    if (fs::path(file).extension() != ".geo") continue;
    const std::string text = without_comments(io::read_text_file(file));
    if (std::regex_search(text, point) || std::regex_search(text, size)) return true;
  }
  return false;
}

bool geo_runs_commands(const std::string& path) {
  static const std::regex command(R"(\b(NonBlockingSystemCall|SystemCall|OnelabRun)\b)");
  if (fs::path(path).extension() != ".geo") return false;
  for (const std::string& file : geo_files(path))
    if (fs::path(file).extension() == ".geo" &&
        std::regex_search(without_comments(io::read_text_file(file)), command))
      return true;
  return false;
}

std::vector<std::string> geo_files(const std::string& path) {
  static const std::regex reads(R"rx((?:Include|Merge|ShapeFromFile\s*\()\s*"([^"]+)")rx");
  std::vector<std::string> files{path};
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i > 0 && fs::path(files[i]).extension() != ".geo") continue;
    const std::string text = without_comments(io::read_text_file(files[i]));
    for (std::sregex_iterator m(text.begin(), text.end(), reads), end; m != end; ++m) {
      const auto named = (fs::path(files[i]).parent_path() / (*m)[1].str()).string();
      if (fs::is_regular_file(named) && std::find(files.begin(), files.end(), named) == files.end())
        files.push_back(named);
    }
  }
  return files;
}

}  // namespace curlew::mesh
