// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/finished.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace curlew::mesh {
namespace {

std::string ending(const std::string& path) {
  std::string text = std::filesystem::path(path).extension().string();
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

bool is_foreign_mesh(const std::string& path) {
  constexpr std::array<std::string_view, 6> known{".stl", ".ply", ".bdf", ".nas", ".unv", ".mesh"};
  return std::find(known.begin(), known.end(), ending(path)) != known.end();
}

bool is_finished_mesh(const std::string& path) {
  const auto text = ending(path);
  return text == ".h5" || text == ".msh" || is_foreign_mesh(path);
}

}  // namespace curlew::mesh
