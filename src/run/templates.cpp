// SPDX-License-Identifier: BSD-3-Clause
#include "run/templates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/config.hpp"

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

const TemplateFile* find_file(std::string_view name) {
  const auto all = template_files();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& file) { return file.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// A geometry and the files that it includes.
void add_geometry(std::string_view name, std::vector<const TemplateFile*>& files) {
  const TemplateFile* file = find_file(name);
  if (file == nullptr || std::find(files.begin(), files.end(), file) != files.end()) return;
  files.push_back(file);
  constexpr std::string_view mark = "\nInclude \"";
  for (auto at = file->text.find(mark); at != std::string_view::npos; at = file->text.find(mark, at + 1)) {
    const auto start = at + mark.size();
    add_geometry(file->text.substr(start, file->text.find('"', start) - start), files);
  }
}

/// The solver's config named in a config of em-optimize; else empty.
std::string_view model_of(std::string_view text) {
  constexpr std::string_view mark = "\nconfig = \"";
  const auto at = text.find(mark);
  if (at == std::string_view::npos) return "";
  const auto start = at + mark.size();
  return text.substr(start, text.find('"', start) - start);
}

/// The text of a config with its geometry in the same folder; records the files that it names.
std::string beside(std::string_view text, std::vector<const TemplateFile*>& files) {
  constexpr std::string_view above = "../meshes/";
  std::string out(text);
  for (auto at = out.find(above); at != std::string::npos; at = out.find(above, at)) {
    out.erase(at, above.size());
    add_geometry(std::string_view(out).substr(at, out.find('"', at) - at), files);
  }
  return out;
}

}  // namespace

std::string_view program_of(std::string_view text) {
  const auto has = [&](std::string_view table) { return text.find(table) != std::string_view::npos; };
  if (has("\n[[variable]]")) return "em-optimize";
  if (has("\n[truncation]")) return "fe-iiee";
  if (has("\n[[contour]]")) return "mom2d";
  for (const char* own : {"\n[formulation]", "\n[acceleration]", "\nmonostatic", "\nbetween"})
    if (has(own)) return "ie-solve";
  return "fem-solve";
}

std::vector<std::pair<std::string, std::string>> template_kinds(std::string_view program) {
  const std::string_view reader = program == "fem-assemble" ? "fem-solve" : program;
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const auto& file : template_files()) {
    if (!file.name.ends_with(".toml") || program_of(file.text) != reader) continue;
    const auto config = io::Config::parse(std::string(file.text));
    kinds.emplace_back(file.name.substr(0, file.name.size() - 5), config.get_or<std::string>("title", ""));
  }
  return kinds;
}

std::vector<std::string> write_template(std::string_view program, const std::string& kind,
                                        const std::string& folder) {
  const auto kinds = template_kinds(program);
  std::vector<std::string> names;
  for (const auto& entry : kinds) names.push_back(entry.first);
  auto found = std::find(names.begin(), names.end(), kind);
  if (found == names.end())
    found =
        std::find_if(names.begin(), names.end(), [&](const auto& name) { return name.starts_with(kind); });
  if (found == names.end())
    throw InputError(fmt::format("--new {}: {} has {}", kind, program, fmt::join(names, ", ")));

  const std::string config = *found + ".toml";
  std::vector<const TemplateFile*> geometry;
  const std::string text = beside(find_file(config)->text, geometry);
  std::vector<std::pair<std::string, std::string>> files{{config, text}};
  if (const auto* model = find_file(model_of(text)); model != nullptr)
    files.emplace_back(model->name, beside(model->text, geometry));
  for (const auto* file : geometry) files.emplace_back(file->name, file->text);
  std::vector<std::string> written;
  for (const auto& [name, content] : files) {
    const auto path = (fs::path(folder) / name).string();
    const bool is_same = name != config && fs::is_regular_file(path) && io::read_text_file(path) == content;
    if (fs::exists(path) && !is_same)  // configs share geometries
      throw InputError(fmt::format("--new {}: {} is there already: -o DIR writes elsewhere", kind, path));
  }
  fs::create_directories(folder);
  for (const auto& [name, content] : files) {
    written.push_back((fs::path(folder) / name).lexically_normal().string());
    io::write_text_file(written.back(), content);
  }
  return written;
}

}  // namespace curlew::run
